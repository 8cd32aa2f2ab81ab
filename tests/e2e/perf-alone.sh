#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Without libcsguest the patched perf prints what the stock one of its base prints, guests or not.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

ALONE=
for series in $SERIES; do [ ! -x "$BUILD/perf-$series-alone" ] || ALONE="$ALONE $series"; done
[ -n "$ALONE" ] || skip_all "no perf without libcsguest (make check ONLY=e2e/perf-alone ALONE=1)"
need_captures n1sdp

# both NAME ARGS...: of the stock perf and of the patched one
both() {
	local perf
	for perf in "perf-$series-stock" "perf-$series-alone"; do
		"$BUILD/$perf" --buildid-dir "$T/cache" script -f "${@:2}" >"$T/$perf" 2>"$T/$perf.err"
	done
}
alike() {
	local name=$1
	both "$@"
	same "$series: $name is as the stock perf's" "$T/perf-$series-stock" "$T/perf-$series-alone"
	same "$series: and so are the messages" "$T/perf-$series-stock.err" "$T/perf-$series-alone.err"
}

mkdir "$T/cache" && tar -xf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2" -C "$T/cache"
unpack two-guests
for series in $ALONE; do
	fails "$series: libcsguest is not inside" "$BUILD/perf-$series-alone" check feature libcsguest
	for itrace in b i10i i100il; do
		alike "n1sdp ($itrace)" --itrace="$itrace" -F +flags,+insn -i "$CAPTURES/n1sdp/sort_single_thread/perf.data"
	done
	# The series decodes the end of each AUX record, which stock perf loses where OpenCSD waits
	# there.
	both "a host with guests" --itrace=i7i -F pid,tid,cpu,event,ip --symfs "$T/two-guests/symfs" -i "$T/two-guests/perf.data"
	diff "$T/perf-$series-stock" "$T/perf-$series-alone" >"$T/diff"
	grep '^<' "$T/diff" >"$T/offenders"
	none "$series: of a host with guests nothing is missing that stock perf has" "$T/offenders"
	is "$series: and what is more is little" true "$([ "$(grep -c '^>' "$T/diff")" -lt 100 ] && echo true)"
	same "$series: with the same messages" "$T/perf-$series-stock.err" "$T/perf-$series-alone.err"
done
