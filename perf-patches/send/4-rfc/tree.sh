#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/send/4-rfc/tree.sh [--write] DIR
#
# Makes DIR a git repository with the base of this series, tools/perf of Linux 7.3, tagged base, and on the branch rfc
# a commit for each patch.  --write writes the commits base..rfc of DIR back as patches, with the cover letter in the
# file cover.  The exit status is 3 where there is no base.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../lib.sh"
write=
[ "${1-}" != --write ] || { write=yes && shift; }
[ $# -eq 1 ] || {
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 2
}
choose 7.3

if [ -n "$write" ]; then
	git -C "$1" rev-list -n 1 base..rfc >/dev/null || die "$1 has no branch rfc upon a tag base"
	rm -f "$here"/*.patch
	# The cover letter's first paragraph is its subject.
	git -C "$1" -c branch.rfc.description="$(sed '/^# SPDX/d' "$here/cover")" -c format.useAutoBase=false \
		-c diff.algorithm=default -c user.name=csguest -c user.email=csguest@localhost \
		format-patch -q --cover-letter --cover-from-description=subject --zero-commit --no-signature --numbered \
		--add-header='SPDX-License-Identifier: GPL-2.0' --subject-prefix='RFC PATCH' -o "$here" base..rfc || exit 1
	# A date of the day would differ each time.
	sed -i "/^Date: /s/.*/Date: $(git -C "$1" log -1 --format=%aD rfc)/" "$here"/0000-*.patch
	ls "$here"
	exit
fi

[ ! -e "$1" ] || die "$1 exists"
base_into "$1"
cd "$1" || exit 1
lone_git init -q -b rfc .
lone_git config user.name csguest
lone_git config user.email csguest@localhost
lone_git add -Af .
lone_git commit -q -m "Linux $RELEASE: tools/perf"
lone_git tag base
# shellcheck disable=SC2046
lone_git am -q $(ls "$here"/[0-9]*.patch | grep -v '/0000-') || die "the patches do not apply"
lone_git log --oneline base..
