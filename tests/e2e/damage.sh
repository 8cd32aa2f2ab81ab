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

# One bit makes another address of an Address packet, and a guest's kernel and the host's change
# places.  Of kcore, whose pages are zeros where nothing was executed, 457 million instructions were
# believed.
unpack nvhe
summary
whole=$(instructions)
hasnt "nvhe: no line goes through undefined instructions" 'undefined' "$T/summary"
is "nvhe: the byte to be changed is there" 94 "$(od -An -tx1 -j 878530 -N 1 "$T/rec/perf.data/data" | tr -d ' ')"
printf '\234' | dd of="$T/rec/perf.data/data" bs=1 seek=878530 conv=notrunc status=none
summary
# The kernel's symbols contradict what the bit says before code is wanted there.  A policy without
# guests believes it.
ok "nvhe with a bit flipped: no more instructions than without, $(instructions) of $whole" \
	test "$(instructions)" -gt 1000000 -a "$(instructions)" -lt "$whole"
"$CSGUEST" report --by world --hypervisor none "${files[@]}" "$T/rec/perf.data" >/dev/null 2>"$T/summary"
has "nvhe with a bit flipped: a gap says why" 'incomplete: .*at [0-9]+ places? the trace goes on past an undefined instruction' "$T/summary"
has "nvhe with a bit flipped: the summary says what that means" \
	'goes on past an instruction that is always undefined' "$T/summary"
has "... and what helps" 'remedy: the trace is damaged there, or the code is not what ran' "$T/summary"
for kind in kvm-nvhe none; do
	ok "nvhe with a bit flipped, as $kind: both engines agree" "$BUILD/tools/engines" "$T/rec/perf.data" \
		"symfs=$T/rec/symfs" "buildid=$T/rec/buildid" "hypervisor=$kind"
done
"$CSGUEST" export --csv "$T/lines.csv" "${files[@]}" "$T/rec/perf.data" 2>/dev/null
is "nvhe with a bit flipped: no range has a thousand instructions" 0 "$(awk -F, 'NR > 1 && $7 > 1000' "$T/lines.csv" | wc -l)"

# A buffer that wrapped around has lost its beginning, with the trace ID.  The frames that follow
# are their source's where its sink has no other one.  Here an ID byte at the beginning becomes one
# of data.
unpack two-guests
summary
cp "$T/summary" "$T/whole"
hasnt "two-guests: no byte comes before a trace ID" 'come before any trace ID|no trace ID' "$T/summary"
is "two-guests: the ID of CPU 0's trace is there" 21 "$(od -An -tx1 -j 455648 -N 1 "$T/rec/perf.data/data" | tr -d ' ')"
printf '\0' | dd of="$T/rec/perf.data/data" bs=1 seek=455648 conv=notrunc status=none
summary
has "two-guests without an ID: the trace is taken as its only source's, which is said" \
	'warning: .*[0-9]{6} bytes of queue 0 come before any trace ID; taken as those of ID 0x10' "$T/summary"
is "two-guests without an ID: as much is decoded as with it" \
	"$(grep instructions "$T/whole" | cut -d, -f1)" "$(grep instructions "$T/summary" | cut -d, -f1)"
ok "two-guests without an ID: both engines agree" "$BUILD/tools/engines" "$T/rec/perf.data" \
	"symfs=$T/rec/symfs" "buildid=$T/rec/buildid" hypervisor=kvm-vhe
ok "two-guests without an ID: info says so, too" "$CSGUEST" info "$T/rec/perf.data"
has "... beside what it lists" 'come before any trace ID' "$T/err"
# With the beginning the only A-Sync is gone: a gap.
head -c 128 /dev/zero | dd of="$T/rec/perf.data/data" bs=1 seek=455648 conv=notrunc status=none
"$CSGUEST" dump "${files[@]}" --id 0x10 "$T/rec/perf.data" >"$T/dump" 2>/dev/null
has "two-guests without A-Sync: all of CPU 0's trace is a gap" 'gap\(no sync, [0-9]{6} bytes\)' "$T/dump"

# Both CPUs of Xen's machine send to one sink.
unpack xen
"$CSGUEST" dump -q "$T/rec/snapshot" >"$T/dump" 2>"$T/err"
hasnt "xen: no byte comes before a trace ID" 'no trace ID|come before any' "$T/dump"
printf '\0' | dd of="$T/rec/snapshot/trace.bin" bs=1 seek=0 conv=notrunc status=none
"$CSGUEST" dump "$T/rec/snapshot" >"$T/dump" 2>"$T/err"
has "xen without the first ID: nobody knows whose bytes those are" 'come before any trace ID: of which source is not known' "$T/err"
is "xen without the first ID: a gap counts them, once" 1 "$(grep -c 'gap(no trace ID, [0-9]* bytes)' "$T/dump")"
unpack xen
sed -i 's/TRCTRACEIDR(0x010)=0x00000012/TRCTRACEIDR(0x010)=0x00000013/' "$T/rec/snapshot/unit_1.ini"
"$CSGUEST" dump "$T/rec/snapshot" >"$T/dump" 2>"$T/err"
is "xen without the ID of CPU 1: a gap counts its bytes, at the end" "gap(no trace ID, 154792 bytes)" \
	"$(grep -o 'gap(no trace ID, [0-9]* bytes)' "$T/dump")"
has "... which is no break in what CPU 0 did" '^Idx:459440; ID:10; gap\(no trace ID' "$T/dump"

# perf did not see which trace ID a CPU has.
unpack two-guests
ok "two-guests: the trace ID of CPU 0 is taken away" "$BUILD/tools/less" ids "$T/rec/perf.data/data" 0
for options in "" "-C 0-1"; do
	# shellcheck disable=SC2086
	"$CSGUEST" report $options --by world "${files[@]}" "$T/rec/perf.data" >/dev/null 2>"$T/summary"
	has "two-guests without the ID of CPU 0 $options: the summary counts what is lost" \
		'^csguest: [0-9]{6} bytes of trace were skipped: out of sync, or of no known source' "$T/summary"
	has "... as incomplete" 'incomplete: .*at 1 place bytes of trace are of no known source' "$T/summary"
done
"$CSGUEST" report -C 1 --by world "${files[@]}" "$T/rec/perf.data" >/dev/null 2>"$T/summary"
hasnt "... but not where CPU 1 is asked for" 'no known source' "$T/summary"
