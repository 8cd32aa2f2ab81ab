#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/tree.sh SERIES DIR
#
# Makes DIR a git repository with the base of SERIES, tagged base, and on the branch csguest a commit
# for each patch: to work on them.  generate.sh writes them back.

. "$(dirname "$0")/lib.sh"
[ $# -eq 2 ] || {
	sed -n '4,7s/^# \{0,1\}//p' "$0"
	exit 2
}
choose "$1"
[ ! -e "$2" ] || die "$2 exists"
base_into "$2"
cd "$2" || exit 1
lone_git init -q -b csguest .
lone_git config user.name csguest
lone_git config user.email csguest@localhost
lone_git add -Af .
lone_git commit -q -m "Linux $RELEASE: tools/perf"
lone_git tag base
# shellcheck disable=SC2046
lone_git am -q $(patches)
lone_git log --oneline base..
