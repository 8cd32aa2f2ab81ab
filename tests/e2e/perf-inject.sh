#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The patched perf where the stock one crashes: guests' own recordings, recordings without an index.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

unpack two-guests
host=$T/two-guests/perf.data
guest=$T/two-guests/guest-136.data

# The AUXTRACE feature (18), of which the index is made, says that it has no entries.
u64() { od -An -tu8 -j"$1" -N8 "$T/no-index" | tr -d ' '; }
cp "$TRACES/vhe-one-guest/perf.data" "$T/no-index"
section=$(($(u64 40) + $(u64 48))) flags=$(u64 72)
for ((feature = 0; feature < 18; feature++)); do section=$((section + (flags >> feature & 1) * 16)); done
head -c 8 /dev/zero | dd of="$T/no-index" bs=1 seek="$(u64 $section)" conv=notrunc 2>"$T/err"

for series in $SERIES; do
	stock() { "$BUILD/perf-$series-stock" "$@"; }
	patched() { "$BUILD/perf-$series" "$@"; }

	ok "$series: perf inject takes a guest's recording" patched inject -f -i "$host" --guest-data="$guest,136,0" -o "$T/injected"
	stock inject -f -i "$host" --guest-data="$guest,136,0" -o "$T/injected-stock" >"$T/out" 2>&1
	is "$series: where the stock perf crashes" 139 $?
	patched script -f -i "$T/injected" --itrace=e --show-task-events --show-switch-events -F comm,pid,tid,cpu,time,machine_pid,vcpu >"$T/events" 2>"$T/err"
	has "$series: events are the guest's" 'VM:136' "$T/events"
	has "$series: of its vCPU" 'VCPU:0' "$T/events"
	rm -rf "$T/injected" "$T/injected-stock"

	stock script -f -i "$T/no-index" >"$T/out" 2>&1
	is "$series: trace without an index crashes the stock perf" 139 $?
	exits 234 "$series: and is refused by the patched one" patched script -f -i "$T/no-index"
	has "$series: with the reason" "without PERF_RECORD_AUX records and an AUXTRACE index" "$T/err"
done
