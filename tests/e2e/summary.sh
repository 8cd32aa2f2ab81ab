#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest summary: a page whose numbers are those of report, exits and timeline.
. "$(dirname "$0")/lib.sh"
need jq

unpack() { mkdir -p "$T/$1" && ok "$1 unpacks" tar --zstd -C "$T/$1" -xf "$TRACES/$1/$1.tar.zst"; }
# of RECORDING VARIANT COMMAND OPTION...: the command on it, with its files.
of() {
	"$CSGUEST" "$3" -q --symfs "$T/$1/symfs" --buildid-dir "$T/$1/buildid" --guestmount "$T/$1/guestmount" "${@:4}" "$T/$1/perf$2.data"
}
page() { jq -c "$1" "$T/page"; }
# vms FILTER: of each VM on the page.
vms() { page "[.groups[] | select(.kind == \"vm\" and .time > 0) | $1] | sort"; }
# left FILTER: of each VM that was left.
left() { page "[.groups[] | select(.kind == \"vm\" and .exits.exits > 0) | $1] | sort"; }

# agrees RECORDING VARIANT OPTION...: with what other commands say.
agrees() {
	local name=$1$2
	of "$1" "$2" summary --format json "${@:3}" >"$T/page" 2>"$T/err"
	status=$?
	of "$1" "$2" report --by world,vm,dso,symbol --format json "${@:3}" >"$T/report" 2>"$T/err"
	is "$name: the status is that of a report" $? $status
	of "$1" "$2" timeline --by thread --totals --json "${@:3}" >"$T/timeline" 2>"$T/err"
	of "$1" "$2" exits --by vm --format json "${@:3}" >"$T/exits" 2>"$T/err"
	is "$name: all time is in the groups" "$(page .time)" "$(page '[.groups[].time] | add')"
	is "$name: percentages add up" 100 "$(page '[.groups[].percent] | add | round')"
	is "$name: it is that of the timeline" "$(jq '[.totals[].time] | add' "$T/timeline")" "$(page .time)"
	is "$name: so are instructions" "$(jq '[.totals[].instructions] | add' "$T/timeline")" "$(page '[.groups[].instructions] | add')"
	is "$name: which are those of the report" "$(jq .totals.instructions "$T/report")" "$(page .instructions)"
	is "$name: guests have the time that the timeline gives them" \
		"$(jq -c '[.totals | map(select(.world == "guest" and .lost == null)) | group_by(.vm)[] | [.[0].vm, (map(.time) | add), (map(.instructions) | add)]] | sort' "$T/timeline")" \
		"$(vms '[.vm, .guest_kernel.time + .guest_user.time, .guest_kernel.instructions + .guest_user.instructions]')"
	is "$name: vCPUs have the states that the timeline gives them" \
		"$(jq -c '[.vcpus // [] | group_by(.vm)[] | [.[0].vm, (map(.running) | add), (map(.preempted) | add), (map(.halted) | add), (map(.blocked) | add), (map(.no_record) | add)]] | sort' "$T/timeline")" \
		"$(vms '[.vm, .states.running, .states.preempted, .states.halted, .states.blocked, .states.no_record]')"
	is "$name: the time of vCPUs is that of their states" \
		"$(page '[.groups[] | select(.vm and .states) | [.vm, ([.states[]] | add)]] | sort')" \
		"$(page '[if ([.groups[] | select(.states)] | length) > 0 then .vcpus | group_by(.vm)[] | [.[0].vm, (map([.times[]] | add) | add)] else empty end] | sort')"
	is "$name: exits are those of csguest exits" \
		"$(jq -c '[.rows | group_by(.vm)[] | [.[0].vm, (map(.exits) | add), (map(.time) | add)]] | sort' "$T/exits")" \
		"$(left '[.vm, .exits.exits, .exits.time]')"
	is "$name: waits of guests stand apart" \
		"$(jq -c '[.rows | group_by(.vm)[] | [.[0].vm, (map(select(.handler == "kvm_handle_wfx") | .time) | add // 0)]] | sort' "$T/exits")" \
		"$(left '[.vm, .exits.idle_time]')"
	is "$name: the reason that costs most is that of csguest exits" \
		"$(jq -c '[.rows | map(select(.handler != "kvm_handle_wfx")) | group_by(.vm)[] | group_by([.handler, .handler // .exception, .fast]) |
			map([.[0].vm, (map(.time) | add), .[0].handler]) | max_by(.[1])] | sort' "$T/exits")" \
		"$(left '[.vm, .exits.reasons[0].time, .exits.reasons[0].handler]')"
	is "$name: functions of guests are the first rows of the report" \
		"$(jq -c '[.rows | map(select(.world == "guest")) | group_by(.vm)[] | [.[0].vm] + (sort_by(-.instructions)[:3] | map(.instructions))] | sort' "$T/report")" \
		"$(vms '[.vm] + (.functions | map(.instructions))')"
	is "$name: and those of the host" \
		"$(jq -c '.rows | map(select(.world == "host")) | .[:3] | map([.symbol, .instructions])' "$T/report")" \
		"$(page '.groups[] | select(.kind == "host") | .functions | map([.symbol, .instructions])')"
	is "$name: gaps are those of the report" "$(jq -cS .gaps "$T/report")" "$(jq -cS .gaps "$T/page")"
}
both() { guests=(); for vm; do guests+=(--guest "g$vm,pid=$vm,perf=$T/$recording/guest-$vm.data"); done; }

recording=two-guests
unpack $recording
both 136 138
agrees two-guests ''
is "no group is without an owner" 0 "$(page '[.groups[] | select(.kind == "unknown")] | length')"
is "what is unknown has its reason" '["thread","no sideband of the guest (--guest)"]' "$(page '.unknown[0] | [.what, .reason]')"
is "the sideband of guests would help most" '"no sideband of guests: their processes and mappings are not known"' "$(page .advice.lack)"
agrees two-guests '' "${guests[@]}"
is "vCPUs have the time of their guests" "$(vms '[.vm, .guest_kernel.time + .guest_user.time]')" "$(page '[.vcpus[] | [.vm, .times.guest]] | sort')"
is "VMs have their names" '[["g136",136],["g138",138]]' "$(vms '[.name, .vm]')"
# What the truth says of host instructions for each VM: of its vCPU's thread and of the VMM's other
# threads. At a switch of threads some instructions of the kernel may be the other thread's
# (traces/README.md).
awk '/^owner/ { split($6, v, "="); split($8, p, "="); split($3, w, "="); of[$2] = w[2] == "guest" ? v[2] : p[2] }
	/^run/ { n[of[$2]] += $3 } END { print n[136]; print n[138] }' "$T/two-guests/truth" >"$T/truth"
vms .instructions | tr -d '[]' | tr , '\n' | sort -rn >"$T/seen"
is "a VM's instructions are its guest's and those of its VMM, by the truth" "2 0" \
	"$(paste "$T/truth" "$T/seen" | awk '{ n++; d = $1 > $2 ? $1 - $2 : $2 - $1; far += d > 136 } END { print n, far }')"
# The states of vCPUs, by the bytes of the switch records themselves: time, CPU, out, preempted,
# TID, the other TID, offset.
cat >"$T/switches.awk" <<'EOF'
NR == 11 { start = $1 / 4 }
NR == 13 { stop = start + $1 / 4 }
NR <= 26 || NR - 1 < start || NR - 1 >= stop { next }
skip > 0 { skip--; next }
{ word[n++] = $1 }
n == 2 { size = int(word[1] / 65536); misc = word[1] % 65536 }
n >= 2 && n == size / 4 {
	if (word[0] == 71) skip = word[2] / 4
	if (word[0] == 15) printf "%.0f %d %d %d %d %d %d\n", word[7] * 4294967296 + word[6], word[8], int(misc / 8192) % 2, int(misc / 16384) % 2, word[5], word[3], (NR - n) * 4
	n = 0
}
EOF
cat >"$T/states.awk" <<'EOF'
function part(from, to) { from = from > begin ? from : begin; to = to < end ? to : end; return to > from ? to - from : 0 }
$3 && $5 == tid { sum["running"] += part(since, $1); since = $1; why = $4 ? "preempted" : "blocked"; at = $2; k = 0 }
$3 && $5 != tid && why == "preempted" && $2 == at { had[++k] = $5; until[k] = $1 }
!$3 && $5 == tid {
	sum[why] += part(since, $1)
	if (why == "preempted" && $2 == at)
		for (i = 1; i <= k; i++) ran[had[i]] += part(i > 1 ? until[i - 1] : since, until[i])
	since = $1; why = ""
}
END {
	sum[why ? why : "running"] += part(since, end)
	printf "%.0f %.0f %.0f\n", sum["running"], sum["preempted"], sum["blocked"]
	for (who in ran) if (ran[who]) print who, ran[who]
}
EOF
# states VM TID: what the page says of the VM is what the records say of the thread of its only
# vCPU.
states() {
	awk -v tid="$2" -v begin="$(page .begin)" -v end="$(page .end)" -f "$T/states.awk" "$T/switches" | sort -n >"$T/want"
	page ".groups[] | select(.vm == $1) | [.states.running, .states.preempted, .states.halted + .states.blocked], (.ran_instead[] | [.tid, .time])" | tr -d '[]' | tr , ' ' | sort -n >"$T/seen"
	same "VM $1: its states, and who ran instead, are those of the switch records" "$T/want" "$T/seen"
}
od -An -v -tu4 -w4 "$T/two-guests/perf.data/data" | awk -f "$T/switches.awk" | sort -n -s -k1,1 >"$T/switches"
is "switch records are read from the file" true "$([ "$(wc -l <"$T/switches")" -gt 20000 ] && echo true)"
states 136 144
states 138 143
# Where records of vCPUs are missing, and nothing says so, less is known, and nothing else.
cp "$T/page" "$T/whole"
awk '($5 == 143 || $5 == 144 || $6 == 143 || $6 == 144) && $1 > 11322500000 && $1 < 11326500000' "$T/switches" >"$T/vcpus"
for step in 5 8 13; do
	rm -rf "$T/less.data"
	cp -r "$T/two-guests/perf.data" "$T/less.data"
	awk -v step=$step 'NR % step == 2 { print $7 }' "$T/vcpus" >"$T/offsets"
	# Type 18, PERF_RECORD_BPF_EVENT, stands for no switch.
	while read -r offset; do printf '\22' | dd of="$T/less.data/data" bs=1 seek="$offset" conv=notrunc status=none; done <"$T/offsets"
	"$CSGUEST" summary -q --format json "$T/less.data" >"$T/less" 2>"$T/err"
	jq -s '[.[] | [.groups[] | select(.kind == "vm") | .states + {vm} | .blocked += .halted | .halted = 0] | sort_by(.vm)] | transpose[] | . as [$whole, $less]
		| [$less.no_record > 0, ([$whole, $less | del(.vm) | add] | .[0] == .[1])] + [("running", "preempted", "blocked") as $k | $less[$k] <= $whole[$k]] | all' \
		"$T/whole" "$T/less" >"$T/true"
	is "without $(wc -l <"$T/offsets") switch records no state lasts longer than with them, and their sum is the same" "true true" "$(xargs <"$T/true")"
done
is "preempted, halted and blocked is all the time off CPU" true \
	"$(page '[.groups[] | select(.kind == "vm") | .states.preempted > 0 and .off_cpu == .states.preempted + .states.halted + .states.blocked] | all')"
is "states add up to the recording's time for each vCPU" true \
	"$(page '(.end - .begin) as $span | [.groups[] | select(.kind == "vm") | ([.states[]] | add) == $span * .vcpus] | all')"
is "both vCPUs waited, each less than the recording took" true \
	"$(page '(.end - .begin) as $span | [.groups[] | select(.kind == "vm") | .off_cpu > 0 and .off_cpu < $span] | all')"
of two-guests -user summary --format json >"$T/page"
is "user code alone: what was not recorded is not traced, whoever had it" true "$(page '[.groups[].untraced] | add > 0')"
is "and has no instructions" true "$(page '[.groups[] | select(.untraced > 0 and .time == .untraced) | .guest_kernel.instructions + .host_kernel.instructions] | add // 0 | . == 0')"
of two-guests -bare summary --format json >"$T/page"
is "ticks are no time" '["ticks",null,null,null,null]' "$(page '[.unit, .begin, .end, .groups[0].off_cpu, .groups[0].states]')"

recording=nvhe
unpack $recording
both 140 142
agrees nvhe '' "${guests[@]}"

# As text, whatever the kind of recording: one page of 80 columns.
lines() { is "$1 fits on a page" true "$([ "$(wc -l <"$T/out")" -le 55 ] && [ "$(wc -l <"$T/out")" -ge 8 ] && echo true || wc -l <"$T/out")"; }
recording=two-guests
both 136 138
ok "as text" of two-guests '' summary "${guests[@]}"
cp "$T/out" "$T/text"
lines "two guests"
has "the recording" '^traced +2 of 2 CPUs, 11\.32[0-9]+ s to 11\.327[0-9]+ s, 99\.9% of it$' "$T/out"
has "a VM's share" '^g136 \(VM 136\) +3\.694 +36\.3[0-9]% ' "$T/out"
has "what vCPUs waited for" '^g138 \(VM 138\) +0\.169 +1\.329 +0\.000 +0\.000 +0\.099 asker 150$' "$T/out"
has "exits" '^ +20 +[0-9]+ +0\.656 +32\.8  kvm_handle_guest_abort$' "$T/out"
has "idle exits" '^ +10 .*  idle: kvm_handle_wfx$' "$T/out"
has "functions" '^host +[0-9.]+% +[0-9]+  msort_with_tmp' "$T/out"
is "no line is wider than 80 columns" 0 "$(awk '!/^recording/ && length > 80' "$T/out" | wc -l)"
hasnt "no line ends in a blank" ' $' "$T/out"
ok "a recording alone prints the same" "$CSGUEST" "$T/two-guests/perf.data" -q --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" --guestmount "$T/two-guests/guestmount" "${guests[@]}"
same "to the letter" "$T/text" "$T/out"
ok "also after its options" "$CSGUEST" -q --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" --guestmount "$T/two-guests/guestmount" "${guests[@]}" "$T/two-guests/perf.data"
same "with the same page" "$T/text" "$T/out"
exits 2 "what is neither a command nor a recording is refused" "$CSGUEST" "$T/none"
has "and named" "no command and no recording '$T/none'" "$T/err"
exits 2 "an option is no recording" "$CSGUEST" --no-such-option
for engine in fast opencsd; do
	for jobs in 1 2; do
		[ $engine$jobs != opencsd2 ] || continue
		of two-guests '' summary --format json --engine $engine -j $jobs >"$T/json.$engine$jobs"
	done
done
same "two threads tell the same" "$T/json.fast1" "$T/json.fast2"
same "so does OpenCSD" "$T/json.fast1" "$T/json.opencsd1"

# A PID that comes back: VM 700 ends, its PID is another process's, and its vCPU's TID a third
# one's.
unpack churn
ok "VMs that come and go" of churn '' summary --format json
cp "$T/out" "$T/page"
awk '/^owner/ && / vm=0 / && / pid=700 / { split($11, c, "="); comm[$2] = c[2] }
	/^stream/ { vmm = 0 }
	/^run/ && $2 in comm { vmm = vmm || comm[$2] == "tiny-fc"; if (comm[$2] ~ /^(tiny-fc|fc_vcpu)/ || (comm[$2] == "churn" && !vmm)) n += $3 }
	END { print n }' "$T/churn/truth" >"$T/want"
page '.groups[] | select(.vm == 700) | .host_kernel.instructions + .host_user.instructions' >"$T/seen"
same "what the host did for VM 700 is what its VMM did, by the truth" "$T/want" "$T/seen"

unpack protected
ok "guests that are not traced" of protected '' summary --buildid-dir "$T/protected/buildid"
has "have work of the host, and time that is not traced" '^VM 142 .* - +- +[0-9.]+% +[0-9.]+% +[1-9][0-9.]+%$' "$T/out"
has "EL2, which is not traced, is the hypervisor's" '^hypervisor +[0-9.]+ +[0-9.]+% ' "$T/out"
lines "a protected host"
unpack xen
ok "a snapshot of Xen" "$CSGUEST" summary -q --hypervisor xen "$T/xen/snapshot"
has "is in ticks" '^decoded +183026 instructions in 661360 ticks of CPU time$' <(tr -d , <"$T/out")
has "with its domains" '^VM 1 +206282 +31\.19%' "$T/out"
has "and Xen" '^hypervisor +255570 +38\.64%' "$T/out"
lines "a snapshot"
ok "one whose hypervisor is not known" "$CSGUEST" summary -q "$T/xen/snapshot"
has "says so" '^unknown +661356 +100\.00%' "$T/out"
has "and what helps" 'remedy: give it with --hypervisor' "$T/out"

use_fixture
for hypervisor in auto none; do
	one_guest report --hypervisor $hypervisor >/dev/null
	exits $? "the small recording, with --hypervisor $hypervisor" one_guest summary --hypervisor $hypervisor
	lines "it"
done
head -c $(($(stat -c %s "$fixture/perf.data") * 3 / 4)) "$fixture/perf.data" >"$T/cut"
exits 14 "a recording that is cut" "$CSGUEST_SAN" summary "${files[@]}" "$T/cut"
has "is shown up to the cut" '^host, other' "$T/out"
has "with an error" '^csguest: .*/cut, offset' "$T/err"
one_guest summary --anonymise >"$T/out" 2>/dev/null
hasnt "anonymous output has no name of the recording" 'sshd|qemu|tick_sched|6\.16' "$T/out"
one_guest summary >"$T/out" 2>/dev/null
has "what is unknown has a title" '^Unknown$' "$T/out"
for filter in "--vm 4100" "--world guest" "--time 0%-50%"; do
	# shellcheck disable=SC2086
	one_guest summary $filter >"$T/out" 2>/dev/null
	has "with $filter it says that it is not of that alone" '^Unknown, of all that was decoded$' "$T/out"
done
