#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/tree.sh SERIES DIR
#        perf-patches/tree.sh --from OLD NEW DIR
#
# Makes DIR a git repository with the base of SERIES, tagged base, and on the branch csguest a commit
# for each patch: to work on them.  generate.sh writes them back.
#
# --from brings the patches of the series OLD to the base of NEW, which bases lists, by a three-way merge of each.
# It stops at the first that conflicts, as git cherry-pick does: resolve it in DIR, `git cherry-pick --continue`
# (or --skip), and so on; then generate.sh NEW DIR.  base-OLD and old are what they come from.

. "$(dirname "$0")/lib.sh"
usage() {
	sed -n '4,12s/^# \{0,1\}//p' "$0"
	exit 2
}
from=
[ "${1-}" != --from ] || {
	[ $# -eq 4 ] || usage
	from=$2
	shift 2
}
[ $# -eq 2 ] || usage
[ -z "$from" ] || (choose "$from") || exit 1
choose "$1"
[ ! -e "$2" ] || die "$2 exists"
dir=$2

# make_base DIR: a repository with the base alone.
make_base() {
	base_into "$1"
	lone_git -C "$1" init -q -b csguest .
	lone_git -C "$1" config user.name csguest
	lone_git -C "$1" config user.email csguest@localhost
	lone_git -C "$1" add -Af .
	lone_git -C "$1" commit -q -m "Linux $RELEASE: tools/perf"
	lone_git -C "$1" tag base
}

# add_patches DIR: the series upon it.
add_patches() {
	# shellcheck disable=SC2046
	lone_git -C "$1" am -q $(patches)
}

# bring_from OLD: its patches, from a tree of their own, upon the base there is.
bring_from() {
	old=$(mktemp -d) || exit 1
	trap 'rm -rf "$old"' EXIT
	"$HERE/tree.sh" "$1" "$old/tree" >/dev/null || exit 1
	lone_git -C "$dir" fetch -q --no-tags "$old/tree" "refs/tags/base:refs/tags/base-$1" csguest:old || exit 1
	lone_git -C "$dir" -c advice.mergeConflict=false cherry-pick "base-$1..old" >/dev/null 2>&1 ||
		die "$(lone_git -C "$dir" log --oneline base.. | wc -l) of $(lone_git -C "$dir" rev-list "base-$1..old" | wc -l) patches are there;" \
			"the next conflicts in $(lone_git -C "$dir" diff --name-only --diff-filter=U | tr '\n' ' '): resolve it in $dir, then" \
			"git cherry-pick --continue"
}

# Of a new base no series is there that could fit.
[ -z "$from" ] || fits() { true; }
make_base "$dir"
if [ -n "$from" ]; then
	bring_from "$from"
else
	add_patches "$dir"
fi
lone_git -C "$dir" log --oneline base..
