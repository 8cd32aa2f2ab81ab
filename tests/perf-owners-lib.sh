# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# What compares the owners that the patched perf script prints with those of csguest script, line by
# line, and so the names of threads and symbols.  Tests source it after perf-lib.sh:
#
#	OWNERS       the series whose perf has libcsguest; where there is none the test is skipped
#	RECORDINGS   those of traces/ that are compared: what the user says, or all of them
#
# $recording is the recording's name, $data what is decoded of it, $itrace which instructions are
# compared.
need jq

# The event is there to leave away samples of others, which perf lists as well.
fields=pid,tid,cpu,event,ip,machine_pid,vcpu

OWNERS=
for series in $SERIES; do "$BUILD/perf-$series" check feature libcsguest >"$T/out" 2>&1 && OWNERS="$OWNERS $series"; done
[ -n "$OWNERS" ] || skip_all "no perf with libcsguest"
: "${RECORDINGS:=$(basename -s .tar.zst "$TRACES"/*/*.tar.zst)}"

# Every single instruction of the recordings with the most to tell apart, a part of the others.
usual_itrace() {
	case $recording in
	smp-guest | tiny-guests | kpti | nvhe) itrace=i1i ;;
	*) itrace=i7i ;;
	esac
}

# by_cpu FILE: the same, CPU after CPU, as merging CPUs by time leaves some freedom, without what
# ran in the trampoline of page table isolation, of which perf has no code.
by_cpu() {
	awk -v base="$1" '
		$(NF - 1) !~ /^instructions/ || $NF ~ /^ffffffffff5/ { next }
		{ cpu = $(NF - 2) ~ /^\[/ ? $(NF - 2) : $(NF - 3); $(NF - 1) = ""; print >(base ".cpu" cpu) }' "$1"
	cat "$1".cpu* >"$1.sorted" 2>/dev/null
	rm -f "$1".cpu*
}

# compare NAME CSGUEST-FILES -- PERF-FILES: of the recording $data
compare() {
	local name=$1 csguest=()
	shift
	while [ "$1" != -- ]; do csguest+=("$1") && shift; done
	shift
	"$CSGUEST" script -q --itrace="$itrace" -F $fields "${csguest[@]}" -i "$data" >"$T/csguest" 2>"$T/err"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace="$itrace" -F $fields "$@" -i "$data" >"$T/perf" 2>"$T/perf.err"
		is "$series: $name is decoded" 0 $?
		by_cpu "$T/perf"
		if [ -s "$T/csguest" ]; then
			same "$series: $name: each of $(wc -l <"$T/csguest") instructions ($itrace) has the same owner" "$T/csguest.sorted" "$T/perf.sorted"
		else
			none "$series: $name: who ran is unknown to perf as well" "$T/perf.sorted"
		fi
	done
}

# renamed CSGUEST PERF EVENTS: prints where another name is shown than that of a COMM of the last 2
# us before it.  What is in
# the CoreSight frame of a timestamp before it (some 30 instructions: OpenCSD takes whole frames) is
# decoded after the COMM that came before that timestamp: perf shows the new name there.
renamed() {
	sed -n 's/.* \([0-9]*\.[0-9]*\): PERF_RECORD_COMM[^:]*: \(.*\):\([-0-9]*\/[-0-9]*\)$/\3 \2 \1/p' "$3" >"$T/comms"
	paste -d'|' "$1" "$2" | awk '
		function parse(text, part) {
			match(text, /[0-9]+\.[0-9]+: /)
			part["time"] = substr(text, RSTART, RLENGTH - 2)
			text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
			part["vm"] = match(text, /^VM: *[0-9]+ VCPU: *[0-9?]+ /) ? substr(text, 1, RLENGTH) : ""
			text = substr(text, length(part["vm"]) + 1)
			match(text, / -?[0-9]+\/-?[0-9]+ \[/)
			part["thread"] = substr(text, RSTART + 1, RLENGTH - 3) " " substr(text, 1, RSTART - 1)
			part["rest"] = part["vm"] substr(text, RSTART)
		}
		function is_just_renamed(thread, time, i, since) {
			for (i = 0; i < n[thread]; i++) {
				since = time - comm[thread, i]
				if (since >= 0 && since < 2e-6) return 1
			}
			return 0
		}
		NR == FNR { time = $NF; sub(/ [0-9.]*$/, ""); comm[$0, n[$0]++] = time; next }
		{
			split($0, line, "|"); parse(line[1], a); parse(line[2], b)
			if (a["rest"] != b["rest"] || (a["thread"] != b["thread"] && !is_just_renamed(b["thread"], b["time"]))) print
		}' "$T/comms" -
}

# names_in_order NAME FILES: the same with times, CPU after CPU, where threads are renamed; perf has
# no symbol for the PLT of a static program.
names_in_order() {
	local fields=$fields,time
	timed_lines() {
		awk -v out="$1.cpu" '/ instructions/ {
			sub(/ *instructions:[A-Za-z]*:? */, " "); sub(/ \.plt$/, " [unknown]"); gsub(/  +/, " "); sub(/^ /, "")
			match($0, /\[[0-9]+\]/); print >(out substr($0, RSTART, RLENGTH)) }'
		cat "$1".cpu* >"$1" && rm "$1".cpu*
	}
	"$CSGUEST" script --ns -q --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/err" | timed_lines "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script --ns -f --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/perf.err" | timed_lines "$T/perf"
		"$BUILD/perf-$series" script --ns -f --itrace=e --show-task-events -F comm,tid,time -i "$data" >"$T/events" 2>"$T/perf.err"
		renamed "$T/csguest" "$T/perf" "$T/events" >"$T/offenders"
		none "$series: $1: $(wc -l <"$T/csguest") instructions ($itrace) have the same symbol and, but where a COMM is less than 2 us old, comm" \
			"$T/offenders"
		is "$series: $1: these are as many" "$(wc -l <"$T/csguest")" "$(wc -l <"$T/perf")"
	done
}

# names NAME FILES: of one instruction in 97.  Which these are is not the same where perf lacks the
# code of the trampoline of page table isolation, as in kpti: there each one is compared.
names() {
	local fields=comm,pid,tid,cpu,event,ip,sym,machine_pid,vcpu itrace=i97i
	[ "$recording" != kpti ] || itrace=i1i
	[ "$recording" != churn ] || { names_in_order "$@"; return; }
	named_lines() { sed -n 's/ *instructions:[^ ]* */ /p' | sed 's/  */ /g;s/ $//' | grep -v ' ffffffffff5' | sort; }
	"$CSGUEST" script -q --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/err" | named_lines >"$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace=$itrace -F $fields "${@:2}" -i "$data" 2>"$T/perf.err" | named_lines >"$T/perf"
		same "$series: $1: $(wc -l <"$T/csguest") instructions ($itrace) have the same comm and symbol" "$T/csguest" "$T/perf"
	done
	has "$1: there are symbols" ' [a-z_][a-z_0-9.]*$' "$T/csguest"
}

# part FILE OF: every line of FILE is one of OF, in the same order.  Prints the first that is not.
part() {
	awk -v of="$2" '{ do rest = (getline line <of); while (rest > 0 && line != $0); if (rest <= 0) { print; exit } }' "$1"
}
