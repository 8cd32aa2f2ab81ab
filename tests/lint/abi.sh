#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The ABI of the library is that of its baseline, tests/abi/libcsguest.abi, which `make abi` renews.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
command -v abidiff >/dev/null || skip_all "no abidiff (package abigail-tools)"
[ "$(uname -m)" = x86_64 ] || skip_all "the baseline is that of x86-64"

baseline=tests/abi/libcsguest.abi
# compare SENTENCE REMEDY OPTION...: abidiff with these options reports no change.
compare() {
	abidiff --non-reachable-types "${@:3}" $baseline "$T/abi" >"$T/changes" 2>&1
	local rc=$?
	[ $rc -eq 0 ] && pass "$1" && return 0
	echo "abidiff ended with $rc.  $2" >"$T/why"
	fail "$1" "$T/why" "$T/changes"
	return 1
}
ok "the headers' ABI is written" tests/abi/dump.sh "$T/abi"
compare "functions and types are those of the baseline" \
	"Only a new SONAME, a new type, a sized struct that grows at its end or a new value of an enum justify \`make abi\`." --no-added-syms &&
	compare "new functions are in the baseline" "\`make abi\` adds them."
