#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A series of patches for perf is brought to another base by one command, patch by patch.
# Takes 60 s.
. "$(dirname "$0")/../lib.sh"
patches=$TOP/perf-patches

# tree DIR ARG...: a tree of them; skips where there is no base.
tree() {
	"$patches/tree.sh" "${@:2}" "$1" >"$T/out" 2>"$T/err"
	local rc=$?
	[ $rc -ne 3 ] || skip_all "no base of both series: CSGUEST_SHARED=DIR (perf-patches/README.md)"
	return $rc
}
tree_of() { git -C "$1" rev-parse 'csguest^{tree}'; }

tree "$T/7.3" 7.3 || fail "the 7.3 series makes a tree" "$T/err"
tree "$T/again" --from 7.3 7.3 || fail "it is brought to the base it has" "$T/err"
is "upon its own base a series is what it was" "$(tree_of "$T/7.3")" "$(tree_of "$T/again")"

# Upon 7.3 the patch of 6.12 that touches other functions conflicts: what is before it is there.
tree "$T/new" --from 6.12 7.3 && fail "the series of 6.12 does not merge with 7.3 by itself"
has "how far it came is said" '^perf: [1-9][0-9]* of [1-9][0-9]* patches are there; the next conflicts in tools/perf/.*: resolve it in .*, then git cherry-pick --continue' "$T/err"
before=$(git -C "$T/new" rev-list --count base..csguest)
is "with the patches before it" true "$([ "$before" -gt 0 ] && echo true)"

# Resolved as the 7.3 series has it, and so on to the end.
export GIT_EDITOR=true
while [ -e "$T/new/.git/CHERRY_PICK_HEAD" ]; do
	subject=$(git -C "$T/new" log -1 --format=%s CHERRY_PICK_HEAD)
	commit=$(git -C "$T/7.3" log --format='%H %s' base..csguest | awk -v s="$subject" 'substr($0, 42) == s { print $1 }')
	if [ -n "$commit" ]; then
		git -C "$T/new" fetch -q "$T/7.3" csguest && git -C "$T/new" read-tree -u --reset "$commit" &&
			git -C "$T/new" cherry-pick --continue >>"$T/merge" 2>&1
	else
		git -C "$T/new" cherry-pick --skip >>"$T/merge" 2>&1
	fi
	[ $((steps = ${steps-0} + 1)) -lt 100 ] || break
done
is "once the conflicts are resolved, the series is that of 7.3" "$(tree_of "$T/7.3")" "$(tree_of "$T/new")"
