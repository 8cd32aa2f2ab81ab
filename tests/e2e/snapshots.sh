#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# perf record -S: a ring that is read again and again, each snapshot with its last bytes.  Snapshots
# that overlap are one
# trace: no instruction is counted twice, none is lost between them.
. "$(dirname "$0")/lib.sh"
need jq
. "$TOP/tests/windows-lib.sh"

# csv FILE: every range of $data, without what depends on where it lies in the file or on when it
# was dated.
csv() {
	rm -f "$T/csv"
	"$CSGUEST" export -q --csv "$T/csv" "${files[@]}" "${guests[@]}" "$data" 2>"$T/err"
	cut -d, -f1,5-10 "$T/csv" >"$1"
}

# one VARIANT RING EVERY SHARE: decodes what was decoded without snapshots: at least SHARE percent
# of it, and nothing else.
one() {
	local ring=$2 every=$3
	what="$name$1 in snapshots of $ring bytes, one every $every"
	make_windows "$1" 1 1000 10000 --whole --ring "$ring" "$every"
	csv "$T/ring.csv"
	has "$what: there are several" 'snapshot mode: +yes' <("$CSGUEST" info -q "$data")
	is "$what: nothing is missing between them" 0 "$("$CSGUEST" info -q "$data" | awk '/^ +queue/ { at = 1; next } at && NF < 6 { exit } at { n += $7; many += $4 > 3 } END { print n + (many < 2) }')"
	make_windows "$1" 1 1000 10000 --whole
	csv "$T/whole.csv"
	is "$what: no instruction is counted twice" "" "$(diff "$T/whole.csv" "$T/ring.csv" | grep -m1 '^>')"
	is "$what: $4 percent are there" true \
		"$(awk -F, -v share="$4" 'FNR == NR { all += $4; next } { n += $4 } END { print (all > 1000000 && n * 100 >= share * all ? "true" : n " of " all) }' \
			"$T/whole.csv" "$T/ring.csv")"
}

unpack two-guests
one "" 65536 9000 100
one "" 131072 40000 100
one -ete 65536 30000 100
unpack smp-guest
one "" 65536 24000 100
unpack nvhe
one "" 1600000 16000 80
unpack kaslr
one "" 1600000 20000 80
