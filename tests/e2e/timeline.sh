#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest timeline: what ran on each CPU, over time, against the truth of the recordings.
. "$(dirname "$0")/lib.sh"
need jq

use_fixture
timeline() { one_guest timeline "$@"; }
# The guest's processes have no code, so the exit says that code is missing.
ok "JSON is printed" timeline --json
cp "$T/out" "$T/json"
ok "and a JSON parser reads it" jq -e . "$T/json"
is "rows of a stream follow each other without a hole" 0 "$(jq '[.rows | group_by(.stream)[] |
	range(1; length) as $i | select(.[$i].begin != .[$i - 1].end)] | length' "$T/json")"
is "those of a stream stand together" "$(jq '[.rows[].stream] | unique | length' "$T/json")" \
	"$(jq -r '.rows[].stream' "$T/json" | uniq | wc -l)"
is "and never run backwards" 0 "$(jq '[.rows[] | select(.end < .begin)] | length' "$T/json")"
total=0
while read -r _ start end el world _; do
	[ "$el $world" = "0 guest" ] || total=$((total + (16#$end - 16#$start) / 4))
done < <(grep "^[0-9]" "$fixture/truth.txt")
is "every instruction is in a row" "$total" "$(jq '[.rows[].instructions] | add' "$T/json")"
is "sums are those of the rows" "$(jq '[.rows[] | .end - .begin] | add' "$T/json")" "$(jq '[.totals[].time] | add' "$T/json")"
for by in world vm vcpu process thread owner; do
	ok "owners are distinguished by $by" timeline --json --by $by
	is "with the same instructions" "$total" "$(jq '[.rows[].instructions] | add' "$T/out")"
	jq '.rows | length' "$T/out"
done >"$T/rows"
is "finer levels have more rows" "$(sort -n "$T/rows" | tr '\n' ' ')" "$(tr '\n' ' ' <"$T/rows")"
ok "by vCPU" timeline --json --by vcpu
is "the guest's VM and vCPU are reported" '[[4100,0]]' \
	"$(jq -c '[.rows[] | select(.world == "guest") | [.vm, .vcpu]] | unique' "$T/out")"
ok "by VM" timeline --json --by vm
is "no vCPU is" null "$(jq -c '[.rows[].vcpu] | unique | .[]' "$T/out")"
ok "CSV" timeline --format csv
is "has the same rows" "$(jq '.rows | length' "$T/json")" "$(($(wc -l <"$T/out") - 1))"
is "and as many fields in each" 22 "$(awk -F, '{ print NF }' <(sed 's/"[^"]*"//g' "$T/out") | sort -u)"
ok "text" timeline
is "has the same rows" "$(jq '.rows | length' "$T/json")" "$(grep -vc '^#' "$T/out")"
has "guests are named" ' guest VM 4100 vCPU 0 ' "$T/out"
has "and how they were left" 'left by (trap|IRQ|data fault)' "$T/out"
ok "sums only" timeline --totals
is "have no rows" 0 "$(grep -vc '^#' "$T/out")"
ok "one CPU" timeline --json -C 1
is "is nobody else's" '[1]' "$(jq -c '[.rows[].cpu] | unique' "$T/out")"
exits 2 "a level that is none is refused" timeline --by nonsense
exits 5 "a recording that is not there" "$CSGUEST_SAN" timeline "$T/none"
if [ -e "$CAPTURES/opencsd" ]; then
	exits 20 "a snapshot has rows, too" "$CSGUEST_SAN" timeline -q --json --hypervisor none "$CAPTURES/opencsd/snapshots/juno_r1_1"
	is "in bytes of trace, as it has no timestamps" bytes "$(jq -r .unit "$T/out")"
else
	no_captures opencsd
fi

# Real hosts and guests: when each instruction ran is in the truth.
mkdir "$T/two"
ok "two-guests unpacks" tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
two() { # VARIANT OPTION...
	"$CSGUEST" timeline -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "${@:2}" "$T/two/perf$1.data"
}
# entries CSV: stream and time of each entry into a guest.
entries() {
	awk -F, 'NR > 1 && $9 == "guest" && was[$2] != "guest" { print $2, $3 } NR > 1 { was[$2] = $9 }' "$1"
}
ok "two-guests" two '' --format csv --by world
entries "$T/out" >"$T/seen"
awk '/^owner/ { w[$2] = $3 } /^stream/ { s++; was = "" }
	/^run/ { n = w[$2]; if (n == "world=guest" && was != n) print s - 1, $6; was = n }' "$T/two/truth" >"$T/true"
is "every entry into a guest is there" "$(cut -d' ' -f1 "$T/true" | uniq -c)" "$(cut -d' ' -f1 "$T/seen" | uniq -c)"
paste -d' ' "$T/true" "$T/seen" | awk '{ d = $4 - $2; print d < 0 ? -d : d }' | sort -n >"$T/late"
most=$(sed -n "$(($(wc -l <"$T/late") * 8 / 10))p" "$T/late")
half=$(sed -n "$(($(wc -l <"$T/late") / 2))p" "$T/late")
is "half of them within half a microsecond" true "$([ "$half" -lt 500 ] && echo true || echo "$half ns")"
is "eight tenths within five" true "$([ "$most" -lt 5000 ] && echo true || echo "$most ns")"
is "and all within 200, as offsets are not known at once" true "$([ "$(tail -n 1 "$T/late")" -lt 200000 ] && echo true || tail -n 1 "$T/late")"
ok "sums by world" two '' --json --by world --totals
is "a world is one sum" '["guest","host"]' "$(jq -c '[.totals[] | select(.lost == null) | .world] | sort' "$T/out")"
# With the guests' own recordings.
named=(--guestmount "$T/two/guestmount")
for vm in 136 138; do named+=(--guest "guest$vm,pid=$vm,perf=$T/two/guest-$vm.data"); done
ok "guests have names" two '' --json --by process "${named[@]}"
is "those they were given" '[["guest136",136],["guest138",138]]' "$(jq -c '[.rows[] | select(.world == "guest") | [.guest, .vm]] | unique' "$T/out")"
is "and processes: those of the truth" "$(awk '/^owner/ && /world=guest/ { match($0, /vm=[0-9]+/); v = substr($0, RSTART + 3, RLENGTH - 3); match($0, / pid=[0-9]+/); print v, substr($0, RSTART + 5, RLENGTH - 5) }' "$T/two/truth" | sort -u)" \
	"$(jq -r '.rows[] | select(.world == "guest" and .pid != null) | "\(.vm) \(.pid)"' "$T/out" | sort -u)"
ok "reports have them, too" "$CSGUEST" report -q --symfs "$T/two/symfs" --by guest,vcpu,process --format json "${named[@]}" "$T/two/perf.data"
is "with the guests' processes" '["answerer","asker","swapper"]' "$(jq -c '[.rows[] | select(.guest == "guest136" and .process != null) | .process] | unique' "$T/out")"
ok "a clock that is not the generic counter" two -bare --json --by vm
is "has its own unit" ticks "$(jq -r .unit "$T/out")"

# The states of vCPUs: of the time that is shown, which two parts share.
states() { two '' --json --totals --by vm "$@" | jq -c '[.vcpus[] | [.vm, .running, .preempted, .halted, .blocked, .no_reason, .no_record]]'; }
states >"$T/whole"
states --time ,11.3245 >"$T/parts"
states --time 11.3245, >>"$T/parts"
is "states of vCPUs in two parts add up to those of the whole" "$(cat "$T/whole")" "$(jq -sc 'transpose | map([.[0][0]] + (transpose | .[1:] | map(add)))' "$T/parts")"
is "of two vCPUs" 2 "$(jq length "$T/whole")"
is "which were on a CPU and off it all the time that the trace took" 1 "$(two '' --json --totals | jq -c '.vcpus[] | .running + .preempted + .halted + .blocked' | sort -u | wc -l)"
two '' --totals >"$T/out"
has "as text" '^# +3588\.320 +169\.008 +1328\.832 +0\.000 +0\.000 +0\.000  VM 138 vCPU 0 thread 143$' "$T/out"
is "without times there are none" null "$(two -bare --json --totals | jq -c .vcpus)"

# A guest of a guest has a counter that is 16 ms or more from the guest's: no time passes between
# the two.
mkdir "$T/nested"
ok "nested unpacks" tar --zstd -C "$T/nested" -xf "$TRACES/nested/nested.tar.zst"
for variant in '' -ete; do
	ok "nested$variant" "$CSGUEST" timeline -q --symfs "$T/nested/symfs" --json --by world "$T/nested/perf$variant.data"
	awk '/^run/ { if (!n++ || $6 < from) from = $6; if ($6 > to) to = $6 } END { print from, to }' "$T/nested/truth$variant" >"$T/true"
	jq -r '"\([.rows[].begin] | min) \([.rows[].end] | max)"' "$T/out" | paste -d' ' "$T/true" - >"$T/spans"
	is "nested$variant: all is dated within 0.2 ms of when it was traced" true \
		"$(awk '{ print ($3 > $1 - 200000 && $4 < $2 + 200000) ? "true" : $0 }' "$T/spans")"
done
