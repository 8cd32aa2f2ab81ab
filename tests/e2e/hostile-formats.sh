#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Small files that ask for much memory or time (tests/tools/bomb.c): what is bounded stays so, what is refused says why.
# Takes 10 s.
. "$(dirname "$0")/lib.sh"
bomb=$BUILD/tools/bomb
[ -x "$bomb" ] || skip_all "$bomb is not built"

# within KB COMMAND...: with no more address space than that.
within() { (ulimit -v "$1" && shift && exec "$@"); }

# Memory of a queue is given back when it was decoded: 4,000 at once would take twice as much.
ok "a recording of 4,000 queues" "$bomb" queues 4000 "$T/queues"
for words in "report -j 1" "report -j 3" "timeline" "export --csv -"; do
	# shellcheck disable=SC2086
	exits 20 "$words: 4,000 queues in 900 MB" within 900000 "$CSGUEST" $words -q "$T/queues"
	is "$words: without an error" "" "$(cat "$T/err")"
done
