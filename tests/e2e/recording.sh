#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What is read of a perf.data is what perf script -D prints of it: captures with CoreSight trace,
# and recordings that perf makes here and now in each of its forms.  (Theirs hold no trace, and
# where this is no AArch64 machine, the name of the architecture is written over.)
. "$(dirname "$0")/lib.sh"
DUMP=$BUILD/tools/recording_dump
command -v perf >/dev/null || skip_all "no perf"

# Both as: time cpu what ...; what perf synthesised has no CPU of its own.
norm() { sed -E 's/^0 (-?[0-9]+|4294967295) /0 - /; s/^([0-9]+) 4294967295 /\1 -1 /' | sort; }
perf_lines() {
	perf script -D -i "$1" 2>/dev/null | sed -nE '
		s/^(-?[0-9]+) ([0-9]+) (0x)?[0-9a-f]+ \[0x[0-9a-f]+\]: PERF_RECORD_/\2 \1 /; t known
		s/^([0-9]+) (0x)?[0-9a-f]+ \[0x[0-9a-f]+\]: PERF_RECORD_/\1 - /; T; : known; s/ +$//
		s/^([0-9]+ [-0-9]+) COMM: (.*):(-?[0-9]+)\/(-?[0-9]+)$/\1 comm \3 \4 0 \2/p
		s/^([0-9]+ [-0-9]+) COMM exec: (.*):(-?[0-9]+)\/(-?[0-9]+)$/\1 comm \3 \4 1 \2/p
		s/^([0-9]+ [-0-9]+) FORK\((-?[0-9]+):(-?[0-9]+)\):\((-?[0-9]+):(-?[0-9]+)\)$/\1 fork \2 \3 \4 \5/p
		s/^([0-9]+ [-0-9]+) EXIT\((-?[0-9]+):(-?[0-9]+)\):\((-?[0-9]+):(-?[0-9]+)\)$/\1 exit \2 \3 \4 \5/p
		s/^([0-9]+ [-0-9]+) ITRACE_START pid: ([0-9]+) tid: ([0-9]+)$/\1 itrace_start \2 \3/p
		s/^([0-9]+ [-0-9]+) SWITCH OUT.*$/\1 switch 1 -1 -1/p; s/^([0-9]+ [-0-9]+) SWITCH IN.*$/\1 switch 0 -1 -1/p
		s/^([0-9]+ [-0-9]+) SWITCH_CPU_WIDE OUT .*: *(-?[0-9]+)\/ *(-?[0-9]+)$/\1 switch 1 \2 \3/p
		s/^([0-9]+ [-0-9]+) SWITCH_CPU_WIDE IN .*: *(-?[0-9]+)\/ *(-?[0-9]+)$/\1 switch 0 \2 \3/p
		s/^([0-9]+ [-0-9]+) MMAP2? (-?[0-9]+)\/(-?[0-9]+): \[(0x)?([0-9a-f]+)\((0x)?([0-9a-f]+)\) @ (0x)?([0-9a-f]+)[^]]*\]: ([^ ]+) (.*)$/\1 map \2 \3 \5 \7 \9 &/
		s/^([0-9]+ [-0-9]+ map [^ ]+ [^ ]+ [^ ]+ [^ ]+ [^ ]+) .*\]: ([^ ]*x[^ ]*) (.*)$/\1 x \3/p
		s/^([0-9]+ [-0-9]+ map [^ ]+ [^ ]+ [^ ]+ [^ ]+ [^ ]+) .*\]: ([^ x]+) (.*)$/\1 - \3/p
		s/^([0-9]+ [-0-9]+) SAMPLE\([^)]*\): (-?[0-9]+)\/(-?[0-9]+): (0x)?([0-9a-f]+) .*$/\1 sample \2 \3 \5/p
		s/^([0-9]+ [-0-9]+) AUX offset: (0x)?([0-9a-f]+) size: (0x)?([0-9a-f]+) flags: .*$/\1 aux \3 \5/p' | norm
}
our_lines() {
	sed -nE '
		/^event/ { s/^event ([a-z_]+) time ([0-9]+) cpu (-?[0-9]+) pid (-?[0-9]+) tid (-?[0-9]+) ppid (-?[0-9]+) ptid (-?[0-9]+) (.*)$/\2 \3 \1 \4 \5 \6 \7 \8/
		s/^([^ ]+ [^ ]+ comm [^ ]+ [^ ]+) [^ ]+ [^ ]+ out . exec (.) value 0 (.*)$/\1 \2 \3/p
		s/^([^ ]+ [^ ]+ (fork|exit)) ([^ ]+ [^ ]+ [^ ]+ [^ ]+) out.*$/\1 \3/p
		s/^([^ ]+ [^ ]+ itrace_start [^ ]+ [^ ]+) .*$/\1/p
		s/^([^ ]+ [^ ]+ switch) [^ ]+ [^ ]+ ([^ ]+ [^ ]+) out (.) .*$/\1 \3 \2/p
		s/^([^ ]+ [^ ]+ map [^ ]+ [^ ]+) .* start (0x)?([0-9a-f]+) len (0x)?([0-9a-f]+) pgoff (0x)?([0-9a-f]+) ..(.) (.*) build-id .*$/\1 \3 \5 \7 \8 \9/p
		s/^([^ ]+ [^ ]+ sample [^ ]+ [^ ]+) .* ip (0x)?([0-9a-f]+) raw.*$/\1 \3/p }
		s/^chunk .* position (0x)?([0-9a-f]+) size (0x)?([0-9a-f]+) time [0-9]+\.\.([0-9]+) cpu (-?[0-9]+) .*$/\5 \6 aux \2 \4/p' "$1" | norm
}
# agree SENTENCE RECORDING LEAST: at least LEAST lines, the same ones, and nothing to complain
# about. Where records hold no CPU, perf prints none; csguest has the one that ID_INDEX gives to the
# event.
agree() {
	"$DUMP" "$2" >"$T/dump" 2>"$T/err"
	perf_lines "$2" >"$T/perf"
	our_lines "$T/dump" >"$T/ours"
	awk 'NR == FNR { perf[$0] = 1; next }
		{ for (i = 1; i < 3; i++) { line = $0; sub(/ [^ ]+/, i == 1 ? " -" : " -1", line); if (line in perf) break; line = $0 } print line }' \
		"$T/perf" "$T/ours" | sort >"$T/alike"
	ok "$1: there is something to compare" test "$(wc -l <"$T/perf")" -ge "$3"
	same "$1: perf and csguest read the same (<: perf, >: csguest)" "$T/perf" "$T/alike"
	hasnt "$1: nothing is reported" '^(warning|error)' "$T/dump"
}

if [ -d "$CAPTURES/n1sdp" ]; then
	agree "perf record of a Neoverse N1" "$CAPTURES/n1sdp/sort_single_thread/perf.data" 7
	has "its header names the machine" '^info kind 0 host hype-n1-sdp .* arch aarch64 perf 5.17' "$T/dump"
	has "its trace is CPU 1's" '^source queue 1 id 0x12 .* cpu 1 ' "$T/dump"
	agree "simpleperf" "$CAPTURES/simpleperf/perf_etm.data" 20
	agree "perf inject" "$CAPTURES/n1sdp/sort_single_thread/perf.data.inject" 10000
else
	no_captures
fi

# as_aarch64 FILE...: the header feature ARCH says aarch64.
as_aarch64() { sed -i 's/x86_64\x00\x00\x00\x00/aarch64\x00\x00\x00/' "$@"; }
some_work() { perf record "$@" -- sh -c 'for i in 1 2 3; do ls / >/dev/null; done' >"$T/log" 2>&1; }
cd "$T" || exit 1
if ! some_work -e dummy:u -a --switch-events -o plain; then
	skip "perf may not record here: $(tail -n 1 "$T/log")"
	exit
fi
as_aarch64 plain
agree "perf record" plain 100
some_work -e dummy:u --switch-events -o one
as_aarch64 one
agree "perf record of one process" one 10
some_work -e cpu-clock -a -z --switch-events -o compressed
as_aarch64 compressed
agree "perf record -z" compressed 100
has "and is known to be compressed" 'compressed 1' "$T/dump"
perf record -e dummy:u -a --switch-events -o - -- ls / 2>/dev/null >piped
as_aarch64 piped
agree "perf record -o -" piped 100
"$DUMP" piped | grep -v '^info' >whole
"$DUMP" - <piped | grep -v '^info' >stdin
cat piped | "$DUMP" - | grep -v '^info' >pipe
same "the same comes through standard input" whole stdin
same "and through a pipe" whole pipe
some_work -e cpu-clock -a -z --threads --switch-events -o parts
if [ -e parts/data.0 ]; then
	as_aarch64 parts/data
	agree "perf record --threads" parts 100
	has "and is known to be a directory" 'directory 1' "$T/dump"
else
	skip "perf record knows no --threads"
fi
"$DUMP" plain >whole
some_work -e dummy:u -a --switch-events -o cut
as_aarch64 cut
truncate -s $(($(stat -c %s cut) / 2)) cut
"$DUMP" cut >"$T/dump"
our_lines "$T/dump" >"$T/ours"
ok "of half a file, its first records are read" test "$(wc -l <"$T/ours")" -ge 20
has "and the cut is reported" '^warning: cut@0x[0-9a-f]+: .*' "$T/dump"
