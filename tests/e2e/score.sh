#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The oracle (tests/score) compares what was decoded with the truth, and a recording that was
# changed in one context or one exception's return address is found out.  MUTATIONS=1 tries each of
# them.
. "$(dirname "$0")/lib.sh"
need jq

use_fixture
score() { # CSGUEST RECORDING OPTION...
	"$1" -q --truth "$fixture/truth.txt" --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" \
		--guestvmlinux "$fixture/guest/vmlinux" "${@:3}" "$2"
}
# wrongs FILE: all that is wrong, in a score made with --show.
wrongs() { jq -c "[.mismatches, .wrong_gaps, .world.wrong, .vm.wrong, .process.wrong, .disagreements]" "$1"; }
# contradicts RECORDING: csguest itself says that its sources of evidence contradict each other, and
# names nobody.
contradicts() {
	"$CSGUEST" report --by world --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" --guestvmlinux "$fixture/guest/vmlinux" "$1" 2>&1 |
		grep -q '^csguest: thread unknown .*sources of evidence contradict each other'
}

score "$SCORE_SAN" "$fixture/perf.data" --json >"$T/json" 2>"$T/err"
rc=$?
ok "a JSON parser reads the score" jq -e . "$T/json"
is "the status says whether something is wrong" "$rc" "$(jq 'if .good then 0 else 22 end' "$T/json")"
total=0
while read -r _ start end _; do total=$((total + (16#$end - 16#$start) / 4)); done < <(grep "^[0-9]" "$fixture/truth.txt")
is "every instruction of the truth is counted" "$total" "$(jq .instructions "$T/json")"
is "nothing is decoded that was not executed" 0 "$(jq .mismatches "$T/json")"
is "nothing contradicts itself" "0 0" "$(jq -r '"\(.contradictions) \(.contradictory)"' "$T/json")"
is "no instruction has a wrong owner" 0 "$(jq '.world.wrong + .vm.wrong + .process.wrong' "$T/json")"
is "host and guest kernel are decoded in full" 0 \
	"$(jq '[.owners[] | select(.owner.world == "host" or .owner.el == 1) | .instructions - .decoded] | add' "$T/json")"
is "answers add up to what was decoded" true \
	"$(jq '. as $s | [.world, .vm, .process] | all(add == $s.decoded)' "$T/json")"
is "owners add up to the whole" "$(jq .instructions "$T/json")" "$(jq '[.owners[].instructions] | add' "$T/json")"
is "stock perf's rule has guest user code wrong" \
	"$(jq '[.owners[] | select(.owner.world == "guest" and .owner.el == 0) | .instructions] | add' "$T/json")" \
	"$(jq .perf.world.wrong "$T/json")"
score "$SCORE_SAN" "$fixture/perf.data" >"$T/text" 2>"$T/err"
has "text says the same" "^# instructions of the truth: $(jq .instructions "$T/json")\$" "$T/text"
score "$SCORE" "$fixture/perf.data" --json --show 1000 >"$T/out" 2>"$T/err"
base=$(wrongs "$T/out")

zstd -q -c "$fixture/truth.txt" >"$T/truth.zst" 2>/dev/null || skip "no zstd"
if [ -s "$T/truth.zst" ]; then
	score "$SCORE_SAN" "$fixture/perf.data" --json --truth "$T/truth.zst" >"$T/json.zst" 2>"$T/err"
	jq 'del(.truth)' "$T/json" >"$T/plain"
	jq 'del(.truth)' "$T/json.zst" >"$T/zst"
	same "a compressed truth gives the same score" "$T/plain" "$T/zst"
fi
exits 2 "a truth is needed" "$SCORE" "$fixture/perf.data"
exits 2 "a truth is needed, and options that were read before are freed" "$SCORE_SAN" --guest a,pid=1 --vcpu 1=2:3
has "which is named" '^csguest score: --truth FILE is needed$' "$T/err"
exits 2 "an unknown option is refused" "$SCORE" --no-such-option
ok "--help succeeds" "$SCORE" --help
ok "csguest score in a build folder is an alias" "$CSGUEST" score --help
has "of this program" '^csguest score - ' "$T/out"
mkdir "$T/alone" && cp "$CSGUEST" "$T/alone"
exits 2 "an installed command has none" "$T/alone/csguest" score --help
exits 5 "a truth that is not there is reported" "$SCORE" --truth "$T/none" "$fixture/perf.data"
exits 15 "a file that is no truth is refused" "$SCORE" --truth "$fixture/make.sh" "$fixture/perf.data"
exits 22 "with --complete, what was not decoded fails" score "$SCORE" "$fixture/perf.data" --complete

# spoilt SENTENCE SED: the truth changed so differs from the trace.
spoilt() {
	sed -E "$2" "$fixture/truth.txt" >"$T/spoilt"
	cmp -s "$fixture/truth.txt" "$T/spoilt" && fail "$1: nothing changed"
	score "$SCORE" "$fixture/perf.data" --json --show 1000 --truth "$T/spoilt" >"$T/out" 2>"$T/err"
	rc=$?
	if [ $rc -eq 22 ] && [ "$(wrongs "$T/out")" != "$base" ]; then pass "$1"; else fail "$1" "$T/err"; fi
}
spoilt "another address is noticed" '5000s/ ([0-9a-f]+)0 ([0-9a-f]+) 2 host/ \14 \2 2 host/; 20s/0044 /0048 /; 4s/220/224/'
spoilt "another thread is noticed" '0,/ 4103 4103$/s//  4102 4102/; s/  / /'
spoilt "another world is noticed" '0,/ guest 4100 0 0 0 4103/s// host 0 -1 4100 4103 4103/'
spoilt "another exception level is noticed" 's/ 1 guest 4100 / 2 guest 4100 /'
spoilt "a missing range is noticed" '60d'

# Every exception return address, exception level and CONTEXTIDR_EL2 of the trace: queue, ID, index,
# byte of the packet.  The second changes bit 1, as bit 0 of every other byte is elsewhere in
# frames.
"$CSGUEST" dump --packets -q "$fixture/perf.data" >"$T/packets"
awk '/^# stream/ { if (ctx) print "restated", last; ctx = 0; split($5, a, ","); q = a[1]; split($7, a, ","); id = a[1]; ex = 0; next }
	{ match($0, /Idx:[0-9]+/); i = substr($0, RSTART + 4, RLENGTH - 4) }
	/I_ASYNC/ { if (ctx) print "restated", last }
	{ if (!/I_TIMESTAMP|I_EXCEPT_RTN/) ctx = 0 }
	/I_EXCEPT / { ex = /Match Prev/ ? 0 : 1; next }
	ex && /I_ADDR_S_IS0|I_ADDR_L_/ { print "return", q, id, i, 1 }
	{ ex = 0; n = /I_CTXT/ ? 1 : /I_ADDR_CTXT_L_64IS0/ ? 9 : /I_ADDR_CTXT_L_32IS0/ ? 5 : 0 }
	n { print "el", q, id, i, n; ctx = 1; last = i }
	n && /VMID/ { print "thread", q, id, i, n + 1 }
	END { if (ctx) print "restated", last }' "$T/packets" >"$T/mutations"
# A context that is stated again, or the trace's last, before anything ran in it decides nothing.
awk 'NR == FNR { if ($1 == "restated") skip[$2] = 1; next } $1 != "restated" && !skip[$4]' \
	"$T/mutations" "$T/mutations" >"$T/list"
is "there are many to change" true "$([ "$(wc -l <"$T/list")" -gt 500 ] && echo true)"
contradicts "$fixture/perf.data" && fail "the recording as it is contradicts itself"
step=${MUTATIONS:-7} all=0 found=0
while read -r kind queue id index byte; do
	all=$((all + 1))
	[ $((all % step)) -eq 0 ] || continue
	cp "$fixture/perf.data" "$T/mutated"
	"$BUILD/tools/spoil" "$fixture/perf.data" "$T/mutated" "$queue" "$id" "$index" "$byte" 2 ||
		fail "$kind at $index cannot be changed"
	score "$SCORE" "$T/mutated" --json --show 1000 >"$T/out" 2>"$T/err"
	rc=$?
	# A changed context ID may contradict the host's switches: then that is reported before any
	# truth is asked.
	if [ $rc -eq 22 ] && [ "$(wrongs "$T/out")" != "$base" ]; then
		found=$((found + 1))
	elif [ "$kind" = thread ] && contradicts "$T/mutated"; then
		found=$((found + 1))
	else
		echo "$kind $queue $id $index"
	fi
done <"$T/list" >"$T/missed"
# Where the interrupted code was not decoded nothing tells how far it ran: those exceptions come
# next to such a gap.
one_guest dump | awk '/^# stream/ { split($5, a, ","); q = a[1]; gap = ""; next }
	{ match($0, /Idx:[0-9]+/); i = substr($0, RSTART + 4, RLENGTH - 4) }
	/; exception\(/ { print q, i, gap }
	{ gap = /; gap\(no (code|owner)/ ? "gap" : /; timestamp\(/ ? gap : "" }' >"$T/exceptions"
awk 'NR == FNR { at[++n] = $2 + 0; queue[n] = $1; gap[n] = $3; next }
	$1 != "return" { print; next }
	{ for (k = n; k > 1 && (queue[k] != $2 || at[k] > $4 + 0); k--); if (!gap[k]) print }' "$T/exceptions" "$T/missed" >"$T/wrongly-missed"
is "every changed context and return address is found out, but those into code that was missing" "" "$(cat "$T/wrongly-missed")"
is "and they are few" true "$([ "$found" -gt $((3 * (all / step) / 4)) ] && echo true)"
pass "found $found of $((all / step)) changes"

# Real hosts and guests: every instruction decoded is one that was executed, by whom csguest says.
mkdir "$T/two"
ok "two-guests unpacks" tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
two() { # TRUTH PERF.DATA
	"$SCORE" -q --json --truth "$T/two/$1" --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$T/two/$2"
}
for variant in '' -ete -bare -user; do
	ok "two-guests$variant: nothing is wrong" two "truth$variant" "perf$variant.data"
	is "two-guests$variant: all that is not lost has its place" true "$(jq '.decoded > 1000000 and .mismatches == 0' "$T/out")"
done
# Without its FORK nobody knows the code of 153.  The code of 150 that follows fits at two places of
# the truth: at its own, and, as 153 executes the same program, where 153 did.
fork=$(LC_ALL=C grep -obUaP '\x07\0\0\0..\x40\0\x99\0\0\0\x96\0\0\0' "$T/two/perf-user.data/data" | cut -d: -f1)
printf '\077' | dd of="$T/two/perf-user.data/data" bs=1 seek="$fork" conv=notrunc status=none
ok "two-guests-user without a FORK: nothing is wrong" two truth-user perf-user.data
is "where two places fit, the process is ambiguous, and nothing else" "true 0 0" \
	"$(jq -r '"\(.process.ambiguous > 0 and .process.ambiguous < 5000) \(.world.ambiguous) \(.vm.ambiguous)"' "$T/out")"
is "answers add up to what was decoded there, too" true "$(jq '. as $s | [.world, .vm, .process] | all(add == $s.decoded)' "$T/out")"
sed -E 's/^(owner .*) pid=150 tid=150 /\1 pid=150 tid=1500 /; s/^(owner .*) pid=153 tid=153 /\1 pid=153 tid=1530 /' "$T/two/truth-user" >"$T/two/changed"
exits 22 "a thread that is wrong at either place is wrong" two changed perf-user.data
is "and is not ambiguous" 0 "$(jq .process.ambiguous "$T/out")"

changed() { # SENTENCE SED
	sed -E "$2" "$T/two/truth" >"$T/two/changed"
	cmp -s "$T/two/truth" "$T/two/changed" && fail "$1: nothing changed"
	exits 22 "$1" two changed perf.data
}
changed "a run of another address is noticed" '0,/^run 8 /s/^run 8 ([0-9]+) ffff80008/run 8 \1 ffff80009/'
changed "an instruction more here and one less there are noticed" '0,/^run 0 3762 /s//run 0 3763 /; 0,/^run 8 2530 /s//run 8 2529 /'
changed "another thread of the host is noticed" 's/^(owner 0 .*) pid=136 tid=144/\1 pid=136 tid=143/'
changed "another exception level is noticed" 's/^(owner 0 .*) el=2/\1 el=1/'
