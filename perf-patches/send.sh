#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/send.sh SERIES OUTDIR [TREE]
#        perf-patches/send.sh --write SERIES TREE
#
# Writes the mails of perf-patches/send/SERIES into OUTDIR, numbered, with a cover letter, as `git send-email` takes
# them, and checks that they apply, in order, to the base of 7.3 with nothing else; those of stable-BASE to that of BASE.
# TREE is the git repository to work in: it is made if it does not exist, and kept.  Its tag base is the base, its branch
# SERIES has a commit for each patch.
#
# send/SERIES/series lists the patches, each by its file name without the number: of the series 7.3 or BASE, or of
# send/SERIES itself, where the patches are that no other series has.  send/SERIES/cover is the cover letter; its first
# paragraph is the subject.
#
# --write writes the latter back from the branch SERIES of TREE: patches are never edited by hand.  Those of 7.3 are
# changed there (README.md).  SENDING.md says what is left to do for who sends them.  The exit status is 3 where there
# is no base.

. "$(dirname "$0")/lib.sh"
write=
[ "${1-}" != --write ] || { write=yes && shift; }
[ $# -eq 2 ] || [ $# -eq 3 -a -z "$write" ] || {
	sed -n '4,20s/^# \{0,1\}//p' "$0"
	exit 2
}
name=$1
send=$HERE/send/$name
[ -f "$send/series" ] || die "there is no series '$name' to send; there are: $(cd "$HERE/send" && echo */ | tr -d /)"
case $name in
*-rfc) prefix='RFC PATCH' base=7.3 ;;
stable-*) base=${name#stable-} prefix="PATCH $base" ;;
*) prefix=PATCH base=7.3 ;;
esac
choose "$base"

# listed: the patches of the series in order, by their path.
listed() {
	local folder patch found
	while IFS=/ read -r folder patch; do
		case $folder in
		'' | '#'*) continue ;;
		send) found=("$send"/[0-9][0-9][0-9][0-9]-"$patch.patch") ;;
		*) found=("$HERE/$folder"/[0-9][0-9][0-9][0-9]-"$patch.patch") ;;
		esac
		[ ${#found[@]} -eq 1 ] && [ -f "${found[0]}" ] || die "send/$name/series names $folder/$patch, which is not there"
		echo "${found[0]}"
	done <"$send/series"
}

# format OUTDIR OPTION...: a mail for each commit.
format() {
	git -C "$tree" -c format.useAutoBase=false -c diff.algorithm=default -c user.name=csguest -c user.email=csguest@localhost \
		format-patch -q --no-signature --numbered --subject-prefix="$prefix" "${@:2}" -o "$1" "base..$name" >/dev/null
}

make_tree() {
	[ -d "$tree/.git" ] || {
		[ ! -e "$tree" ] || die "$tree is no git repository"
		base_into "$tree"
		lone_git -C "$tree" init -q -b base-only .
		lone_git -C "$tree" config user.name csguest
		lone_git -C "$tree" config user.email csguest@localhost
		lone_git -C "$tree" add -Af .
		lone_git -C "$tree" commit -q -m "Linux $RELEASE: tools/perf"
		lone_git -C "$tree" tag base
	}
}

# apply_to BRANCH PATCH...: makes BRANCH of them, upon the base.
apply_to() {
	lone_git -C "$tree" checkout -q -f -B "$1" base && lone_git -C "$tree" am -q "${@:2}" && return
	lone_git -C "$tree" am --abort
	die "$name does not apply to Linux $RELEASE"
}

if [ -n "$write" ]; then
	tree=$2
	git -C "$tree" rev-list -n 1 "base..$name" >/dev/null || die "$tree has no branch $name upon a tag base"
	work=$(mktemp -d) || exit 1
	trap 'rm -rf "$work"' EXIT
	format "$work" --zero-commit --add-header='SPDX-License-Identifier: GPL-2.0'
	rm -f "$send"/*.patch
	for patch in "$work"/*.patch; do
		file=${patch##*/[0-9][0-9][0-9][0-9]-}
		if grep -qx "7.3/${file%.patch}" "$send/series"; then
			echo "7.3/${file%.patch}"
		else
			mv "$patch" "$send" && echo "send/${file%.patch}"
		fi
	done >"$work/series"
	{ sed -n '/^#/p' "$send/series" && cat "$work/series"; } >"$work/whole"
	mv "$work/whole" "$send/series"
	cat "$send/series"
	exit
fi

out=$2
[ $# -eq 3 ] && tree=$3 || {
	tree=$(mktemp -d)/tree || exit 1
	trap 'rm -rf "$(dirname "$tree")"' EXIT
}
files=$(listed) || exit 1
mapfile -t files <<<"$files"
RELEASE=$MADE_FOR
make_tree
apply_to "$name" "${files[@]}"
mkdir -p "$out"
rm -f "$out"/[0-9][0-9][0-9][0-9]-*.patch
lone_git -C "$tree" config "branch.$name.description" "$(sed '/^# SPDX/d' "$send/cover")"
format "$out" --cover-letter --cover-from-description=subject || exit 1

# What was written, not what it was made of.
apply_to check $(ls "$out"/[0-9]*.patch | grep -v /0000-)
[ -z "$(git -C "$tree" diff "$name" check)" ] || die "the mails of $name make another tree than its patches"
lone_git -C "$tree" checkout -q "$name"
ls "$out"
