#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest offsets finds each guest's CNTVOFF_EL2 without being given, and its interval holds the
# true one.
. "$(dirname "$0")/lib.sh"
need jq

# check NAME TRUTH PERF.DATA NS OPTION...: the interval of each machine of the truth holds its
# offset and is no wider.
check() {
	ok "$1 is searched" "$CSGUEST" offsets -q --json "${@:5}" "$T/$3"
	cp "$T/out" "$T/json"
	zstd -dcqf "$T/$2" | sed -n 's/^machine vm=\([0-9]*\) cntvoff=\([0-9]*\)$/\1 \2/p;/^stream/q' >"$T/machines"
	is "$1: its truth has machines" true "$([ -s "$T/machines" ] && echo true)"
	while read -r vm cntvoff; do
		is "$1: VM $vm: the interval holds the true CNTVOFF, and is $4 ns wide at most" true \
			"$(jq --argjson v "$vm" --argjson c "$cntvoff" --argjson w "$4" '.vms[] | select(.vm == $v) |
				(.offsets | length == 1) and .changes == 0 and .contradictions == 0 and
				(.offsets[0] | .low <= $c and $c <= .high and .width_ns <= $w and (.contradicted | not))' "$T/json")"
	done <"$T/machines"
}

# with_guests NAME TRUTH PERF.DATA NS: the same with what the guests recorded.
with_guests() {
	local guests=() file
	for file in "$T"/guest-*.data; do
		guests+=(--guest "${file##*-},pid=$(basename "${file##*-}" .data),perf=$file")
	done
	check "$1, with guests' recordings" "$2" "$3" "$4" "${guests[@]}"
	is "$1: they are evidence for each" "$(wc -l <"$T/machines")" \
		"$(jq '[.vms[].offsets[] | select(.evidence | index("guest sideband"))] | length' "$T/json")"
}

for name in two-guests smp-guest tiny-guests kaslr; do
	ok "$name unpacks" tar --zstd -C "$T" -xf "$TRACES/$name/$name.tar.zst"
	# Timestamps come every microsecond and more seldom: one at either side of load and put.
	check "$name" truth perf.data 2000
	[ "$name" = tiny-guests ] || with_guests "$name" truth perf.data 2000
	rm -f "$T"/guest-*.data
done
ok "two-guests unpacks" tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
check "two-guests-ete" truth-ete perf-ete.data 2000
# Without the host's kernel they lie between its processes.
check "two-guests-user" truth-user perf-user.data 20000
# Without a clock that is related, what the guests recorded fits in one way only.
with_guests "two-guests-bare" truth-bare perf-bare.data 20000

ok "a clock that is not the generic counter is searched" "$CSGUEST_SAN" offsets -q "$T/perf-bare.data"
has "it has no evidence" "^no evidence in the trace: no trace unit's timestamps are the virtual counter" "$T/out"
is "and no offset is made up" 2 "$(grep -c "^  offset not known" "$T/out")"

# A guest that first runs without its offset loaded: what its timestamps demand contradicts itself.
if [ -x "$BUILD/san/scenario" ]; then
	ln -s "$TOP/tests/scenarios/base" "$T/base"
	sed '/vcpu0 loads app/d; /^owners:/,$d' "$TOP/tests/scenarios/guest-reboots.scn" >"$T/unloaded.scn"
	ok "the guest is recorded" "$BUILD/san/scenario" --write "$T/made" "$T/unloaded.scn"
	eval "options=($(sed "s|DIR|$T/made/unloaded|g" "$T/made/unloaded/options" | tr '\n' ' '))"
	ok "and searched" "$CSGUEST_SAN" offsets -q --json "${options[@]}" "$T/made/unloaded/perf.data"
	is "no interval is left, and no width" '[true,null,null]' \
		"$(jq -c '.vms[].offsets[] | select(.contradicted) | [.low > .high, .width, .width_ns]' "$T/out")"
fi

ok "text says the same as JSON" "$CSGUEST_SAN" offsets -q "$T/perf.data"
"$CSGUEST" offsets -q --json "$T/perf.data" >"$T/json"
is "interval for interval" "$(jq -r '.vms[].offsets[] | .low, .high' "$T/json")" \
	"$(sed -n 's/^ *\(from\|to\) (ticks): *//p' "$T/out")"
exits 2 "an option that is none is reported" "$CSGUEST" offsets --nonsense
exits 5 "a recording that is not there is reported" "$CSGUEST" offsets "$T/none"

# A thread that two VMs claim: its own VMM by its name, and another in KVM's list.
use_fixture
echo "/sys/kernel/debug/kvm/9999-11/vcpu0/pid:4103" >"$T/kvm-list"
ok "a thread that two VMs claim does no harm" "$CSGUEST_SAN" offsets --kvm-list "$T/kvm-list" "$fixture/perf.data"
has "the contradiction is reported" "warning: thread 4103 runs vCPUs of two VMs" "$T/err"
hasnt "the thread's residencies count for neither VM" "residencies: *[1-9]" "$T/out"
one_guest report --by world,vm --format json --kvm-list "$T/kvm-list" >"$T/json" 2>"$T/err"
is "its guest code is of an unknown VM" '[null]' "$(jq -c '[.rows[] | select(.world == "guest") | .vm] | unique' "$T/json")"

# The same by ID_INDEX (perf inject --guest-data), in place of that of the recording's events: two
# IDs, then their machines.
words() { for word; do for byte in 0 1 2 3 4 5 6 7; do printf '%b' "\\x$(printf %02x $((word >> 8 * byte & 255)))"; done; done; }
index_at=$(LC_ALL=C grep -obUaP '\x45\0\0\0\0\0\x90\0\x04\0\0\0\0\0\0\0' "$fixture/perf.data" | cut -d: -f1)
cp "$fixture/perf.data" "$T/two.data"
words 2 100 0 0 4103 101 1 1 4103 4100 0 4200 0 | dd of="$T/two.data" bs=1 seek=$((index_at + 8)) conv=notrunc status=none
ok "a thread that ID_INDEX gives to two VMs does no harm" "$CSGUEST_SAN" offsets "$T/two.data"
has "the contradiction is reported" "warning: thread 4103 runs vCPUs of two VMs" "$T/err"
hasnt "the thread's residencies count for neither VM" "residencies: *[1-9]" "$T/out"
"$CSGUEST_SAN" report -q --by world,vm --format json "${files[@]}" "$T/two.data" >"$T/json" 2>"$T/err"
is "its guest code is of an unknown VM" '[null]' "$(jq -c '[.rows[] | select(.world == "guest") | .vm] | unique' "$T/json")"
