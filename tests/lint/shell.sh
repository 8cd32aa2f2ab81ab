#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Shell scripts parse, are executable, and tests go through the helpers.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

for file in .ci/* tests/*.sh tests/*/*.sh; do
	bash -n "$file" 2>&1
done >"$T/offenders"
none "every script parses" "$T/offenders"

for file in tests/e2e/*.sh tests/lint/*.sh; do
	[ "${file##*/}" = lib.sh ] && continue
	[ -x "$file" ] || echo "$file: not executable, so it never runs"
	grep -q '^\. .*lib\.sh' "$file" || echo "$file: does not use lib.sh"
done >"$T/offenders"
none "every shell test is executable and uses lib.sh" "$T/offenders"

# Of the set-up perf's own build has python3-dev; the Python package has a test in Python, and is
# installed by copying.
grep -nE '\bpython|\bperl\b' .ci/* tests/*.sh tests/e2e/*.sh Makefile |
	grep -v -e '^\.ci/setup:[0-9]*:	python3\(-dev\)\? ' -e '^tests/e2e/python\.sh:' -e '^Makefile:.* install .*python/csguest' >"$T/offenders"
none "set-up and tests run without Python and Perl, but the test of the Python package" "$T/offenders"
