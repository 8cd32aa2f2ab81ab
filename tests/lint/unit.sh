#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every source file of the library and of the oracle has its unit test; the command has end-to-end
# tests.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
shopt -s globstar

for file in decoder/**/*.c command/*/*.c tests/score/*.c; do
	case $file in command/cli/* | tests/score/main.c) continue ;; esac
	case $file in
	tests/*) test=tests/unit/${file#tests/} ;;
	*) test=tests/unit/${file#*/} ;;
	esac
	[ -f "$test" ] || echo "$file: no $test"
done >"$T/offenders"
none "every source file has a unit test of its name" "$T/offenders"

for file in tests/unit/*/**/*.c; do
	name=${file#tests/unit/} name=${name%.c} room=${name%/*}
	grep -q "^CSG_SUITE(${room//\//_}, ${name##*/}," "$file" || echo "$file: its suite has another name"
done >"$T/offenders"
none "every unit test file holds the suite of its name" "$T/offenders"

# A test function that is not in its suite never runs; the compiler says so (-Wunused-function).
for file in command/cli/*.c; do
	[ -f "$file" ] || continue
	command=${file##*/} command=${command%.c}
	grep -q "^int csg_cmd_$command(" "$file" || continue
	grep -lqE "CSGUEST(_SAN)?\"? $command\b" tests/e2e/*.sh || echo "$file: no test in tests/e2e"
done >"$T/offenders"
none "every sub-command has an end-to-end test" "$T/offenders"
