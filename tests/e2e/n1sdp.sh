#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest script lists what perf lists of a real recording (Neoverse N1, VHE host, user space only).
. "$(dirname "$0")/lib.sh"
need_captures n1sdp/sort_single_thread
need_perf
need bzip2

capture=$CAPTURES/n1sdp/sort_single_thread
cache=$T/cache
mkdir "$cache"
tar -xjf "$capture/perf.data.tar.bz2" -C "$cache"

# perf's listing, without what it warns of.
perf_script() { perf --buildid-dir "$cache" script -f "$@" 2>>"$T/perf.err"; }
script() { "$CSGUEST" script -q --buildid-dir "$cache" -i "$capture/perf.data" "$@"; }

# Perf 6.12's lines, byte for byte. Older ones have narrower columns, no branch type, and name the
# program's PLT (0x4002a0 to 0x400310, without symbols of its own) by what lies before it.
case $(perf version) in
*' 6.12'*) columns() { cat "$1"; } ;;
*)
	columns() {
		tr -s ' ' <"$1" | sed -E -e 's,/0//-? ,/0/ ,g' -e 's/ (4002[a-f].|40030.) [^ ]+/ \1 PLT/g'
	}
	;;
esac

# As many of the golden file's lines as stock perf 6.12 gives: all but the last, a branch to
# 0xdeadbeefdeadbeef that the perf of 2022 made of a range that never came.
perf_script -i "$capture/perf.data.inject" >"$T/golden"
is "the golden file holds 13133 samples" 13133 "$(wc -l <"$T/golden")"
ok "script decodes the recording" script -F -world,-el --itrace=i10ib
columns "$T/golden" >"$T/golden.columns"
columns "$T/out" >"$T/out.columns"
diff "$T/golden.columns" "$T/out.columns" >"$T/golden.diff"
is "it misses no more than one of the golden samples" 1 "$(grep -c '^<' "$T/golden.diff")"
is "and invents none" 0 "$(grep -c '^>' "$T/golden.diff")"
has "the one that is missing goes to an address that never was" '^< .*=> *deadbeefdeadbeef' "$T/golden.diff"

# The same as perf makes of the recording itself.
while read -r itrace fields; do
	perf_script "--itrace=$itrace" ${fields:+-F "$fields"} -i "$capture/perf.data" >"$T/perf"
	script "--itrace=$itrace" -F "${fields:--world,-el}" >"$T/script" 2>"$T/err"
	columns "$T/perf" >"$T/perf.columns"
	columns "$T/script" >"$T/script.columns"
	same "--itrace=$itrace${fields:+ -F $fields} is as perf has it" "$T/perf.columns" "$T/script.columns"
done <<'END'
b
i10ib
i1000i
i1i
i100il4b
i7il3
b comm,pid,tid,cpu,time,event,ip,sym,symoff,dso,addr,flags
b ip,sym,flags,insn,insnlen
i50ib comm,tid,time,period,event,ip,addr
i20il8 ip,brstack,sym
END

ok "script lists branches with world and exception level by default" script
is "as many as perf" 6989 "$(wc -l <"$T/out")"
is "all of them of the host's EL0" 6989 "$(grep -c '\] host       EL0 ' "$T/out")"

ok "times can be cut out" script --time 167370.470923, --ns
is "samples inside stay" 6989 "$(wc -l <"$T/out")"
has "and show nanoseconds" ' 167370\.470923440: ' "$T/out"
ok "and what lies outside" script --time 167370.480,
is "goes" 0 "$(wc -l <"$T/out")"
ok "other CPUs" script -C 0,2-3
is "hold nothing" 0 "$(wc -l <"$T/out")"
ok "nor other threads" script --tid 1
is "hold anything" 0 "$(wc -l <"$T/out")"
ok "the thread that was traced" script --tid 265475 --comms sort
is "holds everything" 6989 "$(wc -l <"$T/out")"

ok "calls alone" script --itrace=c -F flags,ip
hasnt "are no jumps" 'jmp|jcc|return' "$T/out"
has "but calls" '  call ' "$T/out"
ok "every instruction" script --itrace=i0ns -F ip
sort -u "$T/out" >"$T/addresses"
ok "is there for branches to come from" script --itrace=b -F ip
grep -v '^ *0$' "$T/out" | sort -u >"$T/sources"
comm -13 "$T/addresses" "$T/sources" >"$T/strangers"
none "no branch comes from an instruction that did not run" "$T/strangers"

exits 2 "a period in time is refused" script --itrace=i10us
has "with what can be said instead" 'i1000i' "$T/err"
exits 2 "an unknown field is refused" script -F ip,nonsense
exits 4 "a full disk is reported" sh -c '"$@" >/dev/full' sh "$CSGUEST" script -q --buildid-dir "$cache" -i "$capture/perf.data"
script 2>"$T/err" | head -n 1 >"$T/first"
none "a reader that goes away is no error" "$T/err"
