#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest script --insn-trace=disasm beside objdump, and a csguest that was built without capstone.
. "$(dirname "$0")/lib.sh"

use_fixture
files=(--symfs "$T/sys" --vmlinux "$fixture/host/vmlinux")
script() { "$CSGUEST" script -q "${files[@]}" "$@" "$fixture/perf.data"; }

plain=$BUILD/tools/no-capstone
hasnt "the library needs no capstone" capstone <(ldd "$BUILD/libcsguest.so")
if [ -x "$plain" ]; then
	hasnt "a csguest can be built without it" capstone <(ldd "$plain")
	exits 2 "it does not disassemble" "$plain" script "${files[@]}" --insn-trace=disasm "$fixture/perf.data"
	has "and says why" 'the field disasm: this csguest was built without capstone' "$T/err"
	ok "but lists instructions" "$plain" script -q "${files[@]}" --insn-trace "$fixture/perf.data"
	script --insn-trace >"$T/want"
	same "as the other does" "$T/want" "$T/out"
else
	skip "$plain is not built"
fi

exits 2 "only raw and disasm are known" script --insn-trace=intel
has "by name" "--insn-trace is one of raw, disasm, not 'intel'" "$T/err"
ldd "$CSGUEST" | grep -q capstone || skip_all "csguest was built without capstone"
need aarch64-linux-gnu-objdump
exits 2 "assembler text is code: not with names hidden" script --insn-trace=disasm --anonymise

ok "each instruction is listed as assembler text" "$CSGUEST_SAN" script -q "${files[@]}" --insn-trace=disasm "$fixture/perf.data"
cp "$T/out" "$T/disasm"
ok "and with its bytes" script --insn-trace=raw
sed 's/ insn: .*//' "$T/out" >"$T/want"
sed 's/\t\t.*//' "$T/disasm" >"$T/got"
same "of the same instructions, each with its owner" "$T/want" "$T/got"
script --itrace=i1ie --ns -F +disasm,-event,-period >"$T/got"
same "as by its options" "$T/disasm" "$T/got"
is "losses are listed, as perf does" "$(script --itrace=e | wc -l)" "$(grep -c '^ instruction trace error' "$T/disasm")"

# The host's kernel, by address.
listed() { script --itrace=i1i -F ip,disasm "$@" | sort -u | awk -f "$TOP/tests/e2e/insn-trace.awk"; }
aarch64-linux-gnu-objdump -d "$fixture/host/vmlinux" | grep -E '^ *ffff[0-9a-f]+:	' | awk -f "$TOP/tests/e2e/insn-trace.awk" | sort >"$T/objdump"
listed --dso '[kernel.kallsyms]' | sort >"$T/listed"
is "several hundred instructions of the kernel ran" true "$([ "$(wc -l <"$T/listed")" -gt 300 ] && echo true)"
comm -23 "$T/listed" "$T/objdump" >"$T/other"
none "each reads as objdump has it, branches with their targets" "$T/other"

# Filtered is the whole, filtered afterwards.
script --insn-trace=disasm --itrace=i1i >"$T/whole"
filtered() {
	script --insn-trace=disasm --itrace=i1i "${@:3}" >"$T/got"
	eval "$2" <"$T/whole" >"$T/want"
	same "$1" "$T/want" "$T/got"
}
filtered "of one function" "grep -F ' el0_svc+0x'" --symbol el0_svc
filtered "of a process on a CPU" "grep '^ *sshd .*\[000\]'" --pid 712 -C 0
filtered "of a time" "grep ' 1274\.56790'" --time 1274.567900000,1274.567909999
is "the guest's code is not available" "" "$(script --insn-trace=disasm --itrace=i1i --world guest)"

# A real kernel and real programs: each distinct word that ran, by mnemonic, and by operands but
# where they depend on its address.  Old versions of capstone do not know the atomic instructions of
# Armv8.1, and show bytes; hints have their numbers, and conditions and moves other aliases.
ok "two-guests unpacks" tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
"$CSGUEST" script -q --symfs "$T/symfs" --buildid-dir "$T/buildid" --itrace=i1i -F insn,disasm -C 1 --time 11.3238,11.3246 "$T/perf.data" |
	sed -nE 's/^ insn: (..) (..) (..) (..)\t\t/\4\3\2\1 /p' | sort -u >"$T/words"
is "thousands of distinct words ran" true "$([ "$(wc -l <"$T/words")" -gt 3000 ] && echo true)"
sed 's/^\(........\).*/.inst 0x\1/' "$T/words" | aarch64-linux-gnu-as -march=armv8.2-a -o "$T/words.o" -
aarch64-linux-gnu-objdump -d "$T/words.o" | sed -nE 's/^ *[0-9a-f]+:\t([0-9a-f]{8}) ?\t/\1 /p' | awk -f "$TOP/tests/e2e/insn-trace.awk" >"$T/objdump"
awk -f "$TOP/tests/e2e/insn-trace.awk" "$T/words" | sed -E 's/\<b\.hs\>/b.cs/; s/\<b\.lo\>/b.cc/; s/, hs$/, cs/; s/, lo$/, cc/' >"$T/listed"
is "objdump has as many" "$(wc -l <"$T/listed")" "$(wc -l <"$T/objdump")"
paste -d'|' "$T/listed" "$T/objdump" | awk -F'|' '{
	split($1, a, " "); split($2, b, " ")
	if (a[2] != b[2]) {
		known = a[2] == "hint" || a[2] " " b[2] ~ /^(movn|orr|movz) mov$/ || (length(a[2]) == 2 && b[2] ~ /^(ld|st|cas|swp)/)
	} else {
		known = $1 == $2 || b[2] ~ /^(b|bl|b\..*|cbz|cbnz|tbz|tbnz|adr|adrp|mrs|msr|mov|fmov)$/
	}
	if (!known) print
}' >"$T/other"
none "each reads as objdump has it" "$T/other"
