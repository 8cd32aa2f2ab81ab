#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Patched perf ends with an error, not by a signal or never, where a recording says more than its
# file holds, or what cannot be.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

whole=$fixture/perf.data
size=$(stat -c %s "$whole")
# u64 OFFSET: that number of the recording; struct perf_file_header ends with the offset and size of
# the data
u64() { od -A n -t u8 -j "$1" -N 8 "$whole" | tr -d ' '; }
data_begin=$(u64 40)
data_end=$((data_begin + $(u64 48)))
is "the fixture holds what its header tells of" true "$([ "$data_end" -gt 0 ] && [ "$data_end" -le "$size" ] && echo true)"

# run SERIES COMMAND OPTION...: perf upon $T/cut, and how it ended: 0, error, or signal, as which
# counts that it takes too long.
run() {
	timeout 60 "$BUILD/perf-$1" "${@:2}" -f -i "$T/cut" >"$T/out" 2>"$T/err"
	case $? in
	0) ended=0 ;;
	124 | 12[5-9] | 1[3-8][0-9] | 19[0-2]) ended=signal ;;
	*) ended=error ;;
	esac
}

script() { run "$1" script --itrace=i100i; }

# The first record of that type, as the fixture has it: header of TYPE and SIZE.
record() { grep -obUaP "\\x$1\\x00\\x00\\x00\\x00\\x00\\x$2\\x00" "$whole" | head -n 1 | cut -d: -f1; }
# put OFFSET [BYTES]: writes them there, into $T/cut, or a u64 of 16 MB.
put() { printf '%b' "${2-\x00\x00\x00\x01\x00\x00\x00\x00}" | dd of="$T/cut" bs=1 seek="$1" conv=notrunc status=none; }
info=$(record 46 d8) comm=$(record 03 40) aux=$(record 0b 40) trace=$(record 47 30)
# The first name of the PMU mappings, in 64 bytes after their length.
name=$(grep -obUaP '\x40\x00\x00\x00software\x00' "$whole" | cut -d: -f1)
ids=$(u64 "$data_end")
letters() { printf 'A%.0s' $(seq "$1"); }

# lie SERIES SENTENCE OFFSET BYTES: is an error.
lie() {
	cp "$whole" "$T/cut"
	put "$3" "$4"
	script "$1"
	is "$1: $2 is an error" error $ended
}

# survives SENTENCE: that does not end it by a signal.
survives() { is "$1: no signal" true "$([ $ended = signal ] && echo false || echo true)"; }

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
	none "$series: nor does it end by a signal where what comes after them was cut" "$T/offenders"

	cp "$whole" "$T/cut"
	put $((aux + 16))
	put $((trace + 8))
	script "$series"
	is "$series: trace beyond the end of the file is an error" error $ended
	has "$series: that is named" 'AUX area trace at offset .* beyond the end of the file' "$T/err"

	lie "$series" "metadata of more CPUs than there is" $((info + 24)) '\xff\xff\xff\x7f'
	has "$series: that is named" "AUXTRACE_INFO doesn't hold the metadata of all its CPUs" "$T/err"
	lie "$series" "metadata of no CPU" $((info + 24)) '\x00\x00\x00\x00'
	lie "$series" "metadata of more registers than there is" $((info + 56)) '\xf0\xff\xff\x7f'
	lie "$series" "metadata of a CPU that no machine has" $((info + 48)) '\x00\x00\x10\x00'
	has "$series: that is named" 'There is a CPU beyond [0-9]*' "$T/err"
	lie "$series" "a record without a size" $((comm + 6)) '\x00\x00'
	lie "$series" "trace whose end leads back to its begin" $((trace + 8)) '\xd0\xff\xff\xff\xff\xff\xff\xff'

	cp "$whole" "$T/cut"
	put $((trace + 32))
	script "$series"
	survives "$series: trace of a queue that is not there"

	cp "$whole" "$T/cut"
	put $((name + 4)) "$(letters 64)"
	run "$series" report --header-only
	has "$series: a PMU's name without an end is ended" "pmu mappings: $(letters 63) = " "$T/out"
	put "$name" '\x00\x00\x00\x00'
	run "$series" report --header-only
	survives "$series: PMU mappings that cannot be read"

	# The bits of features are 256, of which the first 32 or so have a meaning.
	cp "$whole" "$T/cut"
	put $((72 + 7)) '\x80'
	run "$series" inject -o "$T/injected"
	is "$series: perf inject leaves out a feature that it does not know" 0 $ended
	mv "$T/injected" "$T/cut"
	script "$series"
	is "$series: and what it wrote is read again" 0 $ended

	# The first record of the table of build IDs, which is the first of the features.
	cp "$whole" "$T/cut"
	put $((ids + 5)) '\x80'
	put $((ids + 32)) '\xff'
	script "$series"
	is "$series: a build ID that is longer than there is room for is truncated" 0 $ended
	put $((ids + 6)) '\xff\xff'
	head -c 65536 /dev/zero >>"$T/cut"
	script "$series"
	survives "$series: a name in the table of build IDs that is longer than there is room for"
done
