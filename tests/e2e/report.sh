#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest report adds up what ran, in three formats that agree with each other and with the truth.
. "$(dirname "$0")/lib.sh"
need jq

use_fixture
report() { one_guest report "$@"; }

# truth WORLD EL: how many instructions the truth has of it.
truth() {
	local sum=0 cpu start end el world rest
	while read -r cpu start end el world rest; do
		[ "$el $world" = "$2 $1" ] && sum=$((sum + (16#$end - 16#$start) / 4))
	done <"$fixture/truth.txt"
	: "$cpu$rest"
	echo "$sum"
}
# rows FILTER FILE: the instructions of the rows that a jq filter chooses.
rows() { jq "[.rows[] | select($1) | .instructions] | add // 0" "$2"; }

# Guest user code has no owner yet whose bytes could be read, so the exit says that code is missing.
ok "JSON is printed though code is missing" report --format json --sort world,el,vm,comm,dso,symbol,cpu
cp "$T/out" "$T/json"
ok "and a JSON parser reads it" jq -e . "$T/json"
for who in "host 0" "host 2" "guest 1"; do
	# shellcheck disable=SC2086
	is "instructions of $who are those of the truth" "$(truth $who)" \
		"$(rows ".world == \"${who% *}\" and .el == \"EL${who#* }\"" "$T/json")"
done
is "rows add up to the total" "$(jq .totals.instructions "$T/json")" "$(rows true "$T/json")"
is "so do branches" "$(jq .totals.branches "$T/json")" "$(jq '[.rows[].branches] | add' "$T/json")"
is "percentages add up to 100" 100 "$(jq '[.rows[].percent] | add | round' "$T/json")"
is "rows are sorted" true "$(jq '[.rows[].instructions] | . == (sort | reverse)' "$T/json")"
is "guest kernel code has the guest's symbols" true \
	"$(jq '[.rows[] | select(.world == "guest") | .symbol] | index("tick_sched_timer") != null' "$T/json")"
is "gaps are counted" true "$(jq '.gaps["no code"] > 0' "$T/json")"

# An independent way to the same numbers: every instruction as a sample of csguest script.
"$CSGUEST" script -q --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" --guestvmlinux "$fixture/guest/vmlinux" \
	--itrace=i0ns -F ip,sym "$fixture/perf.data" 2>"$T/err" |
	awk '$2 != "[unknown]" { n[$2]++ } END { for (s in n) print s, n[s] }' | sort >"$T/by-script"
ok "a report by symbol alone" report --format json --sort symbol
jq -r '.rows[] | select(.symbol != null) | "\(.symbol) \(.instructions)"' "$T/out" | sort >"$T/by-report"
same "instructions by symbol are those that csguest script lists one by one" "$T/by-script" "$T/by-report"

# Text and CSV say what JSON says.
ok "CSV is printed" report --format csv --sort world,symbol,el
is "CSV begins with its header" "percent,instructions,branches,world,symbol,el,reason" "$(head -n 1 "$T/out")"
is "CSV has the same number of fields everywhere" 7 "$(awk -F, '{ print NF }' "$T/out" | sort -u)"
is "CSV adds up to the total" "$(jq .totals.instructions "$T/json")" \
	"$(awk -F, 'NR > 1 { n += $2 } END { print n }' "$T/out")"
ok "text is printed" report --sort world,symbol
has "text tells the kind of hypervisor" '^# hypervisor: kvm-vhe$' "$T/out"
is "text adds up to the total" "$(jq .totals.instructions "$T/json")" \
	"$(awk '!/^#/ { n += $2 } END { print n }' "$T/out")"

# A success that decodes nothing is no success without a word.
exits 0 "a report of which no kind of hypervisor is known decodes nothing" "$CSGUEST_SAN" report --hypervisor unknown "$fixture/perf.data"
has "and warns of it" '^csguest: warning: none of the trace is decoded$' "$T/err"
ok "one that decodes something" "$CSGUEST_SAN" report "${files[@]}" "$fixture/perf.data"
hasnt "does not" 'none of the trace' "$T/err"

# Whatever rows are distinguished by, they add up to the same.
for by in world guest,vcpu vm,vcpu process thread world,vm,guest,vcpu,process,thread,dso,symbol,el,evidence,reason reason,symbol,vm; do
	ok "a report by $by" report --format json --by "$by"
	is "adds up to the total" "$(jq .totals.instructions "$T/json")" "$(rows true "$T/out")"
	ok "and by perf report's word" [ "$(report --format json --sort "$by")" = "$(cat "$T/out")" ]
done
ok "a report by VM, vCPU and process" report --format json --by vm,vcpu,process
is "names the guest's VM and vCPU" "$(rows '.world == "guest"' "$T/json")" "$(rows '.vm == 4100 and .vcpu == 0' "$T/out")"
is "and a process by its name and number" true "$(jq '[.rows[] | select(.process == "sshd") | .pid] == [712]' "$T/out")"
is "the VMM's after its first thread, not after a vCPU's" qemu-system-aar \
	"$(jq -r '[.rows[] | select(.pid == 4100 and .vm == 0) | .process] | unique | .[]' "$T/out")"
ok "text has columns for them" report --by vm,vcpu,process
has "with titles" '^# Overhead   Instructions       Branches  VM    vCPU  Process +PID' "$T/out"

# Cutting hides nothing without saying so.
ok "rows can be limited" report --sort symbol --max-lines 3 --format json
is "to this many" 3 "$(jq '.rows | length' "$T/out")"
is "the rest is reported" "$(jq .totals.instructions "$T/json")" \
	"$(jq '([.rows[].instructions] | add) + ([.cut[].instructions] | add)' "$T/out")"
ok "small rows can be left out" report --sort symbol --percent-limit 5 --count branches
hasnt "none has less" '^ +[0-4]\.' "$T/out"
has "and that is reported" '^# not shown: [0-9]+ rows' "$T/out"
if [ -e "$CAPTURES/opencsd" ]; then
	# Juno's dump has zeros where the trace goes on: undefined instructions, which nobody
	# executed.
	exits 20 "a snapshot of nobody knows whom" "$CSGUEST_SAN" report -q --sort world,el --format csv \
		"$CAPTURES/opencsd/snapshots/juno_r1_1"
	hasnt "has unknown owners only" '^[0-9.]+,[0-9]+,[0-9]+,(host|guest)' "$T/out"
	has "with the reason" ',unknown,EL1,hypervisor kind not known' "$T/out"
	exits 20 "cut to one line" "$CSGUEST_SAN" report -q --sort world,cpu --format csv --max-lines 1 \
		"$CAPTURES/opencsd/snapshots/juno_r1_1"
	has "the rest of the unknown keeps its reason" '^[0-9.]+,[0-9]+,[0-9]+,,,hypervisor kind not known' "$T/out"
	# trc_pkt_lister's own sums, ID by ID.
	[ -n "$LISTER" ] || skip "no trc_pkt_lister of this OpenCSD"
	for id in ${LISTER:+0x10 0x13 0x15}; do
		"$CSGUEST_SAN" report -q --sort world --format json --id $id --hypervisor none \
			"$CAPTURES/opencsd/snapshots/juno_r1_1" >"$T/out"
		(cd "$T" && pkt_lister -ss_dir "$CAPTURES/opencsd/snapshots/juno_r1_1" -id $id -decode_only -logstdout) |
			sed -nE 's/.*ELEM_INSTR_RANGE\(exec range=(0x[0-9a-f]+):\[(0x[0-9a-f]+)\] num_i\(([0-9]+)\).*/\1 \2 \3/p' >"$T/theirs"
		"$CSGUEST" export --csv - -q --id $id --hypervisor none "$CAPTURES/opencsd/snapshots/juno_r1_1" 2>/dev/null |
			awk -F, 'NR > 1 { print $5, $6, $7 }' >"$T/ours"
		"$CSGUEST" dump --id $id --hypervisor none "$CAPTURES/opencsd/snapshots/juno_r1_1" 2>/dev/null |
			grep -c 'gap(undefined' >"$T/undefined"
		is "ID $id has as many ranges and instructions as its ranges, one by one" \
			"$(awk '{ n += $3 } END { print NR, n }' "$T/ours")" \
			"$(jq -r '.totals | "\(.ranges) \(.instructions)"' "$T/out")"
		diff "$T/theirs" "$T/ours" >"$T/diff"
		is "ID $id has no range that trc_pkt_lister has not, nor in another order" 0 "$(grep -c '^>' "$T/diff")"
		# What is not believed, and what follows it in its packet (e2e/lister): two ranges
		# for each gap here.
		ok "ID $id lacks ranges at lines through undefined instructions alone: $(grep -c '^<' "$T/diff"), $(<"$T/undefined") gaps" \
			test "$(grep -c '^<' "$T/diff")" -le $((2 * $(<"$T/undefined")))
	done
else
	no_captures opencsd
fi
ok "with no kind of hypervisor there are no owners" report --hypervisor unknown --format json
is "and what they would have run is counted" true "$(jq '.gaps["no owner"] > 0' "$T/out")"

# Options.
report --by world,symbol >"$T/plain" 2>/dev/null
report -F overhead,world,sym -n --stdio --no-inline -f >"$T/perfs" 2>/dev/null
ok "perf report's words are understood" cmp "$T/plain" "$T/perfs"
has "with functions as rows" 'Symbol' "$T/perfs"
exits 2 "overhead alone distinguishes nothing" report -F overhead
exits 2 "a key that is none is refused" report --sort world,nonsense
has "and named" "'nonsense'" "$T/err"
exits 2 "a key that comes twice is refused" report --sort world,el,world
exits 2 "an empty list of keys is refused" report --sort ''
exits 2 "a percentage that is none is refused" report --percent-limit 5x
exits 2 "a format that is none is refused" report --format xml
exits 2 "two recordings are refused" "$CSGUEST" report a b
ok "one CPU can be chosen" report -C 1 --format json --sort cpu
is "and nothing else is in the report" "1" "$(jq -c '[.rows[].cpu] | unique | .[]' "$T/out")"

# Errors, and everything before them.
exits 5 "a recording that is not there" "$CSGUEST_SAN" report "$T/none"
has "is named" 'csguest: error: .*/none: ' "$T/err"
head -c $(($(stat -c %s "$fixture/perf.data") * 3 / 4)) "$fixture/perf.data" >"$T/cut"
exits 14 "a recording that is cut" "$CSGUEST_SAN" report --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" \
	--sort world "$T/cut"
has "is reported up to the cut" '^ +[0-9.]+% .*host' "$T/out"
has "and the error names file and offset" 'csguest: .*/cut, offset 0x[0-9a-f]+: ' "$T/err"
has "and the remedy" 'remedy: ' "$T/err"

# Standard output that goes away, or is full.
"$CSGUEST_SAN" dump "$fixture/perf.data" 2>"$T/err" | head -n 1 >"$T/out"
is "a reader that goes away ends it by SIGPIPE" 141 "${PIPESTATUS[0]}"
is "without a word" "" "$(cat "$T/err")"
(trap '' PIPE && "$CSGUEST_SAN" dump "$fixture/perf.data" 2>"$T/err" && echo "no error" >>"$T/err") | head -n 1 >"$T/out"
is "also where SIGPIPE is ignored" "" "$(cat "$T/err")"
exits 4 "a full disk is an error" bash -c "'$CSGUEST_SAN' report -q '$fixture/perf.data' >/dev/full"
has "that is reported" 'standard output: No space left' "$T/err"

# Losses are summed up on standard error, unless asked not to.
exits 18 "--strict: some code is missing" report --strict --sort world
exits 18 "nothing is decoded for want of code" "$CSGUEST_SAN" report --sort world "$fixture/perf.data"
has "the summary counts instructions" '^csguest: [0-9]+ instructions in [0-9]+ ranges' "$T/err"
has "and names what is missing" '^csguest: code is missing: .*vmlinux|kernel.kallsyms' "$T/err"
has "with the remedy" 'remedy: .*--kcore' "$T/err"
hasnt "no progress bar is drawn where standard error is no terminal" '%' "$T/err"
ok "with --quiet" report --sort world
is "nothing is on standard error" "" "$(cat "$T/err")"
if script -qec true /dev/null >/dev/null 2>&1; then
	script -qec "'$CSGUEST_SAN' report --sort world '$fixture/perf.data' >/dev/null" "$T/typescript" >/dev/null 2>&1
	hasnt "nor on a terminal, where it is done at once" 'decoding' "$T/typescript"
	if [ -e "$CAPTURES/opencsd" ]; then
		# A listing of 1.7 million ranges under the sanitizers takes seconds on any machine.
		long="'$CSGUEST_SAN' dump --id 0x12 $CAPTURES/opencsd/snapshots/bugfix-exact-match"
		script -qec "$long | tail -n 1" "$T/typescript" >/dev/null 2>&1
		has "a long decode draws a progress bar on a terminal" 'decoding .*[0-9]+% [0-9.]+ .B of .*/s, [0-9:]+ .*left' "$T/typescript"
		is "and takes it away before what follows" 0 "$(tr '\r' '\n' <"$T/typescript" | grep -c 'decoding.*Idx:')"
		script -qec "$long --no-progress | tail -n 1" "$T/typescript" >/dev/null 2>&1
		hasnt "unless set not to" 'decoding' "$T/typescript"
	fi
fi
