#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest script on a recording by Android's simpleperf gives simpleperf's own counts of its loop.
. "$(dirname "$0")/lib.sh"
need_captures simpleperf

capture=$CAPTURES/simpleperf
mkdir -p "$T/root/data/local/tmp"
cp "$capture/etm_test_loop" "$T/root/data/local/tmp"
script() { "$CSGUEST" script -q --symfs "$T/root" -i "$capture/perf_etm.data" "$@"; }

# AutoFDO text: the number of ranges, FIRST-LAST:COUNT each, samples, branches, FROM->TO:COUNT.
grep -E '^[0-9a-f]+-[0-9a-f]+:' "$capture/perf_inject.data" >"$T/ranges"
grep -E '^[0-9a-f]+->[0-9a-f]+:' "$capture/perf_inject.data" | sort >"$T/branches"

ok "the recording is decoded" script
is "into 208 branches" 208 "$(wc -l <"$T/out")"
is "all of the loop" 208 "$(grep -Ec '^ *etm_test_loop +17235 \[007\] host +EL0 ' "$T/out")"

# Where the loop's program lies: from its first instruction, _start at 0x1000.
base=$(grep -m 1 'tr strt' <(script -F flags,addr) | sed -E 's/.*=> *//')
base=$((0x$base - 0x1000))

# The trace ends after the last range, so where its branch went is nowhere; an indirect branch
# has target 0 in simpleperf's text.
script -F ip,addr,flags >"$T/out"
while read -r line; do
	read -r ip addr <<<"$(sed -E 's/.* ([0-9a-f]+) => +([0-9a-f]+)$/\1 \2/' <<<"$line")"
	[ "$ip" = 0 ] && continue
	case $line in *return*) addr=0 ;; esac
	[ "$addr" = 0 ] || addr=$(printf %x $((0x$addr - base)))
	printf '%x->%s\n' $((0x$ip - base)) "$addr"
done <"$T/out" | sort | uniq -c | sed -E 's/ *([0-9]+) (.*)/\2:\1/' | sort >"$T/counted"
grep -v '^10b0->0:1$' "$T/branches" >"$T/wanted"
same "every branch is taken as often as simpleperf counts" "$T/wanted" "$T/counted"

# Every instruction runs as often as the ranges it lies in.
while IFS='-:' read -r first last count; do
	for ((a = 0x$first; a <= 0x$last; a += 4)); do
		for ((i = 0; i < count; i++)); do printf '%x\n' $a; done
	done
done <"$T/ranges" | sort | uniq -c >"$T/wanted"
script --itrace=i1i -F ip >"$T/out"
while read -r ip; do printf '%x\n' $((0x$ip - base)); done <"$T/out" | sort | uniq -c >"$T/counted"
same "every instruction runs as often as simpleperf counts" "$T/wanted" "$T/counted"
