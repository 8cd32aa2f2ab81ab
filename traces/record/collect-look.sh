#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# collect-look.sh DIR: what csguest collect made on an emulated machine (collect.sh), checked
# against what it is to give. Sentences as in tests/lib.sh; VERBOSE=1 prints all of them. CSGUEST:
# the command, SCORE: the oracle of the tests (make build/score).
look=$(realpath "$0")
machine=$(cd "${1:?usage: collect-look.sh DIR}" && pwd)
. "$(dirname "$0")/../../tests/lib.sh"
NAME=collect/$(basename "$machine")
CSGUEST=${CSGUEST:-$BUILD/csguest} SCORE=${SCORE:-$BUILD/score}
for program in "$CSGUEST" "$SCORE"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
cd "$machine/host" || exit 1

# tried NAME STATUS SENTENCE: what a try inside the machine ended with.
tried() { is "$3" "$2" "$(cat "$1.rc" 2>&1)"; }

# sideband FOLDER: a recording without trace, on this machine.
sideband() {
	exits 13 "$1: info has no trace" "$CSGUEST" info --json "$1/perf.data"
	is "$1: but switches, mappings, clock" '[true,true,true]' "$(jq -c '.sideband|[.switches,.mmap2,.time_conv]' "$T/out")"
	for command in report offsets timeline; do
		exits 13 "$1: $command has nothing to do" "$CSGUEST" $command "$1/perf.data"
		has "and says what the recording is for" '--guest NAME,perf=FILE' "$T/err"
	done
	is "$1: clocks before and after, with the counter" 8 \
		"$(grep -cE '^CLOCK_[A-Z_]+ [0-9]+\.[0-9]{9} CNTVCT_EL0 [1-9][0-9]*\.\.[1-9][0-9]*$' "$1/clock")"
}

# A machine of Xen: dom0 is the host.
if [ -e "$machine/xen.dtb" ]; then
	. "$(dirname "$look")/collect-look-xen.sh"
	exit
fi

tried no-debugfs 13 "no trace units: a dry run ends with 13"
has "and tells why" 'no cs_etm PMU: the firmware \(device tree, ACPI\) describes no ETM or ETE' no-debugfs.err
has "and that there is no debugfs" '/sys/kernel/debug/kvm cannot be listed' no-debugfs.err
has "it knows a host" '^# role: host$' dry.out
has "without guests" 'no guest of KVM runs now' dry.err
[ ! -e alone.rc ] || tried alone 13 "what there is is recorded all the same"
ok "there is no list of vCPUs" [ ! -e alone/kvm-list ]

tried host 13 "while guests run"
has "KVM's debugfs of arm64 names no vCPU" 'No such file' kvm-pids
has "but the VMs" "^/sys/kernel/debug/kvm/$(cat ../g0.vm)-[0-9]+\$" kvm-tree
# QEMU names its threads, which collect did not look at.
sed -nE 's|^/proc/([0-9]+)/task/([0-9]+)/comm:CPU ([0-9]+)/KVM$|\1 vcpu\3 \2|p' vcpu-threads | sort >"$T/named"
sed -nE 's|.*/kvm/([0-9]+)-[0-9]+/(vcpu[0-9]+)/pid:([0-9]+)$|\1 \2 \3|p' host/kvm-list | sort >"$T/ours"
same "collect finds all threads of vCPUs" "$T/named" "$T/ours"
is "of both VMs" "$(cat ../g0.vm ../g1.vm)" "$(cut -d' ' -f1 "$T/ours" | uniq)"

sideband host
case $NAME in
*/protected) ok "a protected host's kernel is not copied" [ ! -e host/perf.data/kcore_dir -a -s host/kallsyms ] ;;
*) ok "the host's kernel is copied" [ -s host/perf.data/kcore_dir/kallsyms ] ;;
esac
has "KVM's events" '^  KVM.s events: +yes$' read-host.out

if [ ! -e nobody.rc ]; then
	skip "the rest is tried on vhe"
else
	tried nobody 4 "not as root: perf refuses"
	has "which was said before" 'perf_event_paranoid lets nobody but root' nobody.err
	tried nobody-allowed 13 "nor where it may: it records"
	has "all but the vCPUs" '/sys/kernel/debug/kvm cannot be listed' nobody-allowed.err
	tried kptr 13 "kptr_restrict of 2 keeps perf from kcore"
	has "which is reported" 'kptr_restrict hides' kptr.err
	hasnt "from root only where it is 2" 'kptr_restrict hides' kptr-1.err
	tried no-perf 4 "without perf nothing is recorded"
	has "which is reported, with a remedy" 'remedy: install it' no-perf.err
	tried no-such-perf 4 "nor by one that is not there"
	has "debugfs without VMs" 'no guest of KVM runs now' empty-debugfs.err
	has "no debugfs" '/sys/kernel/debug/kvm cannot be listed' no-debugfs-guests.err
	tried no-kcore 13 "without kcore it records"
	ok "and keeps the kernel's symbols" [ -s no-kcore/kallsyms ]
	tried there 4 "a folder that is there is left alone"
	tried failing 4 "a command that fails is reported"
	for stop in stop-group-INT stop-csguest-INT stop-csguest-TERM; do
		tried $stop 13 "$stop: ended early, it keeps what there is"
		none "$stop: no perf is left" $stop.left
		exits 13 "$stop: which is whole" "$CSGUEST" info $stop/perf.data
		hasnt "$stop: and undamaged" 'damage:' "$T/out"
	done
fi

for guest in g0 g1; do
	cd "$machine/$guest" || exit 1
	has "$guest: it knows a guest" '^# role: guest$' dry.out
	tried guest 0 "$guest: it records there"
	has "$guest: and says what for" 'copy guest into the folder that the host collected' guest.err
	sideband guest
	tried nobody 4 "$guest: not as nobody"
	has "$guest: which was said before" 'perf_event_paranoid lets nobody but root' nobody.err
done

# With a trace put into the host's recording (collect.sh compose).
cd "$machine" || exit 1
[ -d composed ] || skip_all "no composed recording"
all=(--truth composed/truth --symfs composed/symfs --buildid-dir composed/buildid --guestmount composed/guestmount)
guests=(--guest "g0,perf=g0/guest/perf.data" --guest "g1,perf=g1/guest/perf.data")
ok "with a trace: nothing is wrong" "$SCORE" -q --json "${all[@]}" --kvm-list host/host/kvm-list "${guests[@]}" composed/perf.data
cp "$T/out" score
is "guests' own recordings are taken, and all user code of theirs is decoded" true \
	"$(jq '[.owners[] | select(.owner.world == "guest" and .owner.el == 0) | .decoded == .instructions] | all' score)"
is "with its process" 0 "$(jq '[.owners[] | select(.owner.world == "guest" and .owner.el == 0) | .process.unknown] | add' score)"
is "all vCPUs are known" 0 "$(jq '[.owners[].vm.unknown] | add' score)"
