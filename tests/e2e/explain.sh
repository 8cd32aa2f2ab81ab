#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest explain: what it says of a place is what the listings have there.
# Takes 8 s.
. "$(dirname "$0")/lib.sh"
need jq

mkdir "$T/tiny"
ok "tiny-guests unpacks" tar --zstd -C "$T/tiny" -xf "$TRACES/tiny-guests/tiny-guests.tar.zst"
files=(--symfs "$T/tiny/symfs" --buildid-dir "$T/tiny/buildid")
explain() { "$CSGUEST_SAN" explain -q "${files[@]}" "$T/tiny/perf.data" "$@"; }
"$CSGUEST" timeline -q "${files[@]}" --by owner --json "$T/tiny/perf.data" >"$T/timeline"

# about NAME FILTER: explains the first row of CPU 0 that the jq filter chooses, and compares.
about() {
	jq "[.rows[] | select(.cpu == 0 and ($2))][0]" "$T/timeline" >"$T/row"
	local index
	index=$(jq .index "$T/row")
	ok "$1 is explained" explain -C 0 "$((index + 1))" --json
	jq '.places[0]' "$T/out" >"$T/place"
	is "$1: the segment begins where the timeline says" "$index" "$(jq .segment.begin "$T/place")"
	is "$1: with as many instructions" "$(jq .instructions "$T/row")" "$(jq .segment.instructions "$T/place")"
	ok "$1 is explained as text" explain -C 0 "$((index + 1))"
}
about "guest EL1" '.world == "guest" and .el == 1'
has "its level is the evidence" 'exception level: EL1 belongs to the guest under kvm-vhe' "$T/out"
has "its vCPU has a name" 'thread [0-9]+ runs a vCPU, .* of VM [0-9]+: ' "$T/out"
has "the way in is the host's ERET" 'entered by: .*by the ERET at 0xffff[0-9a-f]+' "$T/out"
has "packets are shown" '^ +[0-9]+: I_ADDR_CTXT' "$T/out"
has "what is not known has a remedy" "the guest's process: .*Would settle it: a recording made in the guest" "$T/out"
about "guest EL0" '.world == "guest" and .el == 0 and (.evidence | test("neighbouring"))'
has "its neighbour is the evidence" 'neighbouring EL: (entered from|left to) EL1' "$T/out"
about "host EL0" '.world == "host" and .el == 0 and (.evidence | test("vector"))'
base=$(sed -nE 's/.*vectors at (0x[0-9a-f]+), not those at 0x[0-9a-f]+ .*/\1/p' "$T/out")
learned=$(sed -nE 's/.*learned at index ([0-9]+)\).*/\1/p' "$T/out")
guests=$(sed -nE 's/.*not those at (0x[0-9a-f]+) that guests.*/\1/p' "$T/out")
ok "its exit vectors are named" [ -n "$base" ]
"$CSGUEST" dump -q "${files[@]}" -C 0 "$T/tiny/perf.data" >"$T/dump"
has "where guests' vectors were learned a guest exits" "^Idx:$learned; ID:10; exception\(.*guest vm" "$T/dump"
grep -A 2 "^Idx:$learned; ID:10; exception" "$T/dump" | sed -nE 's/.*range\((0x[0-9a-f]+):.*/\1/p' >"$T/target"
is "and goes to them" "$guests" \
	"$(printf '0x%x' $(($(head -n 1 "$T/target") & ~0x7ff)))"

at=$(jq '[.rows[] | select(.cpu == 1 and .world == "guest")][3] | (.begin + .end) / 2 | floor' "$T/timeline")
time=$(jq -r '[.rows[] | select(.cpu == 1 and .world == "guest")][3] | (.begin + .end) / 2 | floor |
	"\(. / 1000000000 | floor).\(. % 1000000000 | tostring | ("000000000" + .)[-9:])"' "$T/timeline")
ok "a time is explained" explain "$time" --json
is "on each CPU that has trace of it" "$(jq -c "[.rows[] | select(.begin <= $at and .end > $at) | .cpu] | sort" "$T/timeline")" "$(jq -c '[.places[].cpu]' "$T/out")"
is "that of the timeline" "$(jq '[.rows[] | select(.cpu == 1 and .world == "guest")][3].index' "$T/timeline")" \
	"$(jq '.places[] | select(.cpu == 1) | .segment.begin' "$T/out")"
ok "on one CPU" explain "$time" -C 1 --json
is "only" '[1]' "$(jq -c '[.places[].cpu]' "$T/out")"
ok "a stream is chosen by its number" explain 5000 --stream 1 --json
is "it is that one" '[1]' "$(jq -c '[.places[].stream]' "$T/out")"

exits 2 "a place is needed" "$CSGUEST" explain
exits 2 "a word is no place" explain abc
exits 2 "nor is a time with a letter" explain 3.5x
exits 2 "an index of one stream among several is not enough" explain 5000
has "and says so" 'say which, with -C or --stream' "$T/err"
exits 2 "a stream that is none is refused" explain 5000 --stream 99
exits 2 "a place after the trace is refused" explain -C 0 99999999999
exits 2 "and a time" explain 1.0
exits 5 "a recording that is not there is reported" "$CSGUEST" explain "$T/none" 5000
