#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/all.sh --stock|--tests SERIES...
#
# For the tests: runs build.sh for each SERIES, side by side, with the same environment, and always succeeds.  Leaves in
# build/perf-build/ SERIES.status, the exit status of build.sh (0: built; 3: there is no base of it), and SERIES.said, its
# messages.  What was not built now is removed, so that no test runs an older one.
set -u
B=${B:-build}
mkdir -p "$B/perf-build"

build() {
	local kept=$B/perf-build/$2
	echo unfinished >"$kept.status"
	"$(dirname "$0")/build.sh" "$1" "$2" 2>&1 | tee "$kept.said" >&2
	echo "${PIPESTATUS[0]}" >"$kept.status"
	[ "$(<"$kept.status")" = 0 ] || rm -f "$B/perf-$2" "$B/perf-$2-stock" "$B/perf-$2-alone"
}

mode=$1
shift
for series; do build "$mode" "$series" & done
wait
