#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# On a terminal a pager shows what is listed, chosen as perf does; elsewhere none does.
. "$(dirname "$0")/lib.sh"
script -qec true /dev/null >/dev/null 2>&1 || skip_all "no script to make a terminal"
use_fixture
unset CSGUEST_PAGER PERF_PAGER PAGER

report=("$CSGUEST" report --sort world "${files[@]}" "$fixture/perf.data")
# terminal VARIABLE... : the report on a terminal with these in the environment; --no-pager as the
# last is an option.
terminal() {
	local last=
	[ "${!#}" != --no-pager ] || { last=--no-pager && set -- "${@:1:$#-1}"; }
	script -qec "env $* ${report[*]@Q} $last" "$T/typescript" >"$T/out" 2>&1 </dev/null
	echo $? >"$T/status"
	tr -d '\r' <"$T/out" >"$T/seen"
}
mark() { printf "'sed s/^/%s:/'" "$1"; }

terminal "PAGER=$(mark pager)"
has "PAGER shows the report" '^pager:# recording:' "$T/seen"
has "to its end" '^pager: .*host' "$T/seen"
has "and the messages" '^pager:csguest: [0-9]+ instructions' "$T/seen"
hasnt "nothing goes past it" '^(#|csguest)' "$T/seen"
is "the status is that of the report" 0 "$(<"$T/status")"
terminal "PAGER=$(mark pager)" "PERF_PAGER=$(mark perf)"
has "perf's own goes before it" '^perf:# recording:' "$T/seen"
terminal "PAGER=$(mark pager)" "PERF_PAGER=$(mark perf)" "CSGUEST_PAGER=$(mark ours)"
has "and ours before that" '^ours:# recording:' "$T/seen"
for none in cat "''"; do
	terminal "PAGER=$(mark pager)" "CSGUEST_PAGER=$none"
	has "CSGUEST_PAGER=$none is none" '^# recording:' "$T/seen"
done
terminal "PAGER=$(mark pager)" --no-pager
has "--no-pager" '^# recording:' "$T/seen"
terminal "PAGER='head -n 1'"
is "who quits it early sees no message" "# recording: $fixture/perf.data" "$(cat "$T/seen")"
script -qec "env NO_COLOR=1 PAGER=$(mark pager) '$CSGUEST' report '$T/none'" "$T/typescript" 2>&1 </dev/null | tr -d '\r' >"$T/seen"
has "an error before anything is decoded needs none" '^csguest: error: ' "$T/seen"

# No terminal.
PAGER='sed s/^/pager:/' "${report[@]}" >"$T/out" 2>"$T/err"
has "a file gets the report itself" '^# recording:' "$T/out"
hasnt "no line of it has been through a pager" '^pager:' "$T/out"

# Colours as perf's, on a terminal, also with a pager; and a line as wide as it.
esc=$(printf '\033')
unset NO_COLOR
columns() { script -qec "stty cols $1; env TERM=xterm PAGER=cat ${*:2} ${report[*]@Q}" "$T/typescript" 2>&1 </dev/null | tr -d '\r' >"$T/seen"; }
terminal TERM=xterm "PAGER=cat"
has "a share of 5 % and more is red" "^  $esc\[31m +[0-9.]+%$esc\[m " "$T/seen"
terminal TERM=xterm "PAGER=$(mark pager)"
has "a pager gets colours as well" "^pager:  $esc\[31m" "$T/seen"
for none in NO_COLOR=1 TERM=dumb; do
	terminal TERM=xterm PAGER=cat $none
	hasnt "$none: no colours" "$esc" "$T/seen"
done
terminal TERM=xterm PAGER=cat NO_COLOR=
has "an empty NO_COLOR is none" "$esc" "$T/seen"
"${report[@]}" >"$T/out" 2>"$T/err"
hasnt "a file has no colours" "$esc" "$T/out"
"${report[@]}" --color always >"$T/out" 2>"$T/err"
has "unless it is to have them" "^  $esc\[31m" "$T/out"
"${report[@]}" --stdio-color always 2>/dev/null | cmp - "$T/out" >"$T/diff"
is "perf's word is the same" "" "$(cat "$T/diff")"
report=("$CSGUEST" report --sort world,dso,symbol,evidence -q "${files[@]}" "$fixture/perf.data")
"${report[@]}" >"$T/out" 2>"$T/err"
is "what goes to a file is not cut" true "$(awk '!/^#/ && length > 90 { n++ } END { print (n ? "true" : "false") }' "$T/out")"
columns 90 NO_COLOR=1
is "on a terminal it is" true "$(awk '!/^# [rhtcmn]/ && length > 90 { n++ } END { print (n ? "false" : "true") }' "$T/seen")"
has "where dots show it" '\.\.\.' "$T/seen"
columns 500 NO_COLOR=1
grep -v '^#' "$T/out" >"$T/whole"
grep -v '^#' "$T/seen" >"$T/shown"
same "a wide one shows it all" "$T/whole" "$T/shown"
# All keys can be read on a terminal of 80 columns, the symbol most of all; counts are left out for
# them.
report=("$CSGUEST" report -q "${files[@]}" "$fixture/perf.data")
"${report[@]}" >"$T/whole" 2>"$T/err"
for width in 80 100; do
	columns $width NO_COLOR=1
	is "report fits a terminal of $width columns" true "$(awk -v w=$width '!/^# [rhtnm]/ && length > w { n++ } END { print (n ? "false" : "true") }' "$T/seen")"
	has "it says that columns are missing" "^# columns are left out" "$T/seen"
	has "keys are there" "^# Overhead .*World +EL .*Command +Object +Symbol" "$T/seen"
	is "in each row" "$(grep -v '^#' "$T/whole" | awk 'NF { print $1, $4, $5 }')" \
		"$(grep -v '^#' "$T/seen" | awk -v k=$((width / 100)) 'NF { print $1, $(2 + k), $(3 + k) }')"
done
# In a pager the rest of the last column is to the right.
columns 80 NO_COLOR=1 PAGER=$(mark pager)
has "in a pager the symbol is not cut" '^pager:.* qemu_clock_run_all_timers$' "$T/seen"
columns 80 NO_COLOR=1
has "else it is" ' qemu_clock_run_all_ti\.\.\.$' "$T/seen"
has "and an object has its name, not its path" ' qemu-sys\.\.\. +qemu_clock' "$T/seen"
report=("$CSGUEST" timeline -q "${files[@]}" "$fixture/perf.data")
"${report[@]}" >"$T/whole" 2>"$T/err"
columns 80 NO_COLOR=1
is "timeline fits a terminal" true "$(awk '!/^# [rhtn]/ && length > 80 { n++ } END { print (n ? "false" : "true") }' "$T/seen")"
is "with CPU, beginning and time of each row" "$(awk '$1 ~ /^\[/ { print $1, $2, $4 }' "$T/whole")" "$(awk '$1 ~ /^\[/ { print $1, $2, $3 }' "$T/seen")"
columns 300 NO_COLOR=1
same "and is whole on a wide one" "$T/whole" "$T/seen"
columns 300 NO_COLOR=1 COLUMNS=80
has "COLUMNS says how wide it is" "^# columns are left out" "$T/seen"

# exits leaves out columns, the percentiles first.
report=("$CSGUEST" exits -q "${files[@]}" "$fixture/perf.data")
"${report[@]}" >"$T/whole" 2>"$T/err"
for width in 150 100 80; do
	columns $width NO_COLOR=1
	is "exits fits a terminal of $width columns" true "$(awk -v w=$width '!/^# / && length > w { n++ } END { print (n ? "false" : "true") }' "$T/seen")"
	has "and says that columns are missing" "^# columns are left out" "$T/seen"
	is "it has all rows, with the same exits and times" "$(awk '!/^#/ && NF > 12 { print $1, $2, $3, $4, $5 }' "$T/whole")" \
		"$(awk '/^#/ { next } !NF { exit } { print $1, $2, $3, $4, $5 }' "$T/seen")"
done
columns 300 NO_COLOR=1
is "a wide one shows it all" "" "$(diff "$T/whole" "$T/seen")"

# Lines of info and verify are wrapped, but for tables; exits leaves out columns.
for command in info verify "exits --by guest-symbol"; do
	read -ra report <<<"$command"
	report=("$CSGUEST" "${report[@]}" -q "${files[@]}" "$fixture/perf.data")
	"${report[@]}" >"$T/whole" 2>"$T/err"
	columns 80 NO_COLOR=1
	cp "$T/seen" "$T/narrow.${command%% *}"
	is "$command is wider than 80 columns" true "$(awk 'length > 80 { n++ } END { print (n ? "true" : "false") }' "$T/whole")"
	is "it fits a terminal of 80" "" "$(awk '!/^# |^ +[0-9]+ +[0-9]+ / && length > 80' "$T/seen")"
	columns 400 NO_COLOR=1
	words() { tr -s ' \n' '\n\n' <"$1" | sort; }
	words "$T/whole" >"$T/words"
	words "$T/seen" | comm -13 - "$T/words" >"$T/missing"
	is "and a wide one has all of its words" "" "$(cat "$T/missing")"
done
hasnt "verify has what is assumed below its counts then" '(confirmed|exercised) +[^ ]' "$T/narrow.verify"
has "exits has no mean, and cuts handlers to what is left" '^ +78\.73% +20 +4100 +6500  kvm_handle_gues\.\.\.  vm_notify$' "$T/narrow.exits"
