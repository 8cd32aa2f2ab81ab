#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every emulated recording with less in it: without switch records, timestamps, half of the trace,
# symbols, or guests' recordings.  No owner is wrong, no more is known than with it, and the summary
# says what would help. Takes 12 s.
. "$(dirname "$0")/lib.sh"
need jq
less=$BUILD/tools/less

# score OPTION...: of $data, with the files that are left, as JSON in $T/out.
score() {
	"$SCORE" -q --json --truth "$truth" "$@" "${files[@]}" "$data"
}

# known: worlds, VMs, processes that are known, and what is decoded.
known() {
	jq -c '[.world.right, .vm.right, .process.right, .decoded]' "$T/out"
}

# keeps WHAT EXPECTED OPTION...: EXPECTED, fewer or same, is what is left of what was known ($all).
keeps() {
	local what=$1 expected=$2
	ok "$name$variant $what is decoded" score "${@:3}"
	is "$name$variant $what: nobody is named who was not there, nothing decoded that did not run" 0 \
		"$(jq '.world.wrong + .vm.wrong + .process.wrong + .mismatches + .wrong_gaps' "$T/out")"
	is "$name$variant $what: $expected is known" "$expected" \
		"$(jq -nr --argjson a "$all" --argjson b "$(known)" '
			if $a == $b then "the same" elif [$a, $b] | transpose | all(.[0] >= .[1]) then "less" else "more" end')"
}

# helps TEXT OPTION...: the summary has this remedy.
helps() {
	"$CSGUEST" report --engine=fast --by world "${@:2}" "${files[@]}" "$data" >/dev/null 2>"$T/err"
	has "$name$variant: and what would help" "$1" "$T/err"
}

# without WHAT: the recording without it is $data.
without() {
	data=$T/$name/less.data
	rm -rf "$data"
	cp -a "$T/$name/perf$variant.data" "$data"
	[ "$1" = symbols ] || ok "$name$variant has $1" "$less" "$1" "$data/data" $([ "$1" != timestamps ] || echo "$data")
}

# expected WHAT: whether this recording tells less without.  Switches tell the host's idle threads,
# which user code has none of. That the host runs under protected KVM the HVC that runs vCPUs shows,
# by its symbol, with timestamps or without.
expected() {
	case $1/$name$variant in
	# In windows the idle threads, which only switch records can tell, are unknown with them as
	# well.
	switches/nested-linux-windows) echo "the same" ;;
	timestamps/nested-linux-noid) echo less ;;
	# Where no time tells, guests' switches are counted, which divides their kernels' code more
	# finely. Nor do timestamps show then where trace may be lost.
	timestamps/two-guests-ete | timestamps/two-guests-bare | timestamps/nested-linux*) echo more ;;
	timestamps/tiny-guests | timestamps/nested | timestamps/nested-* | timestamps/protected) echo "the same" ;;
	*) echo less ;;
	esac
}

one() {
	local guests=() file all files=(--symfs "$T/$name/symfs" --buildid-dir "$T/$name/buildid" --guestmount "$T/$name/guestmount")
	for file in "$T/$name"/guest-*.data; do
		[ -e "$file" ] || continue
		guests+=(--guest "${file##*-},pid=$(basename "${file##*-}" .data),perf=$file")
	done
	ok "$name$variant is decoded" score "${guests[@]}"
	all=$(known)

	without switches
	keeps "without switch records" "$(expected switches)" "${guests[@]}"
	# In churn and two-guests-user context IDs name all threads without: what is less is what is
	# decoded, and what guests' timestamps say that may be too low.
	[[ $(expected switches)/$name$variant = less/@(churn|two-guests-user) ]] || [ "$(expected switches)" = "the same" ] ||
		helps "remedy: .*--switch-events" "${guests[@]}"

	without timestamps
	keeps "without timestamps" "$(expected timestamps)" "${guests[@]}"
	[ "$(expected timestamps)" = "the same" ] || helps "^csguest: all timestamps of the trace are 0" "${guests[@]}"

	without trace
	keeps "with half of the trace" less "${guests[@]}"
	helps "remedy: record with a larger one \(-m ,64M\)" "${guests[@]}"

	data=$T/$name/perf$variant.data
	if [ ${#guests[@]} -gt 2 ] && [ "$name" != protected ]; then
		keeps "without one guest's recording" less "${guests[@]:2}"
		keeps "without guests' recordings" less
		helps "remedy: in each guest, meanwhile: csguest collect"
	fi

	without symbols
	rm -rf "$data"/kcore_dir*
	files=(--buildid-dir "$T/none")
	keeps "without symbols" less "${guests[@]}"
	helps "remedy: record with perf record --kcore" "${guests[@]}"
	rm -rf "$data"
}

for packed in "$TRACES"/*/*.tar.zst; do
	name=$(basename "$packed" .tar.zst)
	mkdir "$T/$name"
	ok "$name unpacks" tar --zstd -C "$T/$name" -xf "$packed"
	for recorded in "$T/$name"/perf*.data; do
		[ -e "$recorded" ] || continue
		variant=$(basename "$recorded" .data) variant=${variant#perf}
		truth=$T/$name/truth$variant data=$recorded
		one
	done
	rm -rf "${T:?}/$name"
done
