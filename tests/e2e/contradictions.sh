#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Damage that nothing marks: what it makes contradictory is reported with its place, and is wrong
# nowhere else. Takes 20 s.
. "$(dirname "$0")/lib.sh"
need jq

for tool in drop spoil; do
	[ -x "$BUILD/tools/$tool" ] || skip_all "$BUILD/tools/$tool is not built"
done

# unpack NAME; damaged NAME: a copy of its recording whose data may be changed, as $T/NAME/damaged.
unpack() {
	mkdir -p "$T/$1"
	ok "$1 unpacks" tar --zstd -C "$T/$1" -xf "$TRACES/$1/$1.tar.zst"
}
damaged() {
	rm -rf "$T/$1/damaged"
	cp -r "$T/$1/perf.data" "$T/$1/damaged"
}
report() { # NAME RECORDING
	"$CSGUEST" report --sort world,vm --symfs "$T/$1/symfs" --buildid-dir "$T/$1/buildid" "$T/$1/$2" >"$T/out" 2>"$T/err"
}
# vms: of guests that the report in $T/out has.
vms() { awk '$4 == "guest" { print $5 }' "$T/out" | sort -u | tr '\n' ' '; }

unpack two-guests
report two-guests perf.data
is "of two guests no contradiction is reported" 0 "$(grep -c contradiction "$T/err")"
is "and two VMs ran" "136 138 " "$(vms)"

# The piece ends in a guest's kernel, and what follows leaves EL0 of the host.
damaged two-guests
ok "256 KB of CPU 1 are lost" "$BUILD/tools/drop" "$T/two-guests/perf.data" "$T/two-guests/damaged/data" 1 65536 262144
report two-guests damaged
is "no other VM runs" "136 138 " "$(vms)"
has "the contradiction is reported" '^csguest: 1 contradiction in the recording' "$T/err"
# Its end has no time of its own: the host's timestamps after the loss have the upper bits from
# before it, and date nothing.
has "with place, time and what the sources say" \
	'^csguest: contradiction \(exit vectors\), CPU 1, at 11\.32[0-9]+, trace bytes 0xf[0-9a-f]+ to 0x10[0-9a-f]+: a guest exits to 0xffff800080012c00, vectors of the host by their symbol$' "$T/err"
"$CSGUEST" explain --cpu 1 --symfs "$T/two-guests/symfs" "$T/two-guests/damaged" 2539 >"$T/out" 2>"$T/err"
has "what ran before is who ran" 'owner: +host user asker 150/150' "$T/out"

unpack nvhe
report nvhe perf.data
is "without VHE no contradiction is reported" 0 "$(grep -c contradiction "$T/err")"
damaged nvhe
ok "a bit of an address flips" "$BUILD/tools/spoil" "$T/nvhe/perf.data" "$T/nvhe/damaged/data" 1 0x12 93202 0 0x08
"$SCORE" -q --json --truth "$T/nvhe/truth" --symfs "$T/nvhe/symfs" --buildid-dir "$T/nvhe/buildid" "$T/nvhe/damaged" >"$T/json" 2>"$T/err"
is "host and guest keep their roles" 0 "$(jq '.world.wrong + .vm.wrong' "$T/json")"
is "and nearly all is decoded" true "$(jq '.decoded > 2500000 and .decoded < 2600000' "$T/json")"
is "the score has it as a number of its own" true "$(jq '.contradictions == 1 and .contradictory > 0 and .contradictory < 10000' "$T/json")"
report nvhe damaged
has "the contradiction is reported" \
	'^csguest: contradiction \(host or guest\), CPU 1, at 11\.4[0-9]+ to 11\.4[0-9]+, trace bytes 0x[0-9a-f]+ to 0x[0-9a-f]+: a call at an address that no PE can fetch from$' "$T/err"
