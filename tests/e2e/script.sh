#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest script on the bundled fixture: two CPUs, a VHE host, one guest, virtual timestamps.
. "$(dirname "$0")/lib.sh"
need jq

use_fixture
files=(--symfs "$T/sys" --vmlinux "$fixture/host/vmlinux")
script() { "$CSGUEST" script "${files[@]}" -i "$fixture/perf.data" "$@"; }
# The guest's code is not given: the host is listed all the same.

# Every instruction of the host that the truth has, in order on each CPU, and no other.
while read -r cpu start end el world _ _ pid tid _; do
	[ "$world" = host ] || continue
	for ((a = 0x$start; a < 0x$end; a += 4)); do
		printf '%d/%d [%03d] host EL%d %x\n' "$pid" "$tid" "$cpu" "$el" $a
	done
done < <(grep -v '^#' "$fixture/truth.txt") >"$T/truth"
ok "every instruction is listed with its owner" script -q --itrace=i1i -F pid,tid,cpu,world,el,ip
tr -s ' ' <"$T/out" | sed -e 's/^ //' -e 's/ $//' >"$T/listed"
for cpu in 000 001; do
	grep -F "[$cpu]" "$T/truth" >"$T/truth.$cpu"
	grep -F "[$cpu]" "$T/listed" >"$T/listed.$cpu"
	same "the host's instructions on CPU $cpu are those that ran" "$T/truth.$cpu" "$T/listed.$cpu"
done

ok "branches are listed" script -q
cp "$T/out" "$T/branches"
has "EL2 is the host's kernel" '\] host       EL2 .*\(\[kernel\.kallsyms\]\)' "$T/branches"
has "EL0 the host's processes" ' sshd +712 \[000\] host       EL0 .*\(/usr/sbin/sshd\)' "$T/branches"
has "the way into the guest is shown" '__guest_enter\+0x[0-9a-f]+ \(\[kernel\.kallsyms\]\) =>' "$T/branches"
has "from the host to EL1" '\] host>guest EL2>EL1 ' "$T/branches"
has "and straight to EL0" '\] host>guest EL2>EL0 ' "$T/branches"
has "the way out begins at the vectors" ' 0 \[unknown\] \(\[unknown\]\) => .*__kvm_hyp_vector' "$T/branches"

# All times are the host's, a guest's timestamps too, and never run backwards.
grep -Eo '[0-9]+\.[0-9]{6}: ' "$T/branches" | tr -d ': ' >"$T/times"
is "no time is the guest's counter" 1274 "$(cut -d. -f1 "$T/times" | sort -u | tr '\n' ' ' | sed 's/ $//')"
sort -n "$T/times" >"$T/sorted"
same "times never run backwards" "$T/sorted" "$T/times"

ok "the evidence can be listed" script -q -F world,evidence,hosttid,ip
has "as words" '^host       \{[a-zA-Z0-9_ ,]+\} host:(4100|4103|712) ' "$T/out"
ok "processes are chosen by name" script -q --comms sshd
is "only they are listed" sshd "$(awk '{print $1}' "$T/out" | sort -u)"
ok "CPUs are chosen" script -q -C 1
hasnt "only they are listed" '\[000\]' "$T/out"
ok "losses are listed when asked for" script -q --itrace=e
has "as perf lists errors" '^ instruction trace error type 1 time 1[0-9]+\.[0-9]{9} machine_pid -?[0-9]+ vcpu -?[0-9]+ cpu 0 pid -?[0-9]+ tid -?[0-9]+ ip 0xffff80008000' "$T/out"
ok "what ran up to a time is listed" script -q --time ,1274.567910
half=$(wc -l <"$T/out")
ok "and what ran later" script -q --time 1274.567910,
is "together they are the whole" "$(wc -l <"$T/branches")" $((half + $(wc -l <"$T/out")))
ok "parts of the recording are chosen" script -q --time 0%-50%
hasnt "they know nothing of the guest's clock" ' 1187\.' "$T/out"

piped() { "$CSGUEST" script "${files[@]}" -q -i - <"$fixture/perf.data"; }
ok "a recording comes through a pipe" piped
same "and gives the same" "$T/branches" "$T/out"
exits 2 "two recordings are refused" "$CSGUEST" script "$fixture/perf.data" "$fixture/perf.data"
exits 2 "nonsense for --time is refused" script --time yesterday
exits 5 "a recording that is not there is named" "$CSGUEST" script "$T/absent.data"
has "by its path" "$T/absent.data" "$T/err"
"$CSGUEST" script -q "${files[@]}" --itrace=i1ie --ns -F +insn,-event,-period "$fixture/perf.data" >"$T/insns"
ok "each instruction is listed by perf's word" "$CSGUEST_SAN" script -q "${files[@]}" --insn-trace "$fixture/perf.data"
same "as by its options" "$T/insns" "$T/out"
has "with its bytes" 'insn: ([0-9a-f]{2} ){3}[0-9a-f]{2}' "$T/out"
is "all of them" "$("$CSGUEST" report -q "${files[@]}" --format json "$fixture/perf.data" | jq .totals.instructions)" "$(grep -vc '^ instruction trace error' "$T/out")"
exits 2 "not with names hidden, as the bytes are code" "$CSGUEST_SAN" script -q "${files[@]}" --insn-trace --anonymise "$fixture/perf.data"
ok "an ordinary run under the sanitizers is clean" "$CSGUEST_SAN" script "${files[@]}" --itrace=i7il16be -F +brstack,+brstacksym,+flags,+insn,+srcline,+evidence -i "$fixture/perf.data"

# Lines of stock perf 6.12, of each CPU, but for the times, which it takes from the guest's counter
# as they are; Debian 12's perf shows guests otherwise.
PERF=$BUILD/perf-6.12-stock
[ -x "$PERF" ] || skip_all "no stock perf 6.12 to compare with (e2e/perf-built says why)"
for file in "$fixture"/host/*; do perf --buildid-dir "$HOME/.debug" buildid-cache -a "$file" 2>"$T/perf.err"; done
timeless() { sed -E 's/ +[0-9]+\.[0-9]{6}([0-9]{3})?:/ /'; }
perf_script() { perf script -f -i "$fixture/perf.data" "$@" 2>>"$T/perf.err" | timeless; }
for cpu in 0 1; do
	for itrace in i1i i7i i100i; do
		perf_script -C $cpu --itrace=$itrace >"$T/perf"
		script -q -C $cpu --itrace=$itrace -F -world,-el | timeless >"$T/out"
		same "perf 6.12 lists the same of CPU $cpu for --itrace=$itrace" "$T/perf" "$T/out"
	done
	# It lists no losses.  Its own --insn-trace asks for a period of 0, which does not end for
	# cs_etm.
	perf_script -C $cpu --itrace=i1ie --ns -F +insn,-event,-period >"$T/perf"
	script -q -C $cpu --insn-trace -F -world,-el | grep -v '^ instruction trace error' | timeless >"$T/out"
	same "perf 6.12 has the same instructions and bytes of CPU $cpu" "$T/perf" "$T/out"
	perf_script -C $cpu --itrace=b -F +flags >"$T/perf"
	script -q -C $cpu --itrace=b -F -world,-el,+flags | timeless >"$T/out"
	diff "$T/perf" "$T/out" >"$T/diff"
	grep '^<' "$T/diff" | grep -v '__guest_enter.*=> *\(0 \|.* __kvm_hyp_vector\)' >"$T/lost"
	none "of perf's branches only those it invents across the guest are missing of CPU $cpu" "$T/lost"
	grep '^>' "$T/diff" | grep -v 'tr end .*__guest_enter\|tr strt .* __kvm_hyp_vector' >"$T/new"
	none "and nothing but entries and exits is new of CPU $cpu" "$T/new"
done
