#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# perf record --aux-sample: each sample of an event holds the last bytes of trace before it, cut off
# at any byte.
. "$(dirname "$0")/lib.sh"
need jq
. "$TOP/tests/windows-lib.sh"

# one VARIANT SEED BYTES EVERY SHARE OPTION...: samples of half of BYTES or more, one every EVERY
# bytes of trace: SHARE percent of what they hold is decoded, and nobody is named who was not there.
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

# samples_of: of the samples of $data as csguest dump has them: how many, how many are of the code
# that was executed or wanted last, and how many are of unknown code.
samples_of() {
	"$CSGUEST" dump -q "${files[@]}" "${guests[@]}" "$data" 2>"$T/err" | awk '
		/; (range|gap)\(/ { owner = $0; sub(/.*; EL/, "EL", owner); next }
		/; sample\(/ { sample = $0; sub(/.*; EL/, "EL", sample); n++; same += sample == owner; unknown += sample ~ /unknown/ }
		END { print n + 0, same + 0, unknown + 0 }'
}

# conflicts: contradictions of samples that csguest reports, to $T/conflicts: how many.
conflicts() {
	"$CSGUEST" verify -q --details "${files[@]}" "${guests[@]}" "$data" 2>&1 | grep 'contradiction (sample)' | tee "$T/conflicts" | grep -c .
}

# What led to each sample: it is where its trace ends, and what it says of itself agrees.
make_windows "" 7 1000 10000 --whole --samples --ring 16384 20000 --sync 1024
read -r n same unknown < <(samples_of)
is "each sample is in its place" "true $n" "$([ "$n" -gt 50 ] && echo true) $(($same + $unknown))"
is "nearly all are of the code that their trace ends in" true "$([ "$unknown" -le $((n / 50)) ] && echo true)"
is "none contradicts its trace" 0 "$(conflicts)"
"$CSGUEST" script -q --itrace=L8 -F +brstack "${files[@]}" "${guests[@]}" "$data" >"$T/lines"
is "script lists them" "$n" "$(grep -c . "$T/lines")"
is "by the name of their event" "$n" "$(grep -c ' 1 *dummy: ' "$T/lines")"
is "with the 8 branches before them" true "$([ "$(awk 'gsub("/P/-/-/0//-", "") == 8' "$T/lines" | wc -l)" -gt $((n * 9 / 10)) ] && echo true)"
"$CSGUEST" script -q --itrace=b -F ip,addr "${files[@]}" "${guests[@]}" "$data" | awk '{ gsub(/0x/, ""); print $1 "/" $3 }' | sort -u >"$T/branches"
grep -oE '0x[0-9a-f]+ [^ ]*/0x[0-9a-f]+' "$T/lines" | sed -E 's/0x([0-9a-f]+) .*0x([0-9a-f]+)/\1\/\2/' | sort -u >"$T/stack"
none "which are branches of the trace" <(comm -23 "$T/stack" "$T/branches")
"$CSGUEST" script -q --itrace=G "${files[@]}" "${guests[@]}" "$data" >"$T/chains"
is "and with call chains" true "$([ "$(grep -cE '^\s+[0-9a-f]+ [^[]' "$T/chains")" -gt $((n * 3)) ] && echo true)"
"$CSGUEST" report -q --count samples --by world,el,vm --format json "${files[@]}" "${guests[@]}" "$data" >"$T/report"
is "report counts them" "$n" "$(jq '[.rows[].samples] | add' "$T/report")"
is "where script has them" "$(grep -cE 'guest +EL0' "$T/lines")" "$(jq '[.rows[] | select(.world == "guest" and .el == "EL0") | .samples] | add' "$T/report")"
has "as text too" '^# total: [0-9]+ samples' <("$CSGUEST" report -q --count samples "${files[@]}" "${guests[@]}" "$data")
for engine in fast opencsd; do
	"$CSGUEST" script -q --engine=$engine --itrace=L4G -F +brstacksym "${files[@]}" "${guests[@]}" "$data" >"$T/$engine"
done
same "the engines say the same" "$T/opencsd" "$T/fast"
exits 2 "a recording without such samples has none to list" "$CSGUEST" script --itrace=L "$T/$name/perf.data"
has "which is reported" 'no sample of the recording holds trace' "$T/err"
exits 2 "nor to count" "$CSGUEST" report --count samples "$T/$name/perf.data"
exits 2 "nor are samples injected" "$CSGUEST" inject --itrace=L -o "$T/x" "$data"
has "as they are not made of trace" 'L, G: only samples that are made of trace are injected' "$T/err"

# Every tenth sample says what the one before it says: cpumode, ip or thread are not where its trace
# ends.
make_windows "" 7 1000 10000 --whole --samples --ring 16384 20000 --sync 1024 --mistake 10
"$SCORE" -q --json --truth "$truth" --whole "$whole" "${files[@]}" "${guests[@]}" "$data" >"$T/out" 2>"$T/err"
is "samples that are not those of their trace make no owner of it wrong" 0 "$(jq '.world.wrong + .vm.wrong + .process.wrong' "$T/out")"
read -r n same unknown < <(samples_of)
is "each is of the code that its trace ends in, or of unknown code" "$n" "$(($same + $unknown))"
is "they are reported" true "$([ "$(conflicts)" -ge 3 ] && echo true)"
is "those that are reported are of unknown code" true "$([ "$unknown" -ge "$(grep -c . "$T/conflicts")" ] && echo true)"
has "for their thread" 'a sample is of thread [0-9]+, and its trace ends in another' "$T/conflicts"
has "for their cpumode and ip" 'the cpumode and ip of a sample are not where its trace ends' "$T/conflicts"

# left: of the samples of $data, taken in handlers, whose code each handler is, a tab, and whose
# code it left.
left() {
	"$CSGUEST" dump -q "${files[@]}" "${guests[@]}" "$data" 2>"$T/err" | awk '
		/; (range|gap)\(/ { owner = $0; sub(/.*; EL/, "EL", owner); next }
		/; sample\(/ { sample = $0; sub(/.*; EL/, "EL", sample); print owner "\t" sample }'
}

# Taken in the handler of its event's interrupt: the trace ends there, and the sample says what that
# left.
what="samples in handlers"
make_windows "" 7 1000 10000 --whole --samples --handlers --ring 16384 500 --sync 1024
score
left >"$T/left"
is "samples are taken in handlers" true "$([ "$(grep -c . "$T/left")" -gt 20 ] && echo true)"
none "each trace ends in the host's kernel" <(grep -v '^EL2; host kernel' "$T/left")
is "of which some left user code" true "$([ "$(grep -cP '\tEL0; host user' "$T/left")" -gt 2 ] && echo true)"
is "and some the kernel" true "$([ "$(grep -cP '\tEL2; host kernel' "$T/left")" -gt 10 ] && echo true)"
none "in the same thread" <(sed 's/EL[02]; host [a-z]* //g' "$T/left" | awk -F'\t' '$1 != $2')
make_windows "" 7 1000 10000 --whole --samples --handlers --ring 16384 500 --sync 1024 --mistake 2
"$SCORE" -q --json --truth "$truth" --whole "$whole" "${files[@]}" "${guests[@]}" "$data" >"$T/out" 2>"$T/err"
is "samples of other handlers make no owner wrong" 0 "$(jq '.world.wrong + .vm.wrong + .process.wrong' "$T/out")"
left >"$T/left"
is "what they left is unknown" true "$([ "$(grep -cP '\tEL.?; unknown' "$T/left")" -gt 5 ] && echo true)"
is "as is reported" true "$("$CSGUEST" summary -q --format json "${files[@]}" "${guests[@]}" "$data" | jq '.contradictions > 5')"

unpack nvhe
one "" 6 16384 20000 5
