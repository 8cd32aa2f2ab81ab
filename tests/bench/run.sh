#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/bench/run.sh [NAME...]
#
# Runs every executable tests/bench/*.sh, one after the other, or those whose names begin so.  Each
# prints one line per measurement, `NAME VALUE UNIT` with a note behind if it likes, and exits with
# something else than 0 when a measurement misses its bound.  The lines are printed as they come and
# written to build/bench.json:
#	[{"name": "decode/opencsd", "value": 3.8, "unit": "MB/s", "note": ""}, ...]
# Anything a benchmark has to say besides goes to its standard error.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
export B=${B:-build}
mkdir -p "$B"
lines=$B/bench.txt rc=0
: >"$lines"
for bench in tests/bench/*.sh; do
	name=$(basename "$bench" .sh)
	[ "$name" != run ] && [ -x "$bench" ] || continue
	wanted=$((!$#))
	for prefix; do [[ $name == "$prefix"* ]] && wanted=1; done
	[ $wanted -eq 1 ] || continue
	"$bench" > >(tee -a "$lines" | awk '{ n = $0; sub(/^[^ ]+ +[^ ]+ +[^ ]+ */, "", n); printf "%-40s %12s %-8s %s\n", $1, $2, $3, n; fflush() }') ||
		{ echo "bench: $name failed" >&2; rc=1; }
	wait
done
awk '
	BEGIN { printf "[" }
	{
		note = $0; sub(/^[^ ]+ +[^ ]+ +[^ ]+ */, "", note); gsub(/["\\]/, "\\\\&", note)
		printf "%s\n  {\"name\": \"%s\", \"value\": %s, \"unit\": \"%s\", \"note\": \"%s\"}", NR > 1 ? "," : "", $1, $2, $3, note
	}
	END { print NR ? "\n]" : "]" }' "$lines" >"$B/bench.json"
[ -s "$lines" ] || { echo "bench: nothing ran" >&2; rc=1; }
exit $rc
