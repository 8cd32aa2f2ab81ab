#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# 240 seeded recordings of windows of every set-up (see tests/e2e/windows.sh): nobody is named who
# was not there.  RECORDINGS lists those of which they are made, RESULTS names a file for what is
# known of each. Takes 900 s.
. "$(dirname "$0")/../e2e/lib.sh"
. "$TOP/tests/windows-lib.sh"
need jq

# In the order of the seeds: instructions of a window, of which one in this many is traced, and how.
lengths=(256 1024 4096 16384)
shares=(2 5 20 50)
forms=("" "--time" "--paused" "--paused --time --stack" "--stack" "--no-ids" "--no-ids --time" "--no-ids --paused --stack")
seed=0

one() {
	local variant=$1 window=${lengths[seed % 4]} form=${forms[seed / 4 % 8]} share=${shares[(seed + seed / 4) % 4]} what options
	read -ra options <<<"$form"
	# A recording of some milliseconds has to hold a few windows.
	while [ $((window * share)) -gt 400000 ]; do share=$((share / 2)); done
	what="seed $seed: $name$variant, one in $share in windows of $window${form:+ ($form)}"
	make_windows "$variant" "$seed" "$window" $((window * share)) "${options[@]}"
	score
	is "$what: nothing is decoded that did not run" 0 "$(jq .mismatched "$T/out")"
	check_exits 2000 # timestamps are 1 us apart
	seed=$((seed + 1))
}

for recording in ${RECORDINGS:-two-guests smp-guest kaslr kpti nvhe protected}; do
	unpack $recording
	for variant in "" -ete -bare; do
		[ -e "$T/$name/perf$variant.data" ] || continue
		for ((i = 0; i < 30; i++)); do one "$variant"; done
	done
	rm -rf "${T:?}/$name"
done
[ -n "${RECORDINGS-}" ] || is "all recordings were made" 240 "$seed"

one_hundred() {
	unpack "$1"
	check_shares "$(seq 100)" "${@:2}"
	rm -rf "${T:?}/$1"
}
if [ -z "${RECORDINGS-}" ]; then
	one_hundred two-guests 256 2560 --time
	one_hundred two-guests 1024 10240 --time
	one_hundred two-guests 2048 4096 --time
	one_hundred two-guests 1024 10240 --paused --time
	one_hundred smp-guest 1024 5120 --time
	one_hundred kaslr 1024 5120 --time
fi
