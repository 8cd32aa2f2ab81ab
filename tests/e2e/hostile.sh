#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Recordings cut at every byte, and mutated ones: no crash, no hang, bounded memory, a message, and
# everything before the damage decoded.  HOSTILE=10000 (make fuzz) tries that many mutations.
# Takes 40 s.
. "$(dirname "$0")/lib.sh"

hostile=$BUILD/tools/hostile fast=$BUILD/tools/hostile-fast
count=${HOSTILE:-200} seed=${HOSTILE_SEED:-1}
use_fixture
images=("vmlinux=$fixture/host/vmlinux" "guest=$fixture/guest/vmlinux" "symfs=$T/sys")

# Every byte without the sanitizers, every 61st with them.
ok "cut at every byte, what lies before is decoded" "$fast" cut 1 "$fixture/perf.data" "${images[@]}"
ok "so it is under the sanitizers" "$hostile" cut 61 "$fixture/perf.data" "${images[@]}"
ok "$count mutations of the bundled fixture" "$hostile" mutate "$count" "$seed" "$fixture/perf.data" "${images[@]}"

if [ ! -d "$CAPTURES" ]; then
	no_captures
	exit
fi
mkdir "$T/buildid"
tar xjf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2" -C "$T/buildid"
for file in "$CAPTURES"/n1sdp/sort_single_thread/perf.data "$CAPTURES"/simpleperf/*.data; do
	ok "$count mutations of ${file#"$CAPTURES"/}" "$hostile" mutate "$count" "$seed" "$file" "buildid=$T/buildid"
done
for file in "$CAPTURES"/opencsd/snapshots*/*/; do
	# The benchmark trace takes seconds each time under the sanitizers.
	n=$count
	[ "$(du -sk "$file" | cut -f1)" -lt 1024 ] || n=$((count / 20))
	ok "$n mutations of ${file#"$CAPTURES"/}" "$hostile" mutate "$n" "$seed" "${file%/}"
done
