#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every recording is damaged in hundreds of seeded places (docs/damage.md): what is wrong stays
# where the damage is, or csguest reports a contradiction there.  SEEDS is how many places of each
# kind, RECORDINGS lists the recordings, RESULTS names a file for the results. Takes 900 s.
. "$(dirname "$0")/../e2e/lib.sh"
. "$TOP/tests/locality-lib.sh"
seeds=${SEEDS:-5}
results=${RESULTS:-$T/all}

# plan: one line for each place.
plan() {
	local seed what size
	echo none
	for ((seed = 1; seed <= seeds; seed++)); do
		for size in 16 256 4096 65536; do echo "trace drop $size $seed"; done
		echo "trace flip 1 $seed"
		echo "trace flip 1 $((seed + 1000))"
		echo "trace swap 4096 $seed"
		echo "trace stale 4096 $seed"
		for size in 16 4096 65536; do echo "trace lost $size $seed"; done
		for what in tid other cpu time gone start; do echo "lie $what 1 $seed"; done
		echo "lie itrace 1 $seed"
		echo "less lost $((seed % 3 + 2)) $((seed * 20))"
		for what in whole skipped; do echo "lie $what 1 $seed"; done
		echo "lie late $((seed * 1000)) $seed"
	done
}

# check VARIANT MOST MEDIAN: the same of it; at most this many percent lie in reported
# contradictions, in half of the places.
check() {
	locality "$1"
	sed "s|^|$name$1\t|" "$T/out" >>"$results"
	cp "$T/out" "$T/results"
	wrong_beyond "$T/results" >"$T/wrong"
	none "$name$1: nothing is wrong beyond silent damage" "$T/wrong"
	wrong_at_all "$T/results" >"$T/wrong"
	none "$name$1: nothing is wrong where a loss is marked, or sideband damaged" "$T/wrong"
	reported "$T/results" >"$T/shares"
	is "$name$1: at most $2 % lies in reported contradictions" true \
		"$(tail -n 1 "$T/shares" | awk -v most="$2" '{ print $1 <= most ? "true" : $1 }')"
	is "$name$1: half of the time at most $3 %" true \
		"$(median <"$T/shares" | awk -v most="$3" '{ print $1 <= most ? "true" : $1 }')"
}

: >"$results"
for recording in ${RECORDINGS:-two-guests nvhe smp-guest kaslr kpti protected tiny-guests nested}; do
	unpack "$recording"
	plan >"$T/plan"
	for variant in "" -ete -bare -user; do
		[ -e "$T/$name/perf$variant.data" ] || continue
		# A contradiction between records costs what lies between those of the time slice:
		# the largest slice of two-guests-bare is 5.2 % of it.
		most=1 median=0.1
		case $name$variant in two-guests-bare | nvhe | protected) most=2 ;; esac
		check "$variant" "$most" "$median"
		# Of the programs of tiny-guests tests/tools/windows has no code.
		case $name in tiny-guests) continue ;; esac
		synchronise "$variant"
		check "$variant-sync" "$most" "$median"
	done
	rm -rf "${T:?}/$name"
done
