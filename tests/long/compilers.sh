#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The whole tree builds without a warning, with each compiler there is and with the options that distributions use.
# COMPILERS lists the compilers; those that are not installed are skipped.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

levels=(
	'-O0 -g -U_FORTIFY_SOURCE'
	'-O1 -g'
	'-O2 -g'
	'-O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3'
	'-O3 -g -flto=auto'
)

for cc in ${COMPILERS:-gcc-12 gcc-14 clang-14 clang-19}; do
	if ! command -v "$cc" >/dev/null; then
		skip "no $cc"
		continue
	fi
	for level in "${levels[@]}"; do
		[[ $cc != clang* ]] || level=${level/-flto=auto/-flto}
		rm -rf "$T/build"
		ar=ar
		[[ $level != *-flto* ]] || case $cc in gcc*) ar=gcc-ar${cc#gcc} ;; clang*) ar=llvm-ar${cc#clang} ;; esac
		ok "$cc $level builds all" make -s -j2 SETUP=: B="$T/build" CC="$cc" AR="$ar" OPT="$level" WERROR=1 all
		hasnt "$cc $level: nor does the linker warn" 'warning: .*\[-W' "$T/err"
		ok "$cc $level: the command runs" "$T/build/csguest" --version
	done
done
