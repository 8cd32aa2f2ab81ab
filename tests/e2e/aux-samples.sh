#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# perf record --aux-sample: each sample of an event holds the last bytes of trace before it, cut off at any byte.
. "$(dirname "$0")/lib.sh"
need jq
. "$TOP/tests/windows-lib.sh"

# one VARIANT SEED BYTES EVERY SHARE OPTION...: samples of half of BYTES or more, one every EVERY bytes of trace: SHARE percent
# of what they hold is decoded, and nobody is named who was not there.
one() {
	what="$name$1, seed $2: samples of $3 bytes, one every $4${6+ (}${*:6}${6+)}"
	make_windows "$1" "$2" 1000 10000 --whole --samples --ring "$3" "$4" "${@:6}"
	score
	is "$what: $5 percent are decoded" true "$(jq ".decoded * 100 >= $5 * .instructions and .instructions > 300000" "$T/out")"
}

# ranges FILE: what of every range does not depend on where it lies or on when it was dated.
ranges() {
	rm -f "$T/csv"
	"$CSGUEST" export -q --csv "$T/csv" "${files[@]}" "${guests[@]}" "$data" 2>"$T/err"
	cut -d, -f1,5-10 "$T/csv" >"$1"
}

unpack two-guests
one "" 1 16384 9000 99
ranges "$T/samples"
make_windows "" 1 1000 10000 --whole
ranges "$T/whole"
is "what overlaps is decoded once" "" "$(diff "$T/whole" "$T/samples" | grep -m1 '^>')"
one "" 2 8192 20000 55
"$CSGUEST" info -q --json "$data" >"$T/info"
is "the windows have a name" "samples of events (--aux-sample)" "$(jq -r .recorded.windows "$T/info")"
one -ete 3 16384 6000 99 --sync 1024
is "what overlaps is decoded once, of raw trace" 0 "$(jq .mismatched "$T/out")"
one -ete 4 8192 30000 55
one "" 5 16384 20000 60 --no-ids

# A sample of which bytes are wrong: what others hold is decoded as before.
"$CSGUEST" report -q --by vm --format json "${files[@]}" "${guests[@]}" "$data" >"$T/before"
size=$(stat -c %s "$data/data")
head -c 3000 /dev/zero | tr '\0' '\252' | dd of="$data/data" bs=1 seek=$((size / 2)) conv=notrunc status=none
"$SCORE" -q --json --truth "$truth" --whole "$whole" "${files[@]}" "${guests[@]}" "$data" >"$T/out" 2>"$T/err"
is "a damaged sample names nobody who was not there" 0 "$(jq '.world.wrong + .vm.wrong + .process.wrong' "$T/out")"
"$CSGUEST" report -q --by vm --format json "${files[@]}" "${guests[@]}" "$data" >"$T/after" 2>/dev/null
is "and costs less than a hundredth" true "$(jq -s '[.[] | [.rows[].instructions] | add] | .[1] > .[0] * 0.99' "$T/before" "$T/after")"

unpack nvhe
one "" 6 16384 20000 5
