#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Emulated recordings whose sideband contradicts itself: nobody is named who was not there, what
# contradicts is listed with its time, and all else is as it was. Takes 40 s.
. "$(dirname "$0")/lib.sh"
need jq
lie=$BUILD/tools/lie

# score: of $data, with the guests' recordings in $guests, as JSON in $T/out.
score() {
	"$SCORE" -q --json --truth "$T/$name/truth$variant" "${files[@]}" "${guests[@]}" "$data"
}

# has_known SENTENCE SHARE: no owner is wrong, and at least SHARE percent of what was known before
# ($all) is.
has_known() {
	ok "$name$variant, $1: is decoded" score
	is "$name$variant, $1: nobody is named who was not there" 0 \
		"$(jq '.world.wrong + .vm.wrong + .process.wrong + .mismatches + .wrong_gaps' "$T/out")"
	is "$name$variant, $1: $2 % of the known processes are known" true \
		"$(jq --argjson all "$all" ".process.right * 100 >= \$all * $2" "$T/out")"
}

# lists SENTENCE TEXT
lists() {
	"$CSGUEST" report --by world "${files[@]}" "${guests[@]}" "$data" >/dev/null 2>"$T/err"
	has "$name$variant, $1" "$2" "$T/err"
}

# lied WHAT N: a copy of the recording with lies in the host's sideband is $data.
lied() {
	data=$T/$name/lied.data
	rm -rf "$data"
	cp -a "$T/$name/perf$variant.data" "$data"
	[ "$1" != add ] || "$lie" "$data/data" gone "$2" 1 >/dev/null
	ok "$name$variant, $1: $2 records are made to lie" "$lie" "$data/data" "$1" "$2" 1
}

# one SHARE: how much is left where one ITRACE_START is of the wrong thread.
one() {
	data=$T/$name/perf$variant.data
	ok "$name$variant is decoded" score
	all=$(jq .process.right "$T/out")
	"$CSGUEST" report --by world "${files[@]}" "${guests[@]}" "$data" >/dev/null 2>"$T/err"
	hasnt "$name$variant as it is has no contradiction" "contradiction" "$T/err"
	lied itrace 1
	has_known "an ITRACE_START of another thread" "$1"
	lists "it is listed" '^csguest: contradiction \(switch records\), CPU [01], at [0-9.]+( to [0-9.]+)?: thread 99999 writes a record; by'
	# Few of them lie in the time of the trace.
	for what in tid other cpu time gone start add; do
		lied "$what" 20
		has_known "$what" 50
		lists "$what is listed" "^csguest: contradiction \(switch records\), CPU"
	done
	lied tid 600
	has_known "hundreds of lies" 0
}

# guest VM SHARE: the same of a guest's records.
guest() {
	local vm=$1 saved=("${guests[@]}") what
	data=$T/$name/perf$variant.data
	for what in tid cpu time gone; do
		cp "$T/$name/guest-$vm.data" "$T/guest.data"
		ok "$name$variant, guest: 5 records are made to lie: $what" "$lie" "$T/guest.data" "$what" 5 1
		guests=("${saved[@]/perf=$T\/$name\/guest-$vm.data/perf=$T\/guest.data}")
		has_known "guest's $what" "$2"
		lists "guest's $what is listed" "^csguest: contradiction \(switch records\), VM $vm, CPU"
	done
	guests=("${saved[@]}")
}

for name in two-guests nvhe; do
	mkdir "$T/$name"
	ok "$name unpacks" tar --zstd -C "$T/$name" -xf "$TRACES/$name/$name.tar.zst"
	files=(--symfs "$T/$name/symfs" --buildid-dir "$T/$name/buildid" --guestmount "$T/$name/guestmount")
	guests=()
	for file in "$T/$name"/guest-*.data; do
		guests+=(--guest "${file##*-},pid=$(basename "${file##*-}" .data),perf=$file")
	done
	variant=
	case $name in
	two-guests)
		one 100
		guest 136 99
		;;
	nvhe)
		one 98
		guest 140 98
		;;
	esac
	rm -rf "${T:?}/$name"
done
