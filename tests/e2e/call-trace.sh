#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest script --call-trace and --call-ret-trace: calls, indented by the stacks that they make.
. "$(dirname "$0")/lib.sh"

use_fixture
files=(--symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" --guest "g,pid=4100,vmlinux=$fixture/guest/vmlinux")
script() { "$CSGUEST" script -q "${files[@]}" "$@" "$fixture/perf.data"; }
# depths: "DEPTH FUNCTION" of lines with flags, as their indentation has it.
depths() { sed -nE 's/^.*[0-9]{9}: {3}.{21} ( *)([^ ]+).*$/\1|\2/p' | awk -F'|' '{ print length($1) / 4, $2 }'; }

ok "calls are listed" "$CSGUEST_SAN" script -q "${files[@]}" --call-trace "$fixture/perf.data"
cp "$T/out" "$T/calls"
has "with time, owner, object and function" '^ +sshd +712 \[000\] host +EL0 +1274\.[0-9]{9}:  *[a-z_]+ \(/usr/sbin/sshd\)$' "$T/calls"
has "of guests as well" '\] guest +EL1 +[0-9.]+: +setup_arch \(\[kernel\.kallsyms\]\)$' "$T/calls"
ok "calls and returns are listed" script --call-ret-trace
cp "$T/out" "$T/both"
has "with their flags" ': +return +setup_arch \(' "$T/both"
script --itrace=crew --ns -F -ip,-addr,-event,-period,+callindent,+flags >"$T/got"
same "as by its options" "$T/both" "$T/got"
script --itrace=crew --ns -F -addr,-event,-period,+flags | grep -vc '^ instruction trace error' >"$T/count"
is "each that is one is there" "$(cat "$T/count")" "$(grep -vc '^ instruction trace error' "$T/both")"
is "losses are listed" "$(script --itrace=e | wc -l)" "$(grep -c '^ instruction trace error' "$T/both")"
grep -vE ':   (return|iret|sysret|tr strt) ' "$T/both" | grep -v '^ instr' | sed -E 's/:   [a-z ]{21}/:/' >"$T/want"
grep -v '^ instr' "$T/calls" >"$T/got"
same "calls alone are those of calls and returns" "$T/want" "$T/got"

# A guest's stack hangs under its vCPU's thread, from which it is entered, and goes on where it was
# left.
at=$(grep -nE 'host>guest.* __guest_enter ' "$T/both" | head -n 1 | cut -d: -f1)
tail -n "+$((at - 5))" "$T/both" | head -n 13 | depths >"$T/part"
awk 'NR == 1 { top = $1 } { print $1 - top, $2 }' "$T/part" >"$T/got"
cat >"$T/want" <<-END
	0 kvm_arm_vcpu_enter_exit
	1 __kvm_vcpu_run
	2 __activate_traps
	2 __activate_traps
	2 __guest_enter
	2 __guest_enter
	4 setup_arch
	4 setup_arch
	2 __kvm_hyp_vector
	2 __guest_exit
	2 fixup_guest_exit
	2 fixup_guest_exit
	2 __deactivate_traps
END
same "a guest is entered, runs and is left" "$T/want" "$T/got"
is "or it stands alone" "1 setup_arch" "$(script --call-ret-trace --stacks separate | grep -F ' setup_arch ' | depths | sort -u)"

# The host's lines by a stack of return addresses: a call's function is one deeper than what it was
# called from, a return's is where it was called to.  Where trace begins, a guest was left or
# another thread runs, the depth is taken from the first line.
script --itrace=b --ns -F tid,cpu,time,world,ip,addr,sym,flags >"$T/branches"
script --itrace=b --ns -F tid,cpu,time,world,sym,dso,callindent,flags >"$T/indented"
is "all branches have a line either way" "$(wc -l <"$T/branches")" "$(wc -l <"$T/indented")"
paste -d'|' "$T/branches" "$T/indented" | grep '\[000\]' | awk -F'|' '
	function push(what) { stack[++n] = what }
	{
		kind = $1; sub(/^[^:]*:   /, "", kind); kind = substr(kind, 1, 21); sub(/ +$/, "", kind)
		world = $1; sub(/^.*\] /, "", world); sub(/ .*/, "", world)
		line = $2; sub(/^[^:]*:   /, "", line); line = substr(line, 23)
		match(line, /^ */); shown = length(line) > RLENGTH; column = RLENGTH
		split($1, field, " ")
		if (world != "host" || kind ~ /^tr / || field[1] != tid) { n = 0; based = 0; tid = field[1]; next }
		addr = $1; sub(/.*=> +/, "", addr); sub(/ .*/, "", addr)
		ip = $1; sub(/ =>.*/, "", ip); sub(/ [^ ]+ *$/, "", ip); sub(/.* /, "", ip)
		if (kind == "call" || kind ~ /int$/ || kind == "syscall") { push(kind == "call" ? ip : "exception"); depth = n }
		else if (kind == "iret" || kind == "sysret") { depth = n; while (n && stack[n] != "exception") n--; if (!n--) { n = 0; based = 0; next } }
		else if (kind == "return") {
			depth = n
			for (i = n; i && stack[i] != "exception"; i--) if (substr(stack[i], 1, length(addr) - 3) == substr(addr, 1, length(addr) - 3)) break
			if (i && stack[i] != "exception") n = i - 1; else { n = 0; based = 0; next }
		} else next
		if (!shown) { print "no name: " $0; next }
		if (!based) { base = column - 4 * depth; based = 1; next }
		# A call or return that was interrupted before the next instruction has no line of
		# its own, as in perf.
		if (kind != "call" && stack[n] == "exception" && n == depth && (column - base) / 4 != depth) { n = 0; based = 0; next }
		checked++
		if (column != base + 4 * depth) print column, base, depth, $0
	}
	END { print checked > "'"$T/checked"'" }' >"$T/other"
none "the host's calls are as deep as their return addresses say" "$T/other"
is "more than a thousand of them" true "$([ "$(cat "$T/checked")" -gt 1500 ] && echo true)"

# Filtered is the whole, filtered afterwards: stacks are those of all that ran.
filtered() {
	script --call-ret-trace --itrace=cr "${@:3}" >"$T/got"
	grep -v '^ instr' "$T/both" | eval "$2" >"$T/want"
	same "$1" "$T/want" "$T/got"
}
filtered "of a VM" "grep -E '\] guest(>host)? '" --vm 4100
filtered "of a process" "grep '^ *sshd '" --pid 712
filtered "of a time" "grep ' 1274\.56790'" --time 1274.567900000,1274.567909999
filtered "of a function" "grep -F ' setup_arch '" --symbol setup_arch
