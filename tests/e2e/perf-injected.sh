#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Where guests' recordings have been put into the host's by perf inject, at the right time or at a
# wrong one, the patched perf script prints the owners of csguest script, line by line, with the
# same names of threads and symbols.
#
#	EVERY       1: every instruction of every recording that has guests, not of four alone and of one in seven
#	RECORDINGS  the names of those of traces/ that are compared; by default all of them
# Takes 200 s.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"
. "$TOP/tests/perf-owners-lib.sh"

# wrongs FILE TRUTH: how many instructions are said to be of whom they are not.
wrongs() {
	"$SCORE" -q --json --truth "$2" --symfs "$T/$recording/symfs" "$1" |
		jq '.world.wrong + .vm.wrong + .process.wrong + .mismatches'
}

# The times as well, but for those that depend on how far each has looked ahead for what bounds
# them.
same_times() {
	local fields=$fields,time
	"$CSGUEST" script -q --itrace="$itrace" -F $fields "${files[@]}" -i "$data" >"$T/csguest" 2>"$T/err"
	"$BUILD/perf-$series" script -f --itrace="$itrace" -F $fields "${files[@]}" -i "$data" >"$T/perf" 2>"$T/perf.err"
	by_cpu "$T/csguest"
	by_cpu "$T/perf"
	paste -d' ' "$T/csguest.sorted" "$T/perf.sorted" | awk '
		{ n = 0
		  for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) time[n++] = $i + 0
		  apart = n == 2 ? time[0] - time[1] : 1
		  same += !apart
		  if (apart > 0.001 || apart < -0.001) print }
		END { if (NR == 0 || same < 0.99 * NR) print same + 0, "of", NR, "times are the same" }' >"$T/apart"
	none "$series: $recording: and the same time, or one within a millisecond" "$T/apart"
}

# after_injection NAME OFFSET...: the same when the guests' recordings have been put into the
# host's, be it at the wrong time.  The result lies beside it: variants have links to its kcore.
after_injection() {
	local name=$1 from=$data truth=$T/$recording/truth series offset data=$T/$recording/injected itrace=i7i
	local files=(--symfs "$T/$recording/symfs" --guestmount "$T/$recording/guestmount")
	shift
	[ -z "${EVERY-}" ] || itrace=i1i
	[[ $from != */perf-*.data ]] || truth=$truth-$(basename "${from#*/perf-}" .data)
	for series in $OWNERS; do
		for offset; do
			inject_guests "$series" "$recording" "$offset" "$data" "$from"
			is "$series: $name with a $offset offset: nobody is named who was not there" 0 "$(wrongs "$data" "$truth")"
			OWNERS=$series compare "$name with its guests by a $offset offset" "${files[@]}" -- "${files[@]}"
			OWNERS=$series names "$name with its guests by a $offset offset" "${files[@]}"
		done
		[ "$name" != "$recording" ] || [ "$name" = churn ] || same_times
	done
}

# What perf lists at a wrong offset is what csguest lists at the right one, less what it does not
# decode.
at_wrong_offset() {
	local data=$T/$recording/injected series itrace=i1i files=(--symfs "$T/$recording/symfs" --guestmount "$T/$recording/guestmount")
	inject_guests "${OWNERS##* }" "$recording" true "$data"
	"$CSGUEST" script -q --itrace=i1i -F $fields "${files[@]}" -C 1 -i "$data" 2>"$T/err" >"$T/csguest"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		inject_guests "$series" "$recording" false "$data"
		"$BUILD/perf-$series" script -f --itrace=i1i -F $fields "${files[@]}" -C 1 -i "$data" >"$T/perf" 2>"$T/perf.err"
		by_cpu "$T/perf"
		is "$series: $recording with its guests by a false offset: there is user code of them" true \
			"$([ "$(grep -c '^VM:.* [0-9a-f]\{6\}$' "$T/perf.sorted")" -gt 10000 ] && echo true)"
		part "$T/perf.sorted" "$T/csguest.sorted" >"$T/other"
		none "$series: $recording: and nothing that did not run, each of its owner" "$T/other"
	done
}

# Those that after_injection is not done with anyway.  Their times depend more on what bounds them.
after_each_injection() {
	local data
	compgen -G "$T/$recording/guest-*.data" >/dev/null || return 0
	for data in "$T/$recording"/perf*.data; do
		[ -e "$data" ] || continue
		case $recording/$(basename "$data") in
		two-guests/perf.data | two-guests/perf-unnamed.data | smp-guest/perf.data) ;;
		# perf inject takes one offset for a guest.
		nested-linux/*) ;;
		# At a false one times of code that changes are wrong: at_wrong_offset().
		churn/*) after_injection "$recording/$(basename "$data")" true ;;
		*) after_injection "$recording/$(basename "$data")" true false ;;
		esac
	done
}

# The guests' recordings have lost most of their switches: between those that are left nobody is
# named.
after_loss() {
	local guest
	for guest in "$T/$recording"/guest-*.data; do
		ok "$recording: switches of a guest are lost" "$BUILD/tools/less" lost "$guest" 6 10
	done
	after_injection "$recording of lossy guests" true
}

for recording in $RECORDINGS; do
	unpack "$recording"
	[ -z "${EVERY-}" ] || after_each_injection
	data=$T/$recording/perf.data
	usual_itrace
	case $recording in
	two-guests) after_injection "$recording" true false ;;
	smp-guest)
		after_injection "$recording" true false
		after_loss
		;;
	churn)
		after_injection "$recording" true
		at_wrong_offset
		;;
	# The offsets are to be known before guests' records are believed.
	nvhe) after_injection nvhe/perf.data false ;;
	esac
	rm -rf "${T:?}/$recording"
done
