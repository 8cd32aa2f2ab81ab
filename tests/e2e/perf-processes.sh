#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The patched perf has each instruction run by what its process was at that time: by code, by name,
# and by vCPU.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

SCENARIO=$BUILD/san/scenario
[ -x "$SCENARIO" ] || skip_all "$SCENARIO is not built"
OWNERS=
for series in $SERIES; do "$BUILD/perf-$series" check feature libcsguest >"$T/out" 2>&1 && OWNERS="$OWNERS $series"; done
[ -n "$OWNERS" ] || skip_all "no perf with libcsguest"
fields=comm,pid,tid,cpu,event,ip,sym,machine_pid,vcpu

# play FILE: its recording in $T/NAME.  The host has files by the names that the guest's have,
# without build IDs.
play() {
	local name
	name=$(basename "$1" .scn)
	rm -rf "${T:?}/$name"
	ok "$name: the recording is made" "$SCENARIO" --write "$T" "$1"
	cd "$T/$name/host" || exit 1
	for kernel in ../guest/*/vmlinux; do [ ! -d "${kernel%/*}/usr" ] || cp -r "${kernel%/*}/usr" .; done
}

lines() { sed -n 's/ *instructions:[^ ]* */ /p' | sed 's/  */ /g' | sort; }
# list SERIES DATA OPTION...: with the host's files, and what the options say of the guest's.
list() { "$BUILD/perf-$1" script -f --itrace=i1i -F $fields --symfs . --vmlinux vmlinux -i "$2" "${@:3}" 2>"$T/perf.err" | lines; }
mount=(--guestmount ../guest)
users() { awk '/ aaa[ab]0000/ { print $(NF - 4), $(NF - 3), $NF }' "$1" | sort | uniq -c | sed 's/^ *//'; }

# What ran in user space, as the scenario plays it: processes fork, and execute other programs at
# the same addresses.
cat >"$T/truth" <<-END_OF_TRUTH
	1 app 1201/1201 app_back
	1 app 1201/1201 app_call
	6 app 1201/1201 app_main
	6 app 1201/1201 work
	2 app 1201/1201 work_end
	1 app 1302/1302 app_call
	3 app 1302/1302 app_main
	3 app 1302/1302 work
	1 app 1302/1302 work_end
	1 login 900/900 login_exits
	2 login 900/900 login_main
	2 qemu-system-aar 500/500 main_loop
	2 sshd 700/700 server_back
	6 sshd 700/700 server_loop
	3 sshd 900/900 server_loop
	1 tool 1302/1302 tool_exits
	4 tool 1302/1302 tool_main
END_OF_TRUTH
sort -o "$T/truth" "$T/truth"
play "$TOP/tests/scenarios/execs-in-place.scn"
for series in $OWNERS; do
	list "$series" ../perf.data "${mount[@]}" >"$T/perf"
	users "$T/perf" | sort >"$T/users"
	same "$series: processes run the code that they had, by the name that they had" "$T/truth" "$T/users"
	ok "$series: perf inject writes the host's kernel" "$BUILD/perf-$series" inject -f --itrace=i1i -i ../perf.data -k vmlinux -o ../injected.data
	"$BUILD/perf-$series" script -f -F $fields --itrace=i1i --vmlinux vmlinux -i ../perf.data 2>"$T/perf.err" | lines >"$T/perf"
	"$BUILD/perf-$series" script -f -F $fields --vmlinux vmlinux -i ../injected.data 2>"$T/perf.err" | lines >"$T/injected"
	has "$series: of processes that executed another program" ' login 900/900 .* cpu_switch_to' "$T/injected"
	same "$series: whose names are the same to who reads that" "$T/perf" "$T/injected"
done

# The thread of a vCPU that begins while perf records.
play "$TOP/tests/scenarios/vcpu-forked.scn"
"$CSGUEST" script -q --itrace=i1i -F $fields --symfs . --vmlinux vmlinux --guest "one,pid=500,vmlinux=$kernel,root=../guest/500" \
	-i ../perf.data 2>"$T/err" | lines >"$T/csguest"
grep "^VM:.* ffff" "$T/csguest" >"$T/csguest.kernel"
grep -v "^VM:.* ffff" "$T/csguest" >"$T/csguest.others"
has "processes of a guest whose vCPU thread was forked are known" 'app 1201/1201' "$T/csguest"
for series in $OWNERS; do
	list "$series" ../perf.data "${mount[@]}" >"$T/perf"
	same "$series: by perf as well" "$T/csguest.others" "$T/perf"
	has "$series: their code and symbols are those below --guestmount" 'app 1201/1201 .* app_main$' "$T/perf"
	list "$series" ../perf.data --guestvmlinux "$kernel" >"$T/perf"
	grep "^VM:.* ffff" "$T/perf" >"$T/kernel"
	same "$series: its kernel is that of --guestvmlinux" "$T/csguest.kernel" "$T/kernel"
	grep -E "^VM:.* aaa[ab]0000" "$T/perf" >"$T/offenders"
	none "$series: without --guestmount no file of the host by the same name is taken for its code" "$T/offenders"
done

# A guest's kernel that changes its own text has the code that it had then or, where its records'
# times are not proved, none there.
for name in guest-text-poke guest-text-poke-undated; do
	play "$TOP/tests/scenarios/$name.scn"
	"$CSGUEST" script -q --itrace=i1i -F $fields --symfs . --vmlinux vmlinux --guest "one,pid=500,vmlinux=$kernel" \
		-i ../perf.data 2>"$T/err" | lines | grep '^VM:' >"$T/csguest"
	has "$name: the guest's kernel is listed" ' app 1201/1201 .* el0t_sync$' "$T/csguest"
	for series in $OWNERS; do
		list "$series" ../perf.data --guestvmlinux "$kernel" | grep '^VM:' >"$T/perf"
		same "$series: $name: so it is by perf" "$T/csguest" "$T/perf"
	done
done
"$CSGUEST" script -q --itrace=i1i -F $fields --symfs . --vmlinux vmlinux --guestvmlinux "$kernel" -i ../perf.data 2>"$T/err" | lines >"$T/csguest"
none "of a kernel that is any guest's, none of what one has changed" <(grep '^VM:.* sys_sched_yield$' "$T/csguest")

# The kernel's file may be of a time after its text changed, as a kcore is: what was there before is
# in the records.
play "$TOP/tests/scenarios/host-text-poke.scn"
"$CSGUEST" script -q --itrace=i1i -F $fields --symfs . --vmlinux vmlinux -i ../perf.data 2>"$T/err" | lines >"$T/csguest"
has "host-text-poke: what the kernel was changed to is listed" ' sshd 700/700 .* kvm_exited$' "$T/csguest"
at=$(readelf -SW vmlinux | awk '$2 == ".text" || $3 == ".text" { sub(/.*\.text/, ""); print $3 }')
cp vmlinux vmlinux.before
printf '\x0f\x00\x00\x14' | dd of=vmlinux bs=1 seek=$((0x$at + 0x203c)) conv=notrunc status=none # b kvm_exited
is "the file's code is another one" false "$(cmp -s vmlinux vmlinux.before && echo true || echo false)"
for series in $OWNERS; do
	list "$series" ../perf.data >"$T/perf"
	same "$series: the code before the first change is that of the record, not of the file" "$T/csguest" "$T/perf"
done

# What a trace unit that speculates commits after such an event may have run before it.
mkdir -p "$T/late" && cp -r "$TOP/tests/scenarios/base" "$T/late"
for name in host-text-poke execs-in-place execs-between-stamps vcpu-tid-becomes-process; do
	play "$TOP/tests/scenarios/$name.scn"
	"$CSGUEST" script -q --itrace=i1i -F $fields --symfs . --vmlinux vmlinux --guestmount ../guest -i ../perf.data 2>"$T/err" |
		lines >"$T/csguest"
	sed 's|^trace: .*|&, speculates|' "$TOP/tests/scenarios/$name.scn" >"$T/late/$name.scn"
	grep -q '^trace: .*speculates' "$T/late/$name.scn" || sed -i '/^include:/a trace: speculates' "$T/late/$name.scn"
	play "$T/late/$name.scn"
	for series in $OWNERS; do
		list "$series" ../perf.data "${mount[@]}" >"$T/perf"
		has "$series: $name: a unit that speculates: what is certain is listed" ' el0t_sync$' "$T/perf"
		comm -13 "$T/csguest" "$T/perf" >"$T/offenders"
		none "$series: $name: and nothing that did not run, by no other name" "$T/offenders"
	done
done

# PIDs and TIDs come back: what a new thread runs before the event of its fork is not by the name of
# the one before.
play "$TOP/tests/scenarios/vmm-pid-comes-back.scn"
"$CSGUEST" script -q --itrace=i1i -F $fields --symfs . --vmlinux vmlinux -i ../perf.data 2>"$T/err" | lines >"$T/csguest"
has "vmm-pid-comes-back: a thread has no name before it is forked" ' :503 500/503 .* ret_to_user$' "$T/csguest"
for series in $OWNERS; do
	list "$series" ../perf.data >"$T/perf"
	same "$series: vmm-pid-comes-back: so it is by perf" "$T/csguest" "$T/perf"
	ok "$series: perf inject writes them" "$BUILD/perf-$series" inject -f --itrace=i1i -i ../perf.data -k vmlinux -o ../injected.data
	"$BUILD/perf-$series" script -f -F $fields --vmlinux vmlinux -i ../injected.data 2>"$T/perf.err" | lines | comm -13 "$T/csguest" - >"$T/injected"
	has "$series: after it, a new thread has its parent's name" '^ sshd 500/500 .* ret_to_user$' "$T/injected"
	grep -v '^ sshd ' "$T/injected" >"$T/offenders"
	none "$series: and none that of the thread before" "$T/offenders"
done

# By which name the VMM calls the thread of a vCPU: each is known to perf inject --guest-data.
cp -r "$TOP/tests/scenarios/base" "$T/base"
while IFS= read -r name; do
	sed "s|^guest one is .*|&\nthread vcpu0 is comm \"$name\"|" "$TOP/tests/scenarios/guest-forks-execs.scn" >"$T/named.scn"
	play "$T/named.scn"
	for series in $OWNERS; do
		ok "$series: the vCPU is known by '$name'" "$BUILD/perf-$series" inject -f -i ../perf.data \
			--guest-data=../guest-500.data,500,0 -o ../injected.data
	done
done <<-END_OF_NAMES
	CPU 0/KVM
	kvm-vcpu-0
	fc_vcpu 0
	crosvm_vcpu0
	vcpu0
END_OF_NAMES

# At a wrong time: which of its programs a process ran is not known, the code of one that had the
# same always is.
for series in $OWNERS; do
	ok "$series: a guest is injected at a wrong time" "$BUILD/perf-$series" inject -f -i ../perf.data \
		--guest-data=../guest-500.data,500,0 -o ../injected.data
	list "$series" ../injected.data "${mount[@]}" >"$T/perf"
	has "$series: injected at a wrong time, a process that never executed another program has its code" ' 1201/1201 .* aaaa0000.* work' "$T/perf"
	grep ' 1302/1302 .* aaaa0000' "$T/perf" >"$T/offenders"
	none "$series: its child, which did, has the code of neither" "$T/offenders"
done
sed 's|^guest one is .*|&\nthread vcpu0 is comm "worker 0"|' "$TOP/tests/scenarios/guest-forks-execs.scn" >"$T/named.scn"
play "$T/named.scn"
for series in $OWNERS; do
	exits 234 "$series: no other name is taken for that of a vCPU" "$BUILD/perf-$series" inject -f -i ../perf.data \
		--guest-data=../guest-500.data,500,0 -o ../injected.data
	has "$series: as it says" 'No VCPU threads found' "$T/err"
done

# perf record in another PID namespace than the host's: context IDs name nobody, perf says so, and
# not of an intact recording.
play "$TOP/tests/scenarios/pid-namespace-same-ids.scn"
for series in $OWNERS; do
	list "$series" ../perf.data --guestvmlinux "$kernel" >"$T/perf"
	has "$series: recorded in another PID namespace: perf says so" "another PID namespace than the host's: no record names" "$T/perf.err"
	has "$series: with the remedy" 'docker run --pid=host' "$T/perf.err"
	has "$series: the guest's VCPU is that of the switch records" '^VM: 500 VCPU:0* .* ffff800080000' "$T/perf"
	grep -vE ' (-1/-1|500/500|700/700|800/800|:-1 .*) ' "$T/perf" >"$T/offenders"
	none "$series: nobody has the name of a context ID" "$T/offenders"
done
play "$TOP/tests/scenarios/pid-namespace-few.scn"
for series in $OWNERS; do
	list "$series" ../perf.data >"$T/perf"
	hasnt "$series: two damaged context IDs are no other PID namespace" 'PID namespace' "$T/perf.err"
	has "$series: the others name their threads" ' 900/900 ' "$T/perf"
done

# Two VMs whose VMMs had the same PID, one after the other: the second one's vCPU thread gets its
# name after it was forked.
sed 's|^thread main2 is|thread worker is host pid 500 tid 503 comm worker runs vmm and linux\n&|
	s|main2 forks other|main2 forks worker|; s|main2 switches to other|main2 switches to worker\n\tworker execs other|' \
	"$TOP/tests/scenarios/vmm-pid-comes-back.scn" >"$T/two-vms.scn"
play "$T/two-vms.scn"
has "they are two VMs to csguest" '500#1 .*500#2' <("$CSGUEST" summary -q -i ../perf.data 2>"$T/err" | tr '\n' ' ')
for series in $OWNERS; do
	list "$series" ../perf.data --guestvmlinux "$kernel" >"$T/perf"
	has "$series: two VMs of one PID: the host's part is listed" ' 500/503 .* __guest_enter$' "$T/perf"
	grep '^VM:' "$T/perf" >"$T/offenders"
	none "$series: perf, which knows VMs by the PID alone, has no code of either" "$T/offenders"
done

# A guest of a guest has other code at the addresses of the guest's kernel.  Linux 7.3 may run such
# guests, unless something shows that it cannot: its symbols, the user, or the release, of which
# 6.12 is too old.
play "$TOP/tests/scenarios/nested-unproved.scn"
l2=(--guestvmlinux ../guest/500-201/vmlinux)
printf '[cs-etm]\n\tnested = false\n' >"$T/config"
for series in $OWNERS; do
	list "$series" ../perf.data "${l2[@]}" >"$T/perf"
	none "$series: no guest that may be a guest's guest has code" <(grep '^VM:' "$T/perf")
	has "$series: which is said, and what helps" '^CS ETM: Record with --kcore, or rule them out by cs-etm.nested=false' "$T/perf.err"
	PERF_CONFIG=$T/config list "$series" ../perf.data "${l2[@]}" >"$T/perf"
	has "$series: cs-etm.nested=false rules it out" '^VM: 500 .* l2start$' "$T/perf"
done
sed 's/^include: base\/nested$/&\nlinux: 6.12.0/' "$TOP/tests/scenarios/nested-unproved.scn" >"$T/older.scn"
play "$T/older.scn"
for series in $OWNERS; do
	list "$series" ../perf.data "${l2[@]}" >"$T/perf"
	has "$series: so does Linux 6.12" '^VM: 500 .* l2start$' "$T/perf"
done

# KVM's events, where no context ID names the thread: they count only if each of them was recorded.
play "$TOP/tests/scenarios/kvm-exits-in-order.scn"
u64() { od -An -tu8 -j"$1" -N8 ../perf.data | tr -d ' '; }
cp ../perf.data ../every.data
for ((at = $(u64 24); at < $(u64 24) + $(u64 32); at += $(u64 16))); do
	[ "$(od -An -tu4 -j$at -N4 ../perf.data)" -ne 2 ] ||
		printf '\x02' | dd of=../perf.data bs=1 seek=$((at + 16)) conv=notrunc status=none
done
for file in every perf; do
	"$CSGUEST" script -q --itrace=i1i -F $fields --symfs . --vmlinux vmlinux -i ../$file.data 2>"$T/err" | lines >"$T/$file"
done
is "threads that KVM's events tell apart are unknown where not each was recorded" "104 104 1" \
	"$(wc -l <"$T/every") $(wc -l <"$T/perf") $(cmp -s "$T/every" "$T/perf"; echo $?)"
for series in $OWNERS; do
	for file in every perf; do
		list "$series" ../$file.data >"$T/out"
		same "$series: so they are to perf ($file)" "$T/$file" "$T/out"
	done
done

# Of a thread that may run a vCPU a timestamp is known to some us only, in which p6 exits, and p5
# gets its PID.
"$BUILD/tools/scale" seed 20261136 cpus 3 vms 6 vcpus 3 guests 3 bytes 300 piece 4096 "$T/made-up" 2>"$T/err" ||
	fail "a made-up host is made" "$T/err"
# Instructions of the two processes, in the order in which they began.
awk '/^owner .* privilege=user .* pid=1022 / { of[$2] = n++ } /^run/ && $2 in of { sum[of[$2]] += $3 }
	END { for (i = 0; i < n; i++) print sum[i] }' "$T/made-up/truth" >"$T/ran"
is "two processes have one PID" 2 "$(wc -l <"$T/ran")"
for series in $OWNERS; do
	"$BUILD/perf-$series" script -f --itrace=i1i -F pid,tid,ip,dso --symfs "$T/made-up/host" -i "$T/made-up/perf.data" >"$T/perf" 2>"$T/perf.err"
	is "$series: who gets a PID next has no instructions of the process before" "$(tail -n 1 "$T/ran")" \
		"$(grep -c ' 1022/1022 .*(/bin/p5)$' "$T/perf")"
done

# Processes execute other programs at the same addresses all the time, and threads move. What perf
# lists csguest lists as well, of which e2e/scale knows that it ran.
"$BUILD/tools/scale" seed 2 cpus 3 vms 3 vcpus 2 processes 6 bytes 150 piece 4096 kb 32 execs 30 moves 30 "$T/execs" 2>"$T/err" ||
	fail "a made-up host is made" "$T/err"
read -ra args <"$T/execs/args"
listed() { awk '/ instructions/ { print $2, $1, $4, $5 }' | sort -s -k 1,1; }
"$CSGUEST" script -q --itrace=i1i -F pid,tid,cpu,event,ip,dso "${args[@]}" "$T/execs/perf.data" 2>"$T/err" | listed >"$T/csguest"
for series in $OWNERS; do
	"$BUILD/perf-$series" script -f --itrace=i1i -F pid,tid,cpu,event,ip,dso --symfs "$T/execs/host" -i "$T/execs/perf.data" 2>"$T/perf.err" | listed >"$T/perf"
	is "$series: of processes that become others code is listed" true "$([ "$(wc -l <"$T/perf")" -gt 150000 ] && echo true)"
	diff "$T/csguest" "$T/perf" | grep '^>' >"$T/other"
	none "$series: and none that did not run" "$T/other"
done
