#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The patched perf distinguishes guests in reports and branches.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

unpack two-guests
data=$T/two-guests/perf.data
for series in $SERIES; do
	perf() { "$BUILD/perf-$series" "$@" -f --symfs "$T/two-guests/symfs" -i "$data"; }
	ok "$series: libcsguest is inside" "$BUILD/perf-$series" check feature libcsguest

	ok "$series: perf report sorts by machine and VCPU" perf report --stdio --itrace=i100i --sort machine_pid,vcpu
	grep -v '^#' "$T/out" | grep . | awk '{ $1 = ""; print }' | sed 's/^ //' >"$T/rows"
	printf '%s\n' host '136 0' '138 0' >"$T/expected"
	same "$series: host and guests are apart" "$T/expected" "$T/rows"

	ok "$series: branches are listed" perf script --itrace=b -F comm,tid,cpu,ip,sym,addr,flags,machine_pid,vcpu
	mv "$T/out" "$T/branches"
	has "$series: the way into a guest leaves the host" ' vmentry +[0-9a-f]+ __guest_enter +=> +0 ' "$T/branches"
	has "$series: and enters the guest" '^VM: +13[68] VCPU:000 .* vmentry +0 \[unknown\] => +[0-9a-f]+ ' "$T/branches"
	has "$series: the way out leaves the guest" '^VM: +13[68] VCPU:000 .* vmexit +[0-9a-f]+ [a-z_0-9]+ +=> +0 ' "$T/branches"
	has "$series: and enters the host" '^ .* vmexit +0 \[unknown\] => +[0-9a-f]+ ' "$T/branches"
	is "$series: as often one as the other" "$(grep -c ' vmentry .*=> *0 ' "$T/branches")" "$(grep -c ' vmentry  *0 ' "$T/branches")"

	# A guest's file is not below --guestmount: the host's of the same name counts if its build
	# ID is the same, which perf inject of 7.3 does not keep.
	[ "$series" != 6.12 ] || inject_guests 6.12 two-guests true "$T/injected"
	chats() { "$BUILD/perf-$series" script -f --symfs "$1" -i "$T/injected" --itrace=i100i -F ip,dso,machine_pid 2>"$T/err" | grep -c '^VM:.*(/bin/chat)'; }
	if [ -d "$T/injected" ]; then
		rm -rf "$T/other" && cp -r "$T/two-guests/symfs" "$T/other"
		cp "$T/other/bin/qemu-system-aarch64" "$T/other/bin/chat"
		is "$series: guests ran the host's file of the same build ID" true "$([ "$(chats "$T/two-guests/symfs")" -gt 100 ] && echo true)"
		is "$series: and not one of another build ID" 0 "$(chats "$T/other")"
	else
		skip "$series: guests' files by their build IDs: no perf 6.12, whose inject keeps these"
	fi

	# One of the two is not mounted.
	if [ -d "$T/injected" ]; then
		mkdir -p "$T/mnt/136"
		one_mounted() { "$BUILD/perf-$series" script -f --guestmount "$T/mnt" -i "$T/injected" --itrace=i100i -F ip,machine_pid; }
		ok "$series: guests are shown of which not all are below --guestmount" one_mounted
		is "$series: both" 2 "$(sed -n 's/^VM: *\([0-9]*\) .*/\1/p' "$T/out" | sort -u | wc -l)"
		is "$series: and once which is not" 1 "$(grep -c "Can't access file $T/mnt/138$" "$T/err")"
	fi

	printf '[cs-etm]\n\thypervisor = qemu\n' >"$T/config"
	refused() { PERF_CONFIG=$T/config perf script --itrace=b; }
	exits 234 "$series: nonsense for cs-etm.hypervisor is refused" refused
	has "$series: with what there is" "'qemu' is none of auto, none, kvm-vhe" "$T/err"
done
