#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# README's `make check` passes on a bare Debian 13, which has a newer compiler and a newer OpenCSD.
# Needs root and Debian's mirrors. Takes 2400 s.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
[ "$(id -u)" -eq 0 ] || skip_all "only root can make a bare root"

root=$T/root
ok "a bare root of Debian 13 is made" .ci/root make trixie "$root" git make ca-certificates || exit 1
trap '.ci/root remove "$root"; finish' EXIT
ok "it holds a clone of HEAD" .ci/root clone "$root" || exit 1
if .ci/root enter "$root" make -C csguest check WERROR=1 >"$T/out" 2>&1 </dev/null; then
	pass "make check passes in it"
else
	grep -E '^(FAILED|make)|error:' "$T/out" >"$T/why"
	fail "make check passes in it" "$T/why"
fi
has "it ran the tests" '^[1-9][0-9]{3,} passed, 0 failed, [0-9]+ skipped$' "$T/out"
sed -n '/^skipped:$/,$s/^/    /p' "$T/out"
