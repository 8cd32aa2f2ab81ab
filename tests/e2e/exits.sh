#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest exits: every exit of the truth is there, with its reason.
. "$(dirname "$0")/lib.sh"
need jq

use_fixture
one_guest report >/dev/null
status=$? # 0, or that code is missing
exits $status "JSON is printed" one_guest exits --format json
cp "$T/out" "$T/json"
ok "and a JSON parser reads it" jq -e . "$T/json"
# Guest to host on one CPU, by the truth; what a buffer ends or the recording ends in has no entry.
truth=$(awk '!/^#/ { if ($1 != cpu) was = ""; if (was == "guest" && $5 == "host") n++; was = $5; cpu = $1 } END { print n }' "$fixture/truth.txt")
seen=$(jq '([.rows[].exits] | add) + .open' "$T/json")
is "every exit of the truth is there" "$truth" "$seen"
calls() { # SYMBOL: how often it was entered, by instructions listed one by one
	"$CSGUEST" script -q --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" --guestvmlinux "$fixture/guest/vmlinux" \
		--itrace=i0ns -F ip,symoff,sym "$fixture/perf.data" 2>/dev/null | grep -c " $1+0x0\b"
}
reason() { jq "[.rows[] | select($1) | .exits] | add // 0" "$T/json"; }
is "each fast exit is one call of its handler" "$(calls kvm_hyp_handle_fpsimd)" \
	"$(reason '.fast and .handler == "kvm_hyp_handle_fpsimd"')"
is "each abort is one call of its handler" "$(calls kvm_handle_guest_abort)" \
	"$(reason '(.fast | not) and .handler == "kvm_handle_guest_abort"')"
is "each wait is one call of its handler" "$(calls kvm_handle_wfx)" "$(reason '.handler == "kvm_handle_wfx" and .exception == "trap"')"
is "interrupts have no handler of KVM" 0 "$(reason '.exception == "IRQ" and .handler != null')"
is "and their own vector" 0 "$(reason '.exception == "IRQ" and .vector != "IRQ"')"
is "times are in order" true "$(jq '[.rows[] | .min <= .p50 and .p50 <= .p90 and .p90 <= .p99 and .p99 <= .max] | all' "$T/json")"
is "shares add up" 100 "$(jq '[.rows[].percent] | add | round' "$T/json")"
is "VM and vCPU are reported" '[[4100,0]]' "$(jq -c '[.rows[] | [.vm, .vcpu]] | unique' "$T/json")"
exits $status "by VM" one_guest exits --by vm --format json
is "no vCPU is" '[[4100,null]]' "$(jq -c '[.rows[] | [.vm, .vcpu]] | unique' "$T/out")"
exits $status "by reason" one_guest exits --by reason --format json
is "no VM is" '[[null,null]]' "$(jq -c '[.rows[] | [.vm, .vcpu]] | unique' "$T/out")"
exits $status "CSV" one_guest exits --format csv
is "has the same rows" "$(jq '.rows | length' "$T/json")" "$(($(wc -l <"$T/out") - 1))"
is "and as many fields in each" 23 "$(awk -F, '{ print NF }' "$T/out" | sort -u)"
exits $status "text" one_guest exits
has "names the fast path" 'EL0 +fast +trap +kvm_hyp_handle_fpsimd' "$T/out"
exits 2 "a key that is none is refused" one_guest exits --by nonsense
exits 5 "a recording that is not there" "$CSGUEST_SAN" exits "$T/none"

# Two real guests: the exits of each, by the truth's runs.
mkdir "$T/two"
tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
"$CSGUEST" exits -q --by vm --format json --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$T/two/perf.data" >"$T/json"
for vm in 136 138; do
	truth=$(awk -v vm="vm=$vm" '/^owner/ { w[$2] = $3; v[$2] = $6 } /^stream/ { was = "" }
		/^run/ { if (w[was] == "world=guest" && v[was] == vm && w[$2] == "world=host") n++; was = $2 } END { print n }' "$T/two/truth")
	is "VM $vm was left as often as the truth says" "$truth" "$(jq "[.rows[] | select(.vm == $vm) | .exits] | add + 1" "$T/json")"
done
# Where their time went, by switch records: a thread waits in an exit, or in one that the recording
# ends in.
is "states add up to the time of each reason" true "$(jq '[.rows[] | .time == ([.states[]] | add)] | all' "$T/json")"
is "fast exits are handled" true "$(jq '[.rows[] | select(.fast) | .time == .states.handling] | all' "$T/json")"
is "guests are idle in WFI and WFE alone" '["kvm_handle_wfx"]' "$(jq -c '[.rows[] | select(.idle) | .handler] | unique' "$T/json")"
is "and their vCPUs are halted most of that time" true "$(jq '[.rows[] | select(.idle) | .states.halted * 2 > .time] | all' "$T/json")"
is "and in no other exit" 0 "$(jq '[.rows[] | select(.idle | not) | .states.halted] | add' "$T/json")"
"$CSGUEST" summary -q --format json --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$T/two/perf.data" >"$T/page"
for vm in 136 138; do
	for state in preempted halted; do
		in=$(jq "[.rows[] | select(.vm == $vm) | .states.$state] | add" "$T/json") all=$(jq ".groups[] | select(.vm == $vm) | .states.$state" "$T/page")
		is "VM $vm is $state in exits, and not more than in all" true "$([ "$in" -gt 0 ] && [ "$in" -le "$all" ] && echo true || echo "$in of $all")"
	done
done
two() { "$CSGUEST" "$1" -q --symfs "$T/two/symfs" --guestmount "$T/two/guestmount" --guest "g136,pid=136,perf=$T/two/guest-136.data" \
	--guest "g138,pid=138,perf=$T/two/guest-138.data" "${@:2}" "$T/two/perf.data"; }
is "verdicts on vCPUs are those of the summary" "$(two summary --format json | jq -cS .vcpus)" "$(two exits --format json | jq -cS .vcpus)"
two exits >"$T/out"
has "and stand after the rows, with their evidence" '^g136 \(VM 136\) vCPU 0 +running +[0-9.]+% +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +0\.0$' "$T/out"
is "a filter chooses vCPUs" '[138]' "$(two exits --vm 138 --format json | jq -c '[.vcpus[].vm]')"
is "of other rows there are none" null "$(two exits --by vm --format json | jq .vcpus)"
is "nor of a part of the time" null "$(two exits --time 0%-50% --format json | jq .vcpus)"
# What of the guest they interrupted: each way adds up to the same.
sums() { jq -c '[.rows | group_by(.vm)[] | [.[0].vm, (map(.exits) | add), (map(.time) | add)]]'; }
for by in guest-symbol guest-stack process; do
	two exits --by $by --format json >"$T/by"
	is "by $by they are as many, and take as long" "$(two exits --by vm --format json | sums)" "$(sums <"$T/by")"
	is "by $by more rows are distinguished" true "$([ "$(jq '.rows | length' "$T/by")" -gt "$(jq '.rows | length' "$T/json")" ] && echo true)"
	mv "$T/by" "$T/by-$by"
done
is "idle guests were in the function that waits" '["cpu_do_idle"]' "$(jq -c '[.rows[] | select(.idle) | .guest_code] | unique' "$T/by-guest-symbol")"
is "which their kernels' idle loops call" '[["cpu_startup_entry","do_idle","default_idle_call","arch_cpu_idle","cpu_do_idle"]]' \
	"$(jq -c '[.rows[] | select(.idle) | .guest_code | split(";")] | unique' "$T/by-guest-stack")"
is "pages are missing to processes of the guests, as the recordings made in them say" '["asker 132","asker 138"]' \
	"$(jq -c '[.rows[] | select(.handler == "kvm_handle_guest_abort" and .guest_code) | .guest_code] | unique | map(select(startswith("asker")))' "$T/by-process")"
two exits --by guest-symbol >"$T/out"
has "as text" 'kvm_handle_wfx \(idle\) +cpu_do_idle$' "$T/out"
is "a flame graph of exits has the time of all but idle ones" "$(jq '[.rows[] | select(.idle | not) | .time] | add' "$T/by-process")" \
	"$(two flame --by exits --folded | awk '{ n += $NF } END { print n }')"
is "each guest has one exit that the recording ends in" 2 "$(jq .open "$T/json")"

# A host without VHE: the level that every exit leads to is not traced.
mkdir "$T/nvhe"
tar --zstd -C "$T/nvhe" -xf "$TRACES/nvhe/nvhe.tar.zst"
"$CSGUEST" exits -q --format json --symfs "$T/nvhe/symfs" --buildid-dir "$T/nvhe/buildid" "$T/nvhe/perf.data" >"$T/json"
truth=$(awk '/^owner/ { w[$2] = $3 } /^stream/ { was = "" } /^run/ { if (w[was] == "world=guest" && w[$2] == "world=host") n++; was = $2 } END { print n }' "$T/nvhe/truth")
is "without VHE guests were left for the host as often as the truth says" "$truth" "$(jq '([.rows[] | select(.fast | not) | .exits] | add) + .open' "$T/json")"
is "with KVM's handlers" '["kvm_handle_guest_abort","kvm_handle_wfx"]' "$(jq -c '[.rows[].handler | select(. != null)] | unique' "$T/json")"
is "what the hypervisor handled by itself is a fast exit without time or handler" '[[true,null,0]]' \
	"$(jq -c '[.rows[] | select(.fast) | [.fast, .handler, .max]] | unique' "$T/json")"

# What is missing is counted by decoding alone: the same each time, wherever memory lies, and in
# each view.
wants() { "$CSGUEST" "$@" --engine=fast "$T/two/perf.data" 2>&1 >/dev/null | grep 'code is missing'; }
wants exits >"$T/once"
wants exits >"$T/again"
same "csguest exits wants the same code each time" "$T/once" "$T/again"
# Which CPU's comes first is each view's own.
counts() { wants "$@" | sed 's/, first at .*//'; }
counts report >"$T/report"
is "without the programs, code of several files is missing" true "$([ "$(wc -l <"$T/report")" -gt 1 ] && echo true)"
for command in exits flame "export --chrome $T/chrome"; do
	# shellcheck disable=SC2086
	counts $command >"$T/view"
	same "csguest $command wants code as often as csguest report" "$T/report" "$T/view"
done
