#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every series of perf-patches/ of which there is a base applies to it and builds.
. "$(dirname "$0")/lib.sh"

for series in ${PERF_BASE:-$(cd "$TOP/perf-patches" && echo [0-9]*)}; do
	kept=$BUILD/perf-build/$series
	release=$(awk -v series="$series" '$1 == series { print $2 }' "$TOP/perf-patches/bases")
	case $(cat "$kept.status" 2>/dev/null) in
	0)
		ok "$series: perf is built with the patches" "$BUILD/perf-$series" version
		ok "$series: and runs with libcsguest" "$BUILD/perf-$series" check feature -q libcsguest
		ok "$series: and is built without the patches" "$BUILD/perf-$series-stock" version
		;;
	3) skip "no base of the $series series: make check ONLY=e2e/perf PERF_BASE=$series KERNEL_SRC=DIR, with the sources of Linux $release in DIR" ;;
	'') skip "no perf of the $series series: make check ONLY=e2e/perf PERF_BASE=$series" ;;
	*) fail "$series: the series applies to the base and builds" "$kept.said" ;;
	esac
done
