#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Patched perf ends with an error, not by a signal, where a recording says more than its file holds.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

whole=$fixture/perf.data
size=$(stat -c %s "$whole")
# u64 OFFSET: that number of the recording; struct perf_file_header ends with the offset and size of the data
u64() { od -A n -t u8 -j "$1" -N 8 "$whole" | tr -d ' '; }
data_begin=$(u64 40)
data_end=$((data_begin + $(u64 48)))
is "the fixture holds what its header tells of" true "$([ "$data_end" -gt 0 ] && [ "$data_end" -le "$size" ] && echo true)"

# script SERIES: perf script of $T/cut, and how it ended: 0, error, or signal, as which counts that it takes too long.
script() {
	timeout 60 "$BUILD/perf-$1" script -f --itrace=i100i -i "$T/cut" >"$T/out" 2>"$T/err"
	case $? in
	0) ended=0 ;;
	124 | 12[5-9] | 1[3-8][0-9] | 19[0-2]) ended=signal ;;
	*) ended=error ;;
	esac
}

# The first record of that type, as the fixture has it: header of TYPE and SIZE.
record() { grep -obUaP "\\x$1\\x00\\x00\\x00\\x00\\x00\\x$2\\x00" "$whole" | head -n 1 | cut -d: -f1; }
# put OFFSET: writes a u64 of 16 MB there, into $T/cut.
put() { printf '\x00\x00\x00\x01\x00\x00\x00\x00' | dd of="$T/cut" bs=1 seek="$1" conv=notrunc status=none; }

for series in $SERIES; do
	cp "$whole" "$T/cut"
	script "$series"
	is "$series: the whole file is decoded" 0 $ended
	: >"$T/offenders"
	for bytes in $(seq 400 700 $((data_end - 1))) $((data_end - 1)); do
		head -c "$bytes" "$whole" >"$T/cut"
		script "$series"
		[ $ended = error ] || echo "$bytes of $size bytes: $ended" >>"$T/offenders"
		[ "$bytes" -lt "$data_begin" ] || grep -q 'is cut short' "$T/err" || echo "$bytes of $size bytes: without a word" >>"$T/offenders"
	done
	none "$series: a file that was cut short is refused, wherever in its data it was cut" "$T/offenders"
	for bytes in $(seq "$data_end" 150 "$size"); do
		head -c "$bytes" "$whole" >"$T/cut"
		script "$series"
		[ $ended != signal ] || echo "$bytes of $size bytes" >>"$T/offenders"
	done
	none "$series: nor does it end by a signal where what comes behind them was cut" "$T/offenders"

	cp "$whole" "$T/cut"
	put $(($(record 0b 40) + 16))
	put $(($(record 47 30) + 8))
	script "$series"
	is "$series: trace beyond the end of the file is an error" error $ended
	has "$series: that is named" 'AUX area trace at offset .* beyond the end of the file' "$T/err"
done
