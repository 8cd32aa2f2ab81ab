#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The scan's own packet reader cuts the trace of every capture into the packets that OpenCSD cuts
# it into, and reads the same from them.
. "$(dirname "$0")/lib.sh"
READER=$BUILD/tools/reader
[ -x "$READER" ] || skip_all "$READER is not built"

# equal RECORDING: all packets of all its sources, of which there are some.
equal() {
	ok "packets of $(basename "$(dirname "$1")")/$(basename "$1")" "$READER" "$1" &&
		has "there are some" ': [1-9][0-9]* packets' "$T/out"
}

for recording in "$TRACES"/*/perf.data; do
	equal "$recording"
done
need_captures
for recording in "$CAPTURES"/opencsd/snapshots*/* "$CAPTURES"/n1sdp/*/perf.data \
	"$CAPTURES"/simpleperf/perf_etm.data; do
	[ ! -e "$recording" ] || equal "$recording"
done
