#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest report --by srcline beside addr2line: the fixture's programs, assembled again with debug
# information.
. "$(dirname "$0")/lib.sh"
need jq readelf aarch64-linux-gnu-as

fixture=$TRACES/vhe-one-guest
[ -f "$fixture/perf.data" ] || skip_all "no fixture vhe-one-guest"

# build NAME FILE TO LD-OPTION...: as traces/vhe-one-guest/make.sh does, with the recorded build ID.
build() {
	local id
	id=$(readelf -n "$fixture/$2" | sed -n 's/.*Build ID: //p')
	mkdir -p "$(dirname "$3")"
	aarch64-linux-gnu-as -g -march=armv8.2-a+crc -o "$T/$1.o" "$fixture/src/$1.S" &&
		aarch64-linux-gnu-ld --build-id="0x$id" -z max-page-size=4096 -z noexecstack "${@:4}" -o "$3" "$T/$1.o"
}
ok "the host's kernel is assembled with debug information" build host host/vmlinux "$T/vmlinux" -static -T "$fixture/src/kernel.lds"
ok "so is a program" build sshd host/sshd "$T/root/usr/sbin/sshd" -pie --no-dynamic-linker
ok "and the guest's kernel" build guest guest/vmlinux "$T/guest" -static -T "$fixture/src/kernel.lds"
while read -r file with_lines; do
	aarch64-linux-gnu-objcopy -O binary -j .text "$fixture/$file" "$T/text"
	aarch64-linux-gnu-objcopy -O binary -j .text "$T/$with_lines" "$T/text.lines"
	ok "the code of $file is the same" cmp "$T/text" "$T/text.lines"
done <<-END
	host/vmlinux vmlinux
	host/sshd root/usr/sbin/sshd
	guest/vmlinux guest
END
files=(--symfs "$T/root" --vmlinux "$T/vmlinux" --guest "g,pid=4100,vmlinux=$T/guest")
report() { "$CSGUEST" report -q --format csv "${files[@]}" "$@" "$fixture/perf.data"; }
script() { "$CSGUEST" script -q "${files[@]}" "$@" "$fixture/perf.data"; }

# wanted FILE [OPTION...]: each line with its instructions, from each instruction's address in the
# terms of its file.
wanted() {
	script --itrace=i1i -F ip,symoff,sym,dso "${@:2}" | awk '{ print $1 }' | aarch64-linux-gnu-addr2line -e "$1" |
		sort | uniq -c | awk '{ print $2 "," $1 }' | sort
}
# listed [OPTION...]: the same as the report has it.
listed() { report "$@" | tail -n +2 | awk -F, '{ print $(NF - 1) "," $2 }' | sort; }

wanted "$T/vmlinux" --world host --dso '[kernel.kallsyms]' >"$T/want"
listed --by srcline --world host --dso '[kernel.kallsyms]' >"$T/got"
is "more than a hundred lines of the kernel ran" true "$([ "$(wc -l <"$T/want")" -gt 100 ] && echo true)"
same "the kernel's instructions by line are those that addr2line finds" "$T/want" "$T/got"
wanted "$T/guest" --vm 4100 >"$T/want"
listed --by srcline --vm 4100 >"$T/got"
same "a guest's, whose addresses are the host's as well" "$T/want" "$T/got"
script --itrace=i1i -F ip,srcline --dso sshd | awk 'NF == 1 && $1 ~ /:/ { print }' | sort | uniq -c | awk '{ print $2 "," $1 }' | sort >"$T/want"
listed --by srcline --dso sshd | sed 's|.*/||' >"$T/got"
same "a program's are those that script shows" "$T/want" "$T/got"

# Inlined functions: each instruction has the line of the innermost, as addr2line has it, and the
# symbol of the outer one.
cat >"$T/inlined.c" <<'END'
static inline __attribute__((always_inline)) int twice(int n)
{
	return n * 3 + (n >> 2);
}
static inline __attribute__((always_inline)) int more(int n)
{
	int m = twice(n);

	return m ^ twice(m + 7);
}
int main(int argc, char **argv)
{
	int all = 0;

	for (int i = 0; i < argc * 100; i++)
		all += more(i);
	return all + argv[0][0];
}
END
for options in "-O2 -gdwarf-4" "-O2 -gdwarf-5" "-O3 -gdwarf-5"; do
	command -v aarch64-linux-gnu-gcc >/dev/null || { skip "no aarch64-linux-gnu-gcc"; break; }
	# shellcheck disable=SC2086
	(cd "$T" && aarch64-linux-gnu-gcc $options -o inlined inlined.c)
	read -r from size < <(readelf -sW "$T/inlined" | awk '$8 == "main" { print $2, $3 }')
	for ((at = 16#$from; at < 16#$from + size; at += 4)); do printf '%x\n' "$at"; done >"$T/at"
	aarch64-linux-gnu-addr2line -e "$T/inlined" <"$T/at" | sed 's/ (discriminator.*//; s|.*/||' >"$T/want"
	is "$options: lines of both inlined functions are there" "3 9" "$(grep -oE ':(3|9)$' "$T/want" | sort -u | tr -d : | xargs)"
	# The tool maps the file at this address.
	while read -r at; do printf '%x\n' $((0x10000000 + 16#$at)); done <"$T/at" >"$T/mapped"
	"$BUILD/tools/symbols" -l "$T/inlined" <"$T/mapped" >"$T/out"
	sed 's|.*/||' "$T/out" >"$T/got"
	same "$options: and are those that addr2line finds" "$T/want" "$T/got"
	hasnt "$options: each in main" ' (twice|more)' "$T/out"
done

# Keys add up: no key loses or doubles an instruction or a branch.
sums() { report "$@" | tail -n +2 | awk -F, '{ i += $2; b += $3 } END { print i, b }'; }
is "instructions and branches add up" "$(sums --by world)" "$(sums --by world,vm,comm,srcline)"
report --by world,vm,srcline | grep -F "$fixture/src/guest.S" | cut -d, -f4,5 | sort -u >"$T/got"
is "a guest's lines are nobody else's" "guest,4100" "$(cat "$T/got")"
is "a line goes by perf's option as well" "$(report --by symbol,srcline | md5sum)" "$(report -s sym,srcline | md5sum)"
report --by world,srcline >"$T/whole"
report --by world,srcline --world guest | cut -d, -f2- >"$T/got"
awk -F, 'NR == 1 || $4 == "guest"' "$T/whole" | cut -d, -f2- >"$T/want"
same "filtered is the whole, filtered afterwards" "$T/want" "$T/got"
is "what is cut adds up" "$(sums --by srcline)" "$(sums --by srcline --max-lines 5)"
is "code without debug information has a row" null \
	"$("$CSGUEST" report -q --by srcline --format json --symfs "$T/none" --vmlinux "$fixture/host/vmlinux" "$fixture/perf.data" | jq -c '.rows[].srcline')"
exits 2 "lines are paths: not with names hidden" report --by srcline --anonymise
ok "sanitizers find nothing" "$CSGUEST_SAN" report -q "${files[@]}" --by vm,symbol,srcline "$fixture/perf.data"
