#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every recording is damaged in hundreds of seeded places (docs/damage.md): what is wrong stays where the damage is, or
# csguest reports a contradiction there.  SEEDS is how many places of each kind, RECORDINGS lists the recordings, RESULTS
# names a file for the results.
# Takes 900 s.
. "$(dirname "$0")/../e2e/lib.sh"
. "$TOP/tests/locality-lib.sh"
seeds=${SEEDS:-5}
results=${RESULTS:-$T/all}

# plan: one line for each place.
plan() {
	local seed what
	echo none
	for ((seed = 1; seed <= seeds; seed++)); do
		for size in 16 256 4096 65536; do echo "trace drop $size $seed"; done
		echo "trace flip 1 $seed"
		echo "trace flip 1 $((seed + 1000))"
		echo "trace swap 4096 $seed"
		echo "trace stale 4096 $seed"
		for size in 16 4096 65536; do echo "trace lost $size $seed"; done
		for what in tid other cpu time gone start; do echo "lie $what 5 $seed"; done
		echo "lie itrace 1 $seed"
		echo "less lost $((seed % 3 + 2)) $((seed * 20))"
	done
}

: >"$results"
for recording in ${RECORDINGS:-two-guests nvhe smp-guest kaslr kpti protected tiny-guests}; do
	unpack "$recording"
	plan >"$T/plan"
	for variant in "" -ete -bare -user; do
		[ -e "$T/$name/perf$variant.data" ] || continue
		locality "$variant"
		sed "s|^|$name$variant\t|" "$T/out" >>"$results"
		cp "$T/out" "$T/results"
		wrong_beyond "$T/results" >"$T/wrong"
		none "$name$variant: nothing is wrong beyond silent damage" "$T/wrong"
		wrong_at_all "$T/results" >"$T/wrong"
		none "$name$variant: nothing is wrong where a loss is marked, or sideband damaged" "$T/wrong"
		reported "$T/results" >"$T/shares"
		# Without context IDs a contradiction spoils a time slice at least, one of 138 here.
		[ "$variant" = -bare ] || is "$name$variant: at most 1 % lies in reported contradictions" true \
			"$(tail -n 1 "$T/shares" | awk '{ print $1 <= 1 ? "true" : $1 }')"
		is "$name$variant: half of the time at most 0.1 %" true "$(median <"$T/shares" | awk '{ print $1 <= 0.1 ? "true" : $1 }')"
	done
	rm -rf "${T:?}/$name"
done
