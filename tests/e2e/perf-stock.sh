#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Stock perf reads and decodes every recording; what it makes of it is the baseline that
# traces/README.md keeps.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"
perf=$BUILD/perf-6.12-stock
[ -x "$perf" ] || skip_all "no perf of 6.12"

# decoded RECORDING: how many instructions stock perf decodes, to a thousand.
decoded() {
	"$perf" report -f -i "$1" --symfs "$T/rec/symfs" --itrace=i1000i --stdio -s pid -n >"$T/out" 2>"$T/err" || return 1
	sed -n "/event 'instructions/,\$s/^# Event count (approx.): //p" "$T/out" | head -n 1
}

for recording in "$TRACES"/*/*.tar.zst; do
	name=$(basename "$recording" .tar.zst)
	grep -q "^| \`$name\` | snapshot" "$TRACES/README.md" && continue
	rm -rf "$T/rec"
	mkdir "$T/rec"
	tar --zstd -C "$T/rec" -xf "$recording"
	for data in "$T"/rec/perf*.data; do
		row=$name${data#"$T/rec/perf"}
		row=${row%.data}
		stated=$(sed -n "s/^| \`$row\` | \([0-9]*\) | [0-9.]* |\$/\1/p" "$TRACES/README.md")
		is "$row is in the table" true "$([ -n "$stated" ] && echo true)"
		# Some, it invents hundreds of millions: minutes.
		[ "${stated:-0}" -gt 10000000 ] && [ -z "${PERF_STOCK_ALL:-}" ] && continue
		is "$row: stock perf decodes what the table says" "$stated" "$(decoded "$data")"
	done
done
