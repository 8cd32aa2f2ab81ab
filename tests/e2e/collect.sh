#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest collect on machines that are folders, with a perf that only says what it was asked.
. "$(dirname "$0")/lib.sh"

mkdir "$T/bin"
cat >"$T/bin/perf" <<'EOF'
#!/bin/bash
printf '%s\n' "$@" >"$FAKE.asked"
while [ $# -gt 0 ]; do
	[ "$1" != -o ] || { mkdir "$2" && echo trace >"$2/data"; }
	[ "$1" != -- ] || { shift; "$@"; exit; }
	shift
done
EOF
cat >"$T/bin/xl" <<'EOF'
#!/bin/bash
# Its domains are lines "NUMBER VMID NAME" of a file, or after the first dump of another, if that
# is there.
echo "xl $*" >>"$FAKE.xl"
[ ! -e "$FAKE.hook-$1" ] || . "$FAKE.hook-$1"
domains=$FAKE.domains
[ ! -s "$FAKE.log" ] || [ ! -e "$FAKE.domains-after" ] || domains=$FAKE.domains-after
case $* in
list)
	printf '%s\n' 'Name                                        ID   Mem VCPUs	State	Time(s)'
	while read -r number vmid name; do
		printf '%-40s %5d  1024     2     r-----       5.2\n' "$name" "$number"
	done <"$domains"
	;;
"debug-keys q")
	{
		echo "(XEN) 'q' pressed -> dumping domain info (now = 67291170080)"
		while read -r number vmid name; do
			echo "(XEN) General information for domain $number:"
			echo "(XEN) p2m mappings for domain $number (vmid $vmid):"
		done <"$domains"
		echo "(XEN) Notifying guest 0:0 (virq 1, port 0)"
	} >>"$FAKE.log"
	;;
dmesg) cat "$FAKE.boot" "$FAKE.log" ;;
*) echo "xl $*" ;;
esac
EOF
chmod +x "$T/bin/perf" "$T/bin/xl"
export PATH=$T/bin:$PATH FAKE=$T/perf

# file PATH TEXT: of the current machine.
file() {
	mkdir -p "$M/$(dirname "$1")"
	printf '%s\n' "$2" >"$M/$1"
}
M=$T/host
pmu=sys/bus/event_source/devices/cs_etm
file proc/sys/kernel/arch aarch64
file proc/sys/kernel/osrelease 6.12.95
file proc/sys/kernel/perf_event_paranoid -1
file proc/kcore core
file proc/kallsyms "ffff800080000000 T _text"
file proc/modules "kvm 1 0 - Live 0x0"
file dev/kvm ""
file $pmu/type 8
file $pmu/cpu0/trcidr0 0
file $pmu/sinks/tmc_etr0 0
file $pmu/format/contextid1 config:14
file $pmu/format/contextid2 config:15
file sys/bus/coresight/devices/etm0/ts_source -1
file boot/config-6.12.95 CONFIG_PID_IN_CONTEXTIDR=y
file sys/kernel/debug/kvm/136-11/vcpu0/pid 144
file sys/kernel/debug/kvm/138-11/vcpu0/pid 143
mkdir -p "$M/proc/136" "$M/proc/138"
printf '%s\0' qemu-system-aarch64 -name guest=web,debug-threads=on -uuid c7a5fdbd-edaf-9455-926a-d65c16db1809 >"$M/proc/136/cmdline"
file proc/138/cgroup '0::/machine.slice/machine-qemu\x2d2\x2ddb.scope/libvirt/emulator'
collect() { "$CSGUEST_SAN" collect --root "$M" "$@"; }
# start ARGUMENT...: the same beside this script; $! is csguest itself.
start() { "$CSGUEST_SAN" collect --root "$M" "$@" >"$T/out" 2>"$T/err" & }

cd "$T" || exit 1
ok "a dry run tells what would be run" collect --dry-run -o got -- sh -c 'echo "it ran"'
has "with guests named, as perf excludes them by default" '^perf record -a -e cs_etm/timestamp,contextid1,contextid2/GH --switch-events --kcore -o got/perf.data -- sh -c .echo "it ran".$' "$T/out"
has "and the list of vCPUs" '^grep . /sys/kernel/debug/kvm/\*/vcpu\*/pid > got/kvm-list$' "$T/out"
has "and what this machine cannot give" 'no FEAT_TRF: timestamps are those of the CoreSight counter' "$T/err"
ok "nothing is made" [ ! -e got ]
for to in '>&-' '>/dev/full'; do
	exits 4 "a dry run with $to is an error" bash -c "\"\$@\" $to" bash "$CSGUEST_SAN" collect --root "$M" --dry-run -o got -- true
	has "with $to: which is reported" '^csguest: error: standard output: ' "$T/err"
done
ok "it records" collect -o got -- sh -c 'echo "it ran"'
has "what it was told to run ran" '^it ran$' "$T/out"
has "the next step is reported" 'read it with: csguest got; guests. folders go to got/guests/NAME$' "$T/err"
ok "perf's output is there" grep -q trace got/perf.data/data
is "vCPUs are kept as grep would list them" "/sys/kernel/debug/kvm/138-11/vcpu0/pid:143
/sys/kernel/debug/kvm/136-11/vcpu0/pid:144" "$(cat got/kvm-list)"
is "and what VMs are called" "136 web c7a5fdbd-edaf-9455-926a-d65c16db1809
138 db -" "$(sort got/vm-names | tr '\t' ' ')"
is "clocks are read before and after" 2 "$(grep -c '^CLOCK_MONOTONIC_RAW [0-9]*\.[0-9]\{9\} CNTVCT_EL0 ' got/clock)"
is "nobody else can read what csguest writes" "700 600 600 600 " \
	"$(stat -c %a got got/kvm-list got/clock got/machine | tr '\n' ' ')"
is "nor any other file of its" "" "$(find got -path got/perf.data -prune -o -type f ! -perm 600 -print)"
has "what the machine offers is kept" '^CONFIG_PID_IN_CONTEXTIDR: yes$' got/machine
exits 4 "a folder that is there is not written into" collect -o got -- true
has "and the remedy is reported" 'remedy: name a new folder with -o' "$T/err"
exits 4 "a perf that is not there is reported" collect -o out2 --perf "$T/none" -- true
has "by its name" "$T/none: No such file" "$T/err"
exits 4 "a perf that fails is reported" collect -o out3 -- false
has "with its status" 'perf ended with status 1' "$T/err"
is "clocks after are read all the same" 2 "$(grep -c '^CLOCK_REALTIME' out3/clock)"

# Windows.  The machine's kernel is 6.12.
file $pmu/events/autofdo configid=0x12
ok "strobing is asked for" collect -n -o strobed --windows strobe -- true
has "with its preset" '^perf record -a -e cs_etm/autofdo,preset=5,timestamp,contextid1,contextid2/GH --switch-events' "$T/out"
ok "another preset" collect -n -o strobed --windows strobe --preset 9 -- true
has "is taken" '-e cs_etm/autofdo,preset=9,' "$T/out"
exits 2 "there are nine" collect -n --windows strobe --preset 10 -- true
rm "$M/$pmu/events/autofdo"
exits 13 "a kernel without strobing" collect -o strobed --windows strobe -- true
has "is reported" 'error: no strobing: the cs_etm PMU has no configuration autofdo' "$T/err"
ok "and nothing is recorded" [ ! -e strobed ]
exits 13 "pause and resume on an older kernel" collect -o paused --windows pause -- true
has "are refused" 'has it from Linux 6.16 on' "$T/err"
file proc/sys/kernel/osrelease 6.16.3
ok "they are recorded from 6.16 on" collect -o paused --windows pause -- true
is "by events that pause and resume, after the trace's" "cs_etm/aux-action=start-paused,timestamp,contextid1,contextid2/GH
cycles/aux-action=resume,period=8338447/GH
cycles/aux-action=pause,period=100003/GH" "$(grep -x -A1 -e -e "$FAKE.asked" | grep /GH)"
file proc/sys/kernel/osrelease 6.12.95
exits 13 "samples with trace are refused" collect -o sampled --windows sample -- true
has "as no driver gives them" 'error: no trace in samples' "$T/err"
exits 13 "their command is shown" collect -n -o sampled --windows sample -- true
has "as perf would take it" "^perf record -a -e '{cs_etm/timestamp,contextid1,contextid2/GH,cycles/period=10000000/GH}' --aux-sample=16384 " "$T/out"
ok "snapshots are recorded" collect -o snapshots --windows snapshot -- true
ok "with one at the end" grep -qx -- --snapshot=e "$FAKE.asked"
cat >"$T/bin/snaps" <<'EOF'
#!/bin/bash
trap 'echo one >>"$FAKE.snaps"' USR2
touch "$FAKE.runs"
for i in {1..100}; do [ -e "$FAKE.snaps" ] && break; sleep 0.1; done
EOF
chmod +x "$T/bin/snaps"
rm -f "$FAKE".{runs,snaps}
start -o snapped --windows snapshot --perf snaps
for i in {1..200}; do [ ! -e "$FAKE.runs" ] || break; sleep 0.1; done
kill -USR2 $!
wait $!
is "SIGUSR2 for csguest is for perf" "0 one" "$? $(cat "$FAKE.snaps" 2>&1)"
rm -f "$FAKE".{runs,snaps}
(sleep 1; touch "$FAKE.snaps") &
start -o whole --perf snaps
for i in {1..200}; do [ ! -e "$FAKE.runs" ] || break; sleep 0.1; done
kill -USR2 $!
wait $!
is "which takes none where it records the whole" "" "$(cat "$FAKE.snaps" 2>&1)"

# Who tells csguest alone to end means perf; a terminal tells both.
cat >"$T/bin/long" <<'EOF'
#!/bin/bash
trap 'echo ended >"$FAKE.ended"; trap - TERM; kill -TERM $$' INT # as perf 6.12 does: its workload's signal
touch "$FAKE.runs"
for i in {1..100}; do sleep 0.1; done
EOF
chmod +x "$T/bin/long"
for signal in INT TERM; do
	rm -f "$FAKE".{runs,ended}
	start -o "early-$signal" --perf long
	for i in {1..200}; do [ ! -e "$FAKE.runs" ] || break; sleep 0.1; done
	kill -$signal $!
	wait $!
	is "SIG$signal for csguest alone ends perf, by SIGINT" "0 ended" "$? $(cat "$FAKE.ended" 2>&1)"
	is "and clocks after are read" 2 "$(grep -c '^CLOCK_REALTIME' "early-$signal/clock")"
done

# A signal may come while perf is being started: fork() here comes back no sooner.
cat >"$T/late.c" <<'EOF'
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

pid_t fork(void)
{
	pid_t child = (unsetenv("LD_PRELOAD"), ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))());

	for (int i = 0; child && i < 200 && access(getenv("LATE_UNTIL"), F_OK); i++)
		usleep(100000);
	if (!child == !access(getenv("LATE_CHILD"), F_OK))
		raise(SIGINT);
	return child;
}
EOF
read -ra cc <<<"${CC:-cc}"
ok "a late fork is made" "${cc[@]}" -D_GNU_SOURCE -shared -fPIC -o "$T/late.so" "$T/late.c" -ldl
# late UNTIL CHILD: collects, with the parent late until UNTIL is there; who is it, parent or child,
# is interrupted.
late() {
	rm -rf "$FAKE".{runs,ended} out-late
	LD_PRELOAD=$T/late.so LATE_UNTIL=$1 LATE_CHILD=$2 "$CSGUEST" collect --root "$M" -o out-late --perf long
}
ok "interrupted before it knows perf" late "$FAKE.runs" "$T/none"
ok "it ends perf all the same" [ -e "$FAKE.ended" ]
ok "interrupted as perf is about to be" late "$T" "$T"
ok "perf is none" [ ! -e "$FAKE.runs" ]
# Before there is anything of perf's: while files are written.
cat >"$T/early.c" <<'EOF'
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int open(const char *path, int flags, ...)
{
	unsetenv("LD_PRELOAD");
	if (strstr(path, "out-early/clock"))
		raise(SIGINT);
	return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, 0600);
}
EOF
ok "an early interrupt is made" "${cc[@]}" -D_GNU_SOURCE -shared -fPIC -o "$T/early.so" "$T/early.c" -ldl
early() { LD_PRELOAD=$T/early.so "$CSGUEST" collect --root "$M" -o out-early --perf long; }
rm -rf "$FAKE".{runs,ended}
exits 4 "interrupted before perf" early
has "it says so" 'error: interrupted before long recorded' "$T/err"
ok "perf is not run" [ ! -e "$FAKE.runs" ]

echo "quiet kvm-arm.mode=protected" >"$M/proc/cmdline"
ok "a protected host" collect -o out-protected -- true
hasnt "is not asked for its kcore, to read which is a panic" kcore "$FAKE.asked"
ok "its symbols are copied" cmp "$M/proc/kallsyms" out-protected/kallsyms
rm "$M/proc/cmdline"

ok "perf is found in the current folder by an empty part of PATH" env -C "$T/bin" PATH=: "$CSGUEST_SAN" collect --root "$M" -n
ok "without PATH where execvp looks by itself" env -u PATH "$CSGUEST_SAN" collect --root "$M" -n --perf sh
exits 13 "without perf a dry run says so" collect -n --perf "$T/none"
has "with a remedy" 'remedy: install it .*--perf PATH' "$T/err"
ok "events that are not there are left out" collect -n --kvm-events
has "and reported" 'tracefs has no kvm:kvm_entry' "$T/err"
hasnt "so that perf does not fail" 'kvm:kvm_entry' "$T/out"

rm "$M/proc/kcore"
ok "without kcore" collect -o out4 -- true
ok "the kernel's symbols are copied" cmp "$M/proc/kallsyms" out4/kallsyms
ok "and the places of its modules" cmp "$M/proc/modules" out4/modules

rm -r "$M/$pmu"
file proc/device-tree/compatible linux,dummy-virt
rm "$FAKE.asked"
exits 13 "a host without trace units cannot trace" collect -o out5 -- true
has "and says why" 'no cs_etm PMU: the firmware .* describes no ETM or ETE' "$T/err"
has "and that it stops" 'error: nothing is recorded: without trace there is nothing to decode' "$T/err"
ok "nothing is run and nothing made" [ ! -e "$FAKE.asked" -a ! -e out5 ]
exits 13 "its sideband is recorded where that is asked for" collect --no-trace -o out5 -- true
ok "who was switched in" grep -qx dummy "$FAKE.asked"
rm -r "$M/sys/kernel" "$M/dev"
file sys/class/dmi/id/sys_vendor QEMU
ok "a guest records who ran in it" collect -o out6 -- true
has "which the host's recording wants" 'copy out6 into the folder that the host collected, as guests/NAME$' "$T/err"
exits 13 "told to be a host, it cannot" collect --role host -n

# What an emulated arm64 host with Debian's Linux 6.12.95 showed while two guests of QEMU ran
# (traces/record/collect.sh): its debugfs lists VMs alone, their threads show the rest.
M=$T/arm64
while read -r path text; do file "$path" "$text"; done <<'EOF'
proc/sys/kernel/arch aarch64
proc/sys/kernel/perf_event_paranoid 3
proc/cmdline nokaslr console=ttyAMA0 quiet panic=-1 kvm-arm.mode=nvhe
proc/device-tree/compatible linux,dummy-virt
dev/kvm
sys/kernel/debug/kvm/exits 117413
sys/kernel/debug/kvm/147-8/exits 81042
sys/kernel/debug/kvm/149-8/exits 36371
proc/147/task/147/syscall 73 0xaaab1be6a880 0x4 0x0 0x0 0x8 0x0 0xffffff4cd290 0xffffa6fb1d64
proc/147/task/152/syscall 98 0xaaaae7ce6cc0 0x0 0xffffffff 0x0 0x0 0x0 0xffffa61cdf20 0xffffa6fb7c28
proc/147/task/154/syscall 29 0xa 0xae80 0x0 0x0 0x0 0x0 0xffffa56f8d90 0xffffa6fb3c10
proc/147/task/155/syscall 29 0xc 0xae80 0x0 0x0 0x0 0x0 0xffffa4ee8d90 0xffffa6fb3c10
proc/149/task/149/syscall 73 0xaaaad33341d0 0x4 0x0 0x0 0x8 0x0 0xfffffbdd14a0 0xffff8a711d64
proc/149/task/156/syscall 29 0xa 0xae80 0x0 0x0 0x0 0x0 0xffff88e58d90 0xffff8a713c10
EOF
mkdir "$M"/proc/{147,149}/fd
ln -s /dev/kvm "$M/proc/147/fd/3"
ln -s anon_inode:kvm-vm "$M/proc/147/fd/8"
ln -s anon_inode:kvm-vcpu:0 "$M/proc/147/fd/10"
ln -s anon_inode:kvm-vcpu-stats:0 "$M/proc/147/fd/11"
ln -s anon_inode:kvm-vcpu:1 "$M/proc/147/fd/12"
ln -s anon_inode:kvm-vm "$M/proc/149/fd/8"
ln -s anon_inode:kvm-vcpu:0 "$M/proc/149/fd/10"
exits 13 "a host of arm64, which has no trace units" collect --no-trace -o got-arm64 -- true
is "has its vCPUs found by their threads" "/sys/kernel/debug/kvm/147-8/vcpu0/pid:154
/sys/kernel/debug/kvm/147-8/vcpu1/pid:155
/sys/kernel/debug/kvm/149-8/vcpu0/pid:156" "$(cat got-arm64/kvm-list)"
hasnt "and is not said to run no guest" 'no guest of KVM' "$T/err"
echo running >"$M/proc/147/task/154/syscall"
exits 13 "a vCPU that is on a CPU all the time does not show" collect --no-trace -o got-running -- true
has "which is reported" 'not every vCPU.s thread was seen in KVM_RUN' "$T/err"
is "the others are kept" 2 "$(grep -c pid: got-running/kvm-list)"

# dom0: what Xen 4.17 and its xl print there (traces/record/collect.sh).
M=$T/dom0
file sys/hypervisor/type xen
file sys/hypervisor/version/major 4
file sys/hypervisor/version/minor 17
file sys/hypervisor/version/extra .7
file proc/xen/capabilities control_d
file proc/sys/kernel/perf_event_paranoid -1
file proc/kallsyms "ffff800080000000 T _text"
file dev/xen/privcmd ""
file run/xenstored/socket ""
mkdir "$M/sys/hypervisor/properties"
printf 'zzzzzzzzzzzzzzzzzzzz' >"$M/sys/hypervisor/properties/buildid"
# xen_elf FILE BYTE: an ELF file whose build ID is 20 times that byte.
xen_elf() {
	mkdir -p "$M/$(dirname "$1")"
	printf '.section .note.gnu.build-id,"a"\n.word 4, 20, 3\n.asciz "GNU"\n.fill 20, 1, %s\n' "$2" >"$T/id.s"
	aarch64-linux-gnu-as -o "$M/$1" "$T/id.s"
}
syms=usr/lib/debug/boot/xen-syms-4.17-arm64
xen_elf $syms 0x7a
# log LINE...: what Xen has reported before.
log() {
	rm -f "$FAKE".{xl,asked,log,domains-after,hook-*}
	printf '(XEN) %s\n' "$@" >"$FAKE.boot"
}
printf '%s\n' '0 1 Domain-0' '3 4 web' >"$FAKE.domains"
log "Brought up 2 CPUs"
well=0
[ "$(id -u)" -eq 0 ] || well=13 # xl needs root, which is reported

exits $well "Xen's control domain: a dry run tells all of it" collect --dry-run -o xen
has "names and VMIDs" '^xl list >> xen/xen-list$' "$T/out"
has "by Xen's log" '^xl dmesg > xen/xen-dmesg$' "$T/out"
has "of which the last dump counts" "^tac xen/xen-dmesg . sed .*/'q' pressed/q.* . tac >> xen/xen-list\$" "$T/out"
is "before and after" 2 "$(grep -c '^xl debug-keys q$' "$T/out")"
has "with dom0's own recording in between" '^perf record -a -e dummy --switch-events --buildid-all -N ' "$T/out"
has "and xen-syms" "^cp /$syms xen/xen-syms\$" "$T/out"
has "and says how such trace is recorded" 'record from outside' "$T/err"
ok "nothing is asked" [ ! -e "$FAKE.xl" ]

exits $well "it records" collect -o xen -- true
has "whose VMIDs are is reported" '^csguest: VMID 1: domain 0, Domain-0$' "$T/err"
has "of each domain" '^csguest: VMID 4: domain 3, web$' "$T/err"
has "and where the trace goes" 'put the trace, an OpenCSD snapshot, to it as xen/snapshot, and read it with: csguest xen' "$T/err"
is "of each asking the last dump is kept" 2 "$(grep -c pressed xen/xen-list)"
is "and the names" 2 "$(grep -c '^web ' xen/xen-list)"
is "the log is kept as it is" "(XEN) Brought up 2 CPUs" "$(head -1 xen/xen-dmesg)"
is "vCPUs and configurations are kept" "xl vcpu-list xl list -l" "$(echo $(cat xen/xen-vcpus xen/xen-config))"
ok "Xen's symbols are copied" cmp "$M/$syms" xen/xen-syms
ok "and dom0's" cmp "$M/proc/kallsyms" xen/kallsyms
ok "its sideband is recorded" grep -qx dummy "$FAKE.asked"
is "clocks are read before and after" 2 "$(grep -c '^CLOCK_MONOTONIC_RAW ' xen/clock)"
has "what Xen it is, is kept" '^Xen: 4.17.7$' xen/machine

log "'q' pressed -> dumping domain info (now = 5)" "General information for domain 2:" "p2m mappings for domain 2 (vmid 4):" \
	"Notifying guest 2:0 (virq 1, port 0)"
exits $well "an older dump in Xen's log" collect -o xen-older -- true
has "does not count" '^csguest: VMID 4: domain 3, web$' "$T/err"
log "Brought up 2 CPUs"
printf '%s\n' '0 1 Domain-0' '5 4 shop' >"$FAKE.domains-after"
exits $well "a domain that goes while it is recorded" collect -o xen-gone -- true
has "has its VMID not for sure" '^csguest: VMID 4: domain 3, web: not all the time, or another.s as well$' "$T/err"
has "nor has who comes" '^csguest: VMID 4: domain 5, shop: not all the time' "$T/err"
log "p2m mappings for domain 0 (vmid 1):" "General information for domain 3:" "p2m mappings for domain 3 (vmid 4):" "Notifying guest 0:0"
echo 'exit 0' >"$FAKE.hook-debug-keys"
: >"$FAKE.log"
exits $well "a dump whose beginning is lost" collect -o xen-cut -- true
has "is cut" 'note: the list of domains is cut' "$T/err"
has "with a remedy" 'remedy: boot Xen with conring_size=64k' "$T/err"
has "and tells what it has" '^csguest: VMID 4: domain 3, web$' "$T/err"

# xl waits for xenstored forever; time goes a hundred times as fast here.
cat >"$T/hurry.c" <<'EOF'
#include <dlfcn.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
	int ret = ((int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"))(id, t);

	if (id == CLOCK_MONOTONIC) {
		long long ns = ((long long)(t->tv_sec % 1000000) * 1000000000 + t->tv_nsec) * 100;

		t->tv_sec = ns / 1000000000;
		t->tv_nsec = ns % 1000000000;
	}
	return ret;
}
EOF
ok "a fast clock is made" "${cc[@]}" -D_GNU_SOURCE -shared -fPIC -o "$T/hurry.so" "$T/hurry.c" -ldl
hurry() { LD_PRELOAD=$T/hurry.so "$CSGUEST" collect --root "$M" "$@"; }
log "Brought up 2 CPUs"
echo 'exec sleep 1000' >"$FAKE.hook-list"
rm "$M/run/xenstored/socket"
exits $well "without xenstored" hurry -o xen-nostore -- true
[ $well -ne 0 ] || has "it is reported before" 'note: xenstored does not run, or not here' "$T/err"
has "xl list is given its time" 'error: xl list did not end within 30 seconds' "$T/err"
has "with a remedy" 'remedy: start xenstored' "$T/err"
is "once" 1 "$(grep -cE '^xl (list|vcpu-list)' "$FAKE.xl")"
has "VMIDs are known all the same" '^csguest: VMID 4: domain 3, domain 3$' "$T/err"
log "Brought up 2 CPUs"
echo 'trap "" TERM; for i in {1..1000}; do sleep 0.1; done' >"$FAKE.hook-list"
exits $well "who does not want to end" hurry -o xen-stubborn -- true
has "is ended" 'error: xl list did not end within 30 seconds' "$T/err"
file run/xenstored/socket ""

log "Brought up 2 CPUs"
echo 'touch "$FAKE.runs"; exec sleep 1000' >"$FAKE.hook-list"
rm -f "$FAKE.runs"
start -o xen-interrupted
for i in {1..200}; do [ ! -e "$FAKE.runs" ] || break; sleep 0.1; done
kill -INT $!
wait $!
is "told to end while Xen is asked it ends, and records nothing" "4 no" "$? $([ -e "$FAKE.asked" ] && echo yes || echo no)"

log "'q' pressed -> dumping domain info (now = 5)" "General information for domain 2:" "p2m mappings for domain 2 (vmid 4):" \
	"Notifying guest 2:0 (virq 1, port 0)"
echo 'exit 1' >"$FAKE.hook-debug-keys"
exits 13 "where Xen takes no key" collect -o xen-keyless -- true
hasnt "what it reported before is not taken" 'VMID 4' "$T/err"
ok "but kept" grep -q 'vmid 4' xen-keyless/xen-dmesg

log "Brought up 2 CPUs"
echo 'exit 1' >"$FAKE.hook-dmesg"
exits 13 "where Xen tells nothing" collect -o xen-silent -- true
has "which command it was is reported" 'error: xl dmesg ended with status 1' "$T/err"
has "and what is missing" 'error: Xen did not log which domain has which VMID' "$T/err"
ok "the rest is recorded" [ -e xen-silent/perf.data/data -a -s xen-silent/xen-vcpus ]

log "Brought up 2 CPUs"
xen_elf $syms 0x7b
exits $well "another Xen's symbols" collect -o xen-other -- true
has "are reported" 'xen-syms that is there has another build ID' "$T/err"
ok "and left alone" [ ! -e xen-other/xen-syms ]
rm -r "$M/usr"
exits $well "no symbols" collect -o xen-nosyms -- true
has "are reported, with a remedy" "remedy: install it .Debian's package xen-hypervisor-VERSION-arm64-dbg" "$T/err"
hasnt "and not used" '--vmlinux' "$T/err"
mkdir "$T/bin2"
cp "$T/bin/perf" "$T/bin2"
exits 13 "without xl Xen cannot be asked" env PATH="$T/bin2" "$CSGUEST" collect --root "$M" -n
has "which is reported" 'xl is not there' "$T/err"
hasnt "nor is it tried" '^xl' "$T/out"
: >"$M/proc/xen/capabilities"
ok "another domain of Xen" collect -o xen-domu -- true
has "is a guest" 'copy xen-domu into the folder that the host collected' "$T/err"
exits 13 "which cannot ask Xen" collect --role xen -n
has "as is reported" "not Xen's control domain" "$T/err"

# A domain that Xen boots by itself has no node of a hypervisor in its device tree.
M=$T/dom0less
file proc/sys/kernel/arch aarch64
file proc/sys/kernel/perf_event_paranoid -1
mkdir -p "$M/proc/device-tree/psci"
printf 'hvc\0' >"$M/proc/device-tree/psci/method"
ok "who calls the firmware by HVC" collect -n
has "is a guest" '^# role: guest$' "$T/out"

M=$T/none
mkdir "$M"
ok "this machine itself can be looked at" bash -c "'$CSGUEST' collect -n >'$T/this' 2>&1; [ \$? -eq 0 -o \$? -eq 13 ]"
exits 2 "a role that is none is refused" collect --role boss
exits 2 "a time that is none is refused" collect --seconds 0
