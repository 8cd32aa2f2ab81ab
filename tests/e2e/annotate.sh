#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest annotate beside the instructions that script lists, and the sums of report.
. "$(dirname "$0")/lib.sh"

ok "two-guests unpacks" tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
guests=()
for vm in 136 138; do guests+=(--guest "g$vm,pid=$vm,perf=$T/guest-$vm.data"); done
on() {
	"$CSGUEST" "$1" -q --symfs "$T/symfs" --buildid-dir "$T/buildid" --guestmount "$T/guestmount" "${guests[@]}" "${@:2}" "$T/perf.data"
}
annotate() { on annotate --format csv "$@"; }

# listed OPTION...: VM, process and offset of each instruction of the function, with its number,
# from script.
listed() {
	on script --itrace=i1i -F pid,tid,ip,sym,symoff,machine_pid "$@" | awk '{
		vm = $1 == "VM:" ? $2 : 0
		for (i = 1; i <= NF; i++) if ($i ~ /^[-0-9]+\/[-0-9]+$/) { split($i, id, "/"); break }
		offset = $NF; sub(/.*\+0x/, "", offset)
		print vm "," id[1] "," offset
	}' | sort | uniq -c | awk '{ print $1 "," $2 }'
}
# counted OPTION...: the same of annotate.
counted() {
	annotate --by vm,pid "$@" | tail -n +2 | awk -F, '{ n[$2 "," ($3 == "" ? -1 : $3) "," sprintf("%x", $7)] += $1 }
		END { for (k in n) print n[k] "," k }'
}
# A kernel's function that host and guests have, one of a program, one of both.
for symbol in memset msort_with_tmp.part.0 __memcpy_simd; do
	for options in "" "--vm 136" "--world host" "--comm asker" "-C 1" "--time 11.323,11.325"; do
		# shellcheck disable=SC2086
		listed --symbol $symbol $options | sort >"$T/want"
		# shellcheck disable=SC2086
		counted --symbol $symbol $options | sort >"$T/got"
		is "$symbol $options: more than ten instructions ran" true "$([ "$(wc -l <"$T/want")" -gt 10 ] && echo true)"
		same "$symbol $options: each as often as script lists it, by VM and process" "$T/want" "$T/got"
	done
done
annotate --by world,vcpu --symbol memset,by_value | tail -n +2 | awk -F, '{ n[$2 "," $4 "," $3 "," $5 "," $6] += $1 } END { for (k in n) print n[k] "," k }' | sort >"$T/got"
on report --format csv --by world,vm,vcpu,dso,symbol --symbol memset,by_value | tail -n +2 | cut -d, -f2,4-8 | sort >"$T/want"
same "two functions have the sums of their rows in report" "$T/want" "$T/got"

# Text says the same: a page for each function, with owners of their own.
on annotate --symbol memset --by vm,pid >"$T/text"
is "a page for each machine" "host 136 138" "$(sed -n 's/^# machine: .* //p' "$T/text" | xargs)"
awk '/^# machine:/ { vm = $NF == "host" ? 0 : $NF } /^# instructions:/ { print vm "," $3 }' "$T/text" | sort >"$T/got"
annotate --symbol memset --by vm | tail -n +2 | awk -F, '{ n[$2] += $1 } END { for (k in n) print k "," n[k] }' | sort >"$T/want"
same "with its sum" "$T/want" "$T/got"
awk '/^# machine:/ { vm = $NF == "host" ? 0 : $NF; delete pid; n = 0 }
	/^# [A-H] / { pid[n++] = $NF == "?" ? "" : $NF }
	/^ *[0-9.]+%/ { for (i = 0; i < n; i++) if ($(2 + i)) print $(2 + i) "," vm "," pid[i] "," $(2 + n) }' "$T/text" | sort >"$T/got"
annotate --symbol memset --by vm,pid | tail -n +2 | awk -F, '{ print $1 "," $2 "," $3 "," sprintf("%x", $7) }' | sort >"$T/want"
same "and a column for each owner" "$T/want" "$T/got"
if ldd "$CSGUEST" | grep -q capstone; then
	on script --itrace=i1i -F ip,disasm --symbol memset --world host | awk '{ $1 = $1; sub(/^[0-9a-f]+ /, ""); print }' | sort -u >"$T/want"
	on annotate --symbol memset --world host --by world | sed -nE 's/^ +[0-9.]+% +[0-9]+ +[0-9a-f]+ +[0-9a-f]+  (.*)/\1/p' | awk '{ $1 = $1; print }' | sort -u >"$T/got"
	same "instructions read as script's" "$T/want" "$T/got"
else
	skip "csguest was built without capstone"
fi
is "the rest of many owners shares a column" "$(on annotate --symbol memset --by cpu,tid,comm,pid,vcpu,el,evidence --world host | awk '/^# instructions:/ { print $3 }')" \
	"$(on annotate --symbol memset --by cpu,tid,comm,pid,vcpu,el,evidence --world host | awk '/^# [A-H+] / { n += $3 } END { print n }')"

exits 2 "without a function" on annotate
has "it is asked for" 'which function\?  --symbol NAME' "$T/err"
exits 2 "keys of code are no owners" on annotate --symbol memset --by vm,dso
exits 2 "nor is a word that is no key" on annotate --symbol memset --by vm,vcup
has "but one is like it" "^csguest annotate: --by: no key 'vcup'; did you mean 'vcpu'\\?$" "$T/err"
exits 2 "nor one that comes twice" on annotate --symbol memset --by vm,vm
has "says so" "^csguest annotate: --by: 'vm' comes twice$" "$T/err"
exits 2 "code is not shown with names hidden" on annotate --symbol memset --anonymise
"$CSGUEST_SAN" annotate --symbol memste --vmlinux /dev/null "${guests[@]}" "$T/perf.data" >"$T/out" 2>"$T/err"
has "a function that did not run has one that is like it" "did you mean 'memset'" "$T/err"
ok "nothing leaks" "$CSGUEST_SAN" annotate -q --symbol memset,by_value "${guests[@]}" "$T/perf.data"

# Source lines, by debug information: as report has them.
fixture=$TRACES/vhe-one-guest
if command -v aarch64-linux-gnu-as >/dev/null; then
	id=$(readelf -n "$fixture/host/vmlinux" | sed -n 's/.*Build ID: //p')
	aarch64-linux-gnu-as -g -march=armv8.2-a+crc -o "$T/host.o" "$fixture/src/host.S"
	ok "a kernel with debug information" aarch64-linux-gnu-ld --build-id="0x$id" -z max-page-size=4096 -z noexecstack -static \
		-T "$fixture/src/kernel.lds" -o "$T/vmlinux" "$T/host.o"
	"$CSGUEST" annotate -q --format csv --by world --symbol el0_svc --vmlinux "$T/vmlinux" "$fixture/perf.data" |
		tail -n +2 | awk -F, '{ n[$NF] += $1 } END { for (k in n) print k "," n[k] }' | sort >"$T/got"
	"$CSGUEST" report -q --format csv --by srcline --symbol el0_svc --vmlinux "$T/vmlinux" "$fixture/perf.data" |
		tail -n +2 | awk -F, '{ print $(NF - 1) "," $2 }' | sort >"$T/want"
	is "lines ran" true "$([ "$(wc -l <"$T/want")" -gt 2 ] && echo true)"
	same "each source line has the instructions that report has" "$T/want" "$T/got"
	"$CSGUEST" annotate -q --symbol el0_svc --vmlinux "$T/vmlinux" "$fixture/perf.data" >"$T/out"
	is "in text each stands before its instructions" "$(wc -l <"$T/want")" "$(grep '^; ' "$T/out" | sort -u | wc -l)"
else
	skip "no aarch64-linux-gnu-as"
fi

# On a terminal columns are narrower, and some owners share one.
if script -qec true /dev/null >/dev/null 2>&1; then
	command=("$CSGUEST" annotate -q --symbol memset --symfs "$T/symfs" --buildid-dir "$T/buildid" --guestmount "$T/guestmount" "${guests[@]}" "$T/perf.data")
	script -qec "stty cols 80; env PAGER=cat NO_COLOR=1 ${command[*]@Q}" "$T/typescript" 2>&1 </dev/null | tr -d '\r' >"$T/seen"
	"${command[@]}" >"$T/whole" 2>"$T/err"
	is "a function that many ran fits a terminal of 80 columns" "" "$(awk '!/^#/ && length > 80' "$T/seen")"
	is "which shows each instruction with its share" "$(awk '/^ / { print $1, $NF }' "$T/whole")" "$(awk '/^ / { print $1, $NF }' "$T/seen")"
else
	skip "no script to make a terminal"
fi
