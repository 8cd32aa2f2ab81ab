#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The bytes that scenarios store are those of their code.
. "$(dirname "$0")/../lib.sh"
version=$(aarch64-linux-gnu-as --version 2>/dev/null | sed -n '1s/.* //p')
[ -n "$version" ] || skip_all "no binutils-aarch64-linux-gnu"
ok "scenarios hold the bytes of their code" "$TOP/tests/scenarios/assemble.sh" --check
cp -r "$TOP/tests/scenarios/base" "$T/base"
sed -i 's/add x0, x0, #1$/add x0, x0, #2/' "$T/base/people"
fails "and other code is noticed" "$TOP/tests/scenarios/assemble.sh" --check "$T/base/people"
