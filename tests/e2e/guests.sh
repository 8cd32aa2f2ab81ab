#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Recordings made inside guests (--guest): guest processes and their code; what is missing is
# unknown, never wrong.
. "$(dirname "$0")/lib.sh"
need jq

unpack() { mkdir "$T/$1" && ok "$1 unpacks" tar --zstd -C "$T/$1" -xf "$TRACES/$1/$1.tar.zst"; }
# score RECORDING VARIANT OPTION...: the score of it with its files, as JSON, in $T/out.
score() {
	"$SCORE" -q --json --truth "$T/$1/truth$2" --symfs "$T/$1/symfs" --buildid-dir "$T/$1/buildid" \
		--guestmount "$T/$1/guestmount" "${@:3}" "$T/$1/perf$2.data"
}
# of_users WHAT: instructions of guests' user code, of those decoded, whose process is WHAT.
of_users() {
	jq "[.owners[] | select(.owner.world == \"guest\" and .owner.el == 0) | .process.$1] | add" "$T/out"
}
decoded() { jq -r '.decoded == .instructions' "$T/out"; }

# all_known RECORDING VARIANT GUEST...: with every guest's recording nothing of its users is open.
all_known() {
	local options=()
	for vm in "${@:3}"; do options+=(--guest "g$vm,perf=$T/$1/guest-$vm.data,pid=$vm"); done
	ok "$1$2: nothing is wrong" score "$1" "$2" "${options[@]}"
	# Without context IDs the order of a guest's switches names nobody beside a break in the
	# trace, or a timestamp whose upper bits may be missing.
	local -A lost=([two-guests-bare]=14063 [two-guests-user]=230)
	is "$1$2: all code is decoded${lost[$1$2]+ but ${lost[$1$2]-} instructions}" true \
		"$(jq ".instructions - .decoded <= ${lost[$1$2]-0}" "$T/out")"
	is "$1$2: no process of guest user code is unknown" 0 "$(of_users unknown)"
	is "$1$2: and there is a lot" true "$([ "$(of_users right)" -gt 100000 ] && echo true)"
}
unpack two-guests
unpack smp-guest
unpack kaslr
for variant in '' -ete -user; do all_known two-guests "$variant" 136 138; done
all_known smp-guest '' 138
all_known kaslr '' 138 140

a=g,perf=$T/two-guests/guest-136.data,pid=136 b=h,perf=$T/two-guests/guest-138.data,pid=138
ok "without one guest's recording nothing is wrong" score two-guests '' --guest "$a"
is "its user code stays a gap" false "$(decoded)"
is "the other's does not" 0 "$(of_users unknown)"
all=$(jq '[.owners[] | select(.owner.world == "guest" and .owner.el == 0) | .instructions] | add' "$T/out")
is "which is part of all" true "$([ "$(of_users right)" -lt "$all" ] && [ "$(of_users right)" -gt 100000 ] && echo true)"
ok "a recording given to the other VM: nothing is wrong" score two-guests '' --guest "${a/pid=136/pid=138}"
is "and it is not used" null "$(jq '[.owners[] | select(.owner.world == "guest" and .owner.el == 0 and .decoded > 0)][0]' "$T/out")"
ok "which VM a recording is of is found" score two-guests '' --guest "${a/,pid=136/}" --guest "${b/,pid=138/}"
is "by when it was recorded" "true 0" "$(decoded) $(of_users unknown)"
exits 2 "with an unrelated clock it may be either" score two-guests -bare --guest "${a/,pid=136/}"
has "which is reported" "guest 'g' may be any of the VMs 1" "$T/err"
exits 2 "another host's recording is none of them" score kaslr '' --guest "g,perf=$T/two-guests/guest-136.data"
has "which is reported, too" "guest 'g' " "$T/err"

# Of churn's four VMs three come and go while perf records: a recording that lasts longer is none of
# these.
unpack churn
c=g,perf=$T/churn/guest-138.data
ok "churn: which VM a recording is of is found among VMs that came and went" score churn '' --guest "$c"
is "churn: the processes of its guest are known" true "$(jq '[.owners[] | select(.owner.world == "guest" and .owner.vm == 138) | .process.right] | add > 2900000' "$T/out")"
for vm in 699 700 703; do
	ok "churn: the recording given to VM $vm: nothing is wrong" score churn '' --guest "$c,pid=$vm"
	"$CSGUEST" report --symfs "$T/churn/symfs" --guest "$c,pid=$vm" "$T/churn/perf.data" >"$T/out" 2>"$T/err"
	has "churn: it is not used" "not used: what the guest 'g' recorded happened while no vCPU of VM $vm ran" "$T/err"
done

# A guest's recording that was made with --kcore brings the guest's kernel; the host's has the
# host's alone.
mkdir -p "$T/apart/host" "$T/apart/guest"
cp "$T/two-guests/perf.data/data" "$T/apart/host"
ln -s "$T/two-guests/perf.data/kcore_dir" "$T/apart/host"
cp "$T/two-guests/guest-136.data" "$T/apart/guest/data"
apart() {
	"$SCORE" -q --json --truth "$T/two-guests/truth" --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" \
		--guest "g,pid=136,perf=$T/apart/guest" "$T/apart/host"
}
of_kernel() { jq -c "[.owners[] | select(.owner.world == \"guest\" and .owner.el == 1 and .owner.vm == 136) | .decoded == .instructions] | unique" "$T/out"; }
ok "without its kernel nothing is wrong" apart
is "but its kernel is not decoded" '[false]' "$(of_kernel)"
ln -s "$T/two-guests/perf.data/kcore_dir__136" "$T/apart/guest/kcore_dir"
ok "with a kcore_dir of its own neither" apart
is "and its kernel is decoded" '[true]' "$(of_kernel)"

# A clock that no guest knows: their switches are counted.
all_known two-guests -bare 136 138
ok "an unrelated clock, one recording: nothing is wrong" score two-guests -bare --guest "$a"
is "and of that guest nothing is open" 0 "$(of_users unknown)"
ok "the other guest's recording in its place: nothing is wrong" score two-guests -bare --guest "${a/pid=136/pid=138}" --guest "${b/pid=138/pid=136}"
is "and nobody is named" 0 "$(jq '[.owners[] | select(.owner.world == "guest") | .process.right] | add' "$T/out")"
for offset in 137746000 137749000; do
	ok "an offset that was said wrong by 20 us: nothing is wrong" score two-guests -bare --guest "$a,offset=$offset"
	is "and nobody is named" 0 "$(jq '[.owners[] | select(.owner.world == "guest") | .process.right] | add' "$T/out")"
done

ok "branches have the guests' processes" "$CSGUEST" script -q --itrace=b -F comm,pid,tid,ip,sym --guest "$a" --guest "$b" \
	--guestmount "$T/two-guests/guestmount" --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" \
	"$T/two-guests/perf.data"
has "by name" '^ *asker +132/132 ' "$T/out"
has "each guest's" '^ *asker +138/138 ' "$T/out"

exits 5 "a recording that is not there is reported" "$CSGUEST" script --guest "a,perf=$T/none,pid=1" "$T/two-guests/perf.data"
exits 2 "KVM's guests have no VMID of their own" "$CSGUEST" script --guest a,vmid=1 "$T/two-guests/perf.data"
has "which is reported" "Xen does not run here" "$T/err"
exits 2 "a guest needs a name" "$CSGUEST" script --guest "perf=x" "$T/two-guests/perf.data"
exits 2 "one VM is one guest" "$CSGUEST" script --guest a,pid=136 --guest b,pid=136 "$T/two-guests/perf.data"
has "which is reported" "guests 'a' and 'b' are both VM 136" "$T/err"

# Who is a vCPU thread, said by the user or by KVM's list.
two=(--symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" "$T/two-guests/perf.data")
vcpus() { "$CSGUEST" report --no-progress --sort vm,vcpu --format csv "$@" "${two[@]}"; }
ok "threads' names tell the vCPUs" vcpus
has "which are both number 0" '^[0-9.]+,[0-9]+,[0-9]+,136,0,' "$T/out"
ok "the user may know better" vcpus --vcpu 144=136:5
has "who overrules" '^[0-9.]+,[0-9]+,[0-9]+,136,5,' "$T/out"
echo /sys/kernel/debug/kvm/136-11/vcpu5/pid:144 >"$T/list"

ok "what contradicts KVM's list is not believed" vcpus --kvm-list "$T/list"
hasnt "nor is the list" '^[0-9.]+,[0-9]+,[0-9]+,136,[05],' "$T/out"
has "and that is reported" 'thread 144 runs two vCPUs of its VM' "$T/err"
exits 15 "a list without vCPUs is refused" vcpus --kvm-list "$0"
exits 2 "a vCPU is TID=VM:N" vcpus --vcpu 5=136
