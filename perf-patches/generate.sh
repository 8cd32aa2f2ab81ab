#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/generate.sh SERIES DIR [OUT]
#
# Writes perf-patches/SERIES/*.patch (or OUT/*.patch) from the commits base..csguest of the repository in DIR, which
# tree.sh has made, with perf-patches/cover as the cover letter.  The patches are never edited by hand.

. "$(dirname "$0")/lib.sh"
[ $# -eq 2 ] || [ $# -eq 3 ] || {
	sed -n '4,7s/^# \{0,1\}//p' "$0"
	exit 2
}
choose "$1"
git -C "$2" rev-list -n 1 base..csguest >/dev/null || die "$2 has no branch csguest upon a tag base (see tree.sh)"
out=${3:-$HERE/$SERIES}
mkdir -p "$out"
rm -f "$out"/*.patch
# The cover letter's first paragraph is its subject.
git -C "$2" -c branch.csguest.description="$(sed '/^# SPDX/d' "$HERE/cover")" -c format.useAutoBase=false \
	-c diff.algorithm=default -c user.name=csguest -c user.email=csguest@localhost \
	format-patch -q --cover-letter --cover-from-description=subject --zero-commit --no-signature --numbered \
	--add-header='SPDX-License-Identifier: GPL-2.0' --subject-prefix="PATCH $SERIES" -o "$out" base..csguest || exit 1
# A date of the day would differ each time.
sed -i "/^Date: /s/.*/Date: $(git -C "$2" log -1 --format=%aD csguest)/" "$out"/0000-*.patch
ls "$out"
