#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Recordings that are damaged here, each in a way that once did harm far from the damage.
# Takes 5 s.
. "$(dirname "$0")/lib.sh"

# unpack NAME: the recording as $T/rec, its files in $files.
unpack() {
	rm -rf "$T/rec"
	mkdir "$T/rec"
	tar --zstd -C "$T/rec" -xf "$TRACES/$1/$1.tar.zst"
	files=(--symfs "$T/rec/symfs" --buildid-dir "$T/rec/buildid")
}
# summary: of the recording, in $T/summary.
summary() {
	"$CSGUEST" report --by world "${files[@]}" "$T/rec/perf.data" >/dev/null 2>"$T/summary"
}
instructions() { sed -n 's/^csguest: \([0-9]*\) instructions in .*/\1/p' "$T/summary"; }

# One bit makes another address of an Address packet, and a guest's kernel and the host's change places.  Of kcore, whose
# pages are zeros where nothing was executed, 457 million instructions were believed.
unpack nvhe
summary
whole=$(instructions)
hasnt "nvhe: no line goes through undefined instructions" 'undefined' "$T/summary"
is "nvhe: the byte to be changed is there" 94 "$(od -An -tx1 -j 878530 -N 1 "$T/rec/perf.data/data" | tr -d ' ')"
printf '\234' | dd of="$T/rec/perf.data/data" bs=1 seek=878530 conv=notrunc status=none
summary
ok "nvhe with a bit flipped: no more instructions than without, $(instructions) of $whole" \
	test "$(instructions)" -gt 1000000 -a "$(instructions)" -lt "$whole"
has "nvhe with a bit flipped: a gap says why" 'gaps in the trace: .*undefined [0-9]+' "$T/summary"
has "nvhe with a bit flipped: the summary says what that means" \
	'goes on past an instruction that is always undefined' "$T/summary"
has "... and what helps" 'remedy: the trace is damaged there, or the code is not what ran' "$T/summary"
ok "nvhe with a bit flipped: both engines agree" "$BUILD/tools/engines" "$T/rec/perf.data" \
	"symfs=$T/rec/symfs" "buildid=$T/rec/buildid" hypervisor=kvm-nvhe
"$CSGUEST" export --csv "$T/lines.csv" "${files[@]}" "$T/rec/perf.data" 2>/dev/null
is "nvhe with a bit flipped: no range has a thousand instructions" 0 "$(awk -F, 'NR > 1 && $7 > 1000' "$T/lines.csv" | wc -l)"
