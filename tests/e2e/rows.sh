#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Rows are right: one for each thing that the user asked about, with its unit, and together they are
# the whole.
. "$(dirname "$0")/lib.sh"
need jq

mkdir "$T/two" "$T/xen"
ok "two-guests unpacks" tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
ok "xen unpacks" tar --zstd -C "$T/xen" -xf "$TRACES/xen/xen.tar.zst"
two() { # COMMAND OPTION...
	"$CSGUEST" "$1" -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" --guestmount "$T/two/guestmount" "${@:2}" "$T/two/perf.data"
}
both=(--guest "a,perf=$T/two/guest-136.data" --guest "b,perf=$T/two/guest-138.data")
# truth KEY: the instructions of each value of an owner's key, by the truth.
truth() {
	awk -v key="$1" '/^owner/ { for (i = 3; i <= NF; i++) { split($i, part, "="); if (part[1] == key) of[$2] = part[2] } }
		/^run/ { n[of[$2]] += $3 } END { for (value in n) print value, n[value] }' "$T/two/truth" | sort
}
rows() { jq -r ".rows[] | \"$1\"" "$T/out" | sort; }

# perf's habits: a separator, its directory of build IDs, options by the name that was written.
ok "columns divided by a tab" two report --by vm,dso,symbol -t '\t'
awk -F'\t' '!/^#/ { print NF, $2, $3 }' "$T/out" | sort >"$T/seen"
two report --by vm,dso,symbol --format csv | awk -F, 'NR > 1 { print 6, $2, $3 }' | sort >"$T/want"
same "are those of CSV" "$T/want" "$T/seen"
ok "by a letter that names have" two report --by symbol -F sym -t m
hasnt "which they have no longer" '^[0-9][^#]*memset' "$T/out"
has "but a dot" 'm[0-9]+m.e\.set$|m\.e\.setm' "$T/out"
exits 2 "an empty separator" two report -t ''
mkdir "$T/none"
report_with() { env "$1" "$CSGUEST" report -q --format csv --by dso --symfs "$T/none" --guestmount "$T/none" "${@:2}" "$T/two/perf.data" 2>/dev/null; }
report_with A=B --buildid-dir "$T/two/buildid" >"$T/want"
report_with PERF_BUILDID_DIR="$T/two/buildid" >"$T/seen"
same "PERF_BUILDID_DIR is where build IDs are looked for" "$T/want" "$T/seen"
report_with PERF_BUILDID_DIR="$T/two/buildid" --buildid-dir "$T/none" >"$T/seen"
is "an option goes before it" true "$(cmp -s "$T/want" "$T/seen" || echo true)"
exits 2 "a choice by its letter" two timeline -b nobody
has "is named as it was written" "^csguest timeline: -b is one of" "$T/err"
exits 2 "and by its name" two timeline --by nobody
has "the same" "^csguest timeline: --by is one of" "$T/err"

# A VM is a row, whatever is unknown of its threads.
ok "a report by VM, without the guests' own recordings" two report --by vm --format json
is "has a row for each VM" "0 136 138" "$(rows '\(.vm)' | xargs)"
cp "$T/out" "$T/vm"
ok "the same by reason as well" two report --by vm,reason --format json
is "has the same sums" "$(jq -c '[.rows[] | [.vm, .instructions]] | sort' "$T/vm")" \
	"$(jq -c '[.rows | group_by(.vm)[] | [.[0].vm, (map(.instructions) | add)]] | sort' "$T/out")"
ok "with the guests' recordings" two report --by vm --format json "${both[@]}"
is "instructions of each VM are those of the truth" "$(truth vm)" "$(rows '\(.vm) \(.instructions)')"
ok "by vCPU" two report --by vcpu --format json "${both[@]}"
is "vCPU 0 of two VMs is two rows" "0 null;136 0;138 0" "$(rows '\(.vm) \(.vcpu)' | paste -sd';')"
ok "by world" two report --by world --format json "${both[@]}"
is "a world is a row" "$(truth world)" "$(rows '\(.world) \(.instructions)')"

# Processes are of a machine: host and guests each have a swapper with PID 0.
for by in process thread pid tid comm; do
	ok "by $by" two report --by $by --format json "${both[@]}"
	cp "$T/out" "$T/bare"
	ok "is the same as by VM and $by" two report --by vm,$by --format json "${both[@]}"
	same "in each row" "$T/bare" "$T/out"
done
ok "a process is reported with its machine" two report --by process --format json "${both[@]}"
is "of each of which there is an idle one" "0 136 138" "$(jq '.rows[] | select(.process == "swapper" and .pid == 0) | .vm' "$T/out" | sort | xargs)"
ok "in text too" two report --by process "${both[@]}"
has "with a column" '^# Overhead .* VM +Process +PID' "$T/out"
use_fixture
exits 20 "that text leaves out" one_guest report --by process --hypervisor none
hasnt "where the host alone ran" ' VM ' "$T/out"

# Whatever is cut, rows add up.
total=$(jq .totals.instructions "$T/vm")
for limit in "--max-lines 3" "--percent-limit 5" "--max-lines 1 --percent-limit 90"; do
	# shellcheck disable=SC2086
	ok "CSV with $limit" two report --by vm,comm,symbol --format csv $limit
	is "adds up to the total" "$total" "$(awk -F, 'NR > 1 { n += $2 } END { print n }' "$T/out")"
	has "and says what is not shown" ',rows not shown$' "$T/out"
done

# A window of time: rows and sums are cut at it.
ok "a window of 200 us" two timeline --json --time 11.3225,11.3227
is "holds 200 us of each CPU" '[[0,200000],[1,200000]]' \
	"$(jq -c '[.rows | group_by(.cpu)[] | [.[0].cpu, (map(.end - .begin) | add)]]' "$T/out")"
is "and nothing outside of it" '[11322500000,11322700000]' "$(jq -c '[(.rows | map(.begin) | min), (.rows | map(.end) | max)]' "$T/out")"
is "sums are those of the rows" "$(jq '[.rows[] | .end - .begin] | add' "$T/out")" "$(jq '[.totals[].time] | add' "$T/out")"
sums() { jq -c '[.totals[] | [.vm, .tid, .host_tid, .lost, .time, .instructions, .missing]] | sort' "$1"; }
ok "the whole" two timeline --json
sums "$T/out" >"$T/whole"
ok "in windows that follow each other" two timeline --json --time ",11.3231 11.3231,11.325123456 11.325123456,"
sums "$T/out" >"$T/windows"
same "is the same" "$T/whole" "$T/windows"
ok "windows that overlap" two timeline --json --time "11.325,11.326 11.3231,11.3255"
sums "$T/out" >"$T/windows"
ok "are one" two timeline --json --time 11.3231,11.326
sums "$T/out" >"$T/one"
same "nothing in them counts twice" "$T/one" "$T/windows"
ok "windows with a hole" two timeline --json --time "11.3225,11.3226 11.3228,11.3229"
is "have no row across it" 0 "$(jq '[.rows[] | select(.begin < 11322800000 and .end > 11322600000)] | length' "$T/out")"

# A snapshot's times are ticks of its own, and what has no time shows none.
snapshot() { "$CSGUEST" "$1" -q --hypervisor xen "${@:2}" "$T/xen/snapshot"; }
ok "a snapshot's timeline" snapshot timeline --totals
has "is in ticks" '^#   share          ticks ' "$T/out"
hasnt "not in microseconds" '\bus\b' "$T/out"
ok "what a snapshot holds" snapshot info
has "has no time" '^ +0 +- +459440 .* -$' "$T/out"
mkdir "$T/nvhe"
ok "nvhe unpacks" tar --zstd -C "$T/nvhe" -xf "$TRACES/nvhe/nvhe.tar.zst"
ok "exits that the hypervisor handled where it is not traced" "$CSGUEST" exits -q --symfs "$T/nvhe/symfs" --buildid-dir "$T/nvhe/buildid" "$T/nvhe/perf.data"
has "have no time" '^ +0\.00% +[0-9]+ +140 +0( +-){9} +EL1 +fast' "$T/out"
