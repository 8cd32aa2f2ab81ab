#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/generate.sh SERIES DIR [OUT]
#
# Writes perf-patches/SERIES/*.patch (or OUT/*.patch) from the commits base..csguest of the repository in DIR, which
# tree.sh has made, with perf-patches/cover as the cover letter.  The patches are never edited by hand.
#
# A patch that does on this base what one of 7.3 does, with the same message, is not written: SERIES/series lists that
# of 7.3 in its place.  So every change is kept once, and a series holds what differs for its base.

. "$(dirname "$0")/lib.sh"
[ $# -eq 2 ] || [ $# -eq 3 ] || {
	sed -n '4,10s/^# \{0,1\}//p' "$0"
	exit 2
}
choose "$1"
first=7.3 # the series that the others take patches of
git -C "$2" rev-list -n 1 base..csguest >/dev/null || die "$2 has no branch csguest upon a tag base (see tree.sh)"
out=${3:-$HERE/$SERIES}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# The cover letter's first paragraph is its subject.
git -C "$2" -c branch.csguest.description="$(sed '/^# SPDX/d' "$HERE/cover")" -c format.useAutoBase=false \
	-c diff.algorithm=default -c user.name=csguest -c user.email=csguest@localhost \
	format-patch -q --cover-letter --cover-from-description=subject --zero-commit --no-signature --numbered \
	--add-header='SPDX-License-Identifier: GPL-2.0' --subject-prefix="PATCH $SERIES" -o "$work/new" base..csguest || exit 1
# A date of the day would differ each time.
sed -i "/^Date: /s/.*/Date: $(git -C "$2" log -1 --format=%aD csguest)/" "$work"/new/0000-*.patch

# message PATCH: its subject and text.
message() { git mailinfo "$work/text" /dev/null <"$1" | sed -n 's/^Subject: //p' && cat "$work/text"; }

# does_the_same PATCH COMMIT: whether PATCH, upon what is before COMMIT, makes the tree of COMMIT.
does_the_same() {
	local index=(env GIT_INDEX_FILE="$work/index" git -C "$2")
	"${index[@]}" read-tree "$3^" && "${index[@]}" apply --cached --whitespace=nowarn "$1" 2>/dev/null &&
		[ "$("${index[@]}" write-tree)" = "$(git -C "$2" rev-parse "$3^{tree}")" ]
}

mkdir -p "$out"
rm -f "$out"/*.patch "$out/series"
if [ "$SERIES" = $first ]; then
	mv "$work"/new/*.patch "$out"
	ls "$out"
	exit
fi

printf '# SPDX-License-Identifier: GPL-2.0\n# The patches of this series, in order; generate.sh writes this list.\n' >"$work/series"
for commit in $(git -C "$2" rev-list --reverse base..csguest); do
	n=$((${n-0} + 1))
	patch=$(ls "$work"/new/"$(printf %04d $n)"-*.patch)
	message "$patch" >"$work/message"
	found=
	for other in "$HERE/$first"/[0-9]*-"${patch#*/[0-9][0-9][0-9][0-9]-}"; do
		[ -f "$other" ] || continue
		message "$other" | cmp -s - "$work/message" && does_the_same "$other" "$2" "$commit" && found=$other
	done
	if [ -n "$found" ]; then
		echo "$first/${found##*/}"
	else
		mv "$patch" "$out"
		echo "$SERIES/${patch##*/}"
	fi
done >>"$work/series"
mv "$work"/new/0000-*.patch "$out"
mv "$work/series" "$out"
cat "$out/series"
