#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The patched perf prints what the stock one of its base prints where no guest ran.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"
need_captures n1sdp

data=$CAPTURES/n1sdp/sort_single_thread/perf.data
mkdir "$T/cache" && tar -xf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2" -C "$T/cache"
for series in $SERIES; do
	modes=(b i1i i10ib i100il i1000i Zb cr)
	[ "$series" = 6.12 ] || modes+=(i100ig)
	for itrace in "${modes[@]}"; do
		for perf in "perf-$series-stock" "perf-$series"; do
			"$BUILD/$perf" --buildid-dir "$T/cache" script -f -i "$data" --itrace="$itrace" -F +flags,+insn >"$T/$perf" 2>"$T/$perf.err"
		done
		same "$series: --itrace=$itrace is as the stock perf's" "$T/perf-$series-stock" "$T/perf-$series"
		same "$series: and so are its messages" "$T/perf-$series-stock.err" "$T/perf-$series.err"
	done
	for perf in "perf-$series-stock" "perf-$series"; do
		"$BUILD/$perf" --buildid-dir "$T/cache" report -f -i "$data" --itrace=i10i --stdio >"$T/$perf" 2>"$T/$perf.err"
	done
	same "$series: perf report as well" "$T/perf-$series-stock" "$T/perf-$series"
done
