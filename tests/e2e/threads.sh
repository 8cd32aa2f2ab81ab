#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Several threads (--jobs) give what one gives.  That elements are equal one by one is tested in
# engines.sh, that the thread sanitizer finds nothing in long/threads.sh. Takes 8 s.
. "$(dirname "$0")/lib.sh"

use_fixture
recording=$T/rec
mkdir "$recording"
tar --zstd -C "$recording" -xf "$TRACES/tiny-guests/tiny-guests.tar.zst"
images=(--symfs "$recording/symfs" --buildid-dir "$recording/buildid")

exits 2 "no thread at all is refused" "$CSGUEST" report -j 0 "$fixture/perf.data"
exits 2 "a thousand are refused" "$CSGUEST" report -j 1000 "$fixture/perf.data"

# with JOBS COMMAND...: its output, messages too
with() { "$CSGUEST" "${@:2}" --engine=fast -j "$1" "${images[@]}" "$recording/perf.data" 2>&1; }
for command in "report --by world,vm,vcpu,process,symbol" "script" "dump" "info" "timeline" \
	"explain --cpu 0 3000" "exits"; do
	# shellcheck disable=SC2086
	with 1 $command >"$T/one"
	for jobs in 2 3 8; do
		# shellcheck disable=SC2086
		with $jobs $command >"$T/several"
		same "csguest $command with $jobs threads" "$T/one" "$T/several"
	done
done
"$CSGUEST" report --engine=fast "${files[@]}" "$fixture/perf.data" >"$T/one" 2>&1
"$CSGUEST" report -j 4 "${files[@]}" "$fixture/perf.data" >"$T/several" 2>&1
same "OpenCSD decodes with one, whatever is said" "$T/one" "$T/several"

# Who stops reading ends it all.
"$CSGUEST" script -q --engine=fast -j 4 "${images[@]}" "$recording/perf.data" | head -n 3 >"$T/head"
is "a reader that goes away ends all threads" "141 0" "${PIPESTATUS[*]}"
