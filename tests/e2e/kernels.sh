#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Kernels that the user names and that are not what ran, or not where it ran, are refused, of the
# host and of
# guests: one that cannot be placed, one of another build, and one that the trace contradicts.
# Takes 14 s.
. "$(dirname "$0")/lib.sh"

mkdir "$T/two-guests"
tar -C "$T/two-guests" --zstd -xf "$TRACES/two-guests/two-guests.tar.zst"
kcores=$T/two-guests/perf.data
# The recording without its kcore.
cp "$kcores/data" "$T/perf.data"

# decoded OPTION...: how many instructions the summary has; what is said is in $T/err.
decoded() {
	"$CSGUEST" summary --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" "$@" "$T/perf.data" >"$T/out" 2>"$T/err"
	sed -nE 's/^decoded +([0-9,]+) instructions.*/\1/p' "$T/out" | tr -d ,
}

# move FILE TO BYTES: a kcore with its segments that many bytes (a multiple of 4 below 1024) further
# on.
move() {
	cp "$1" "$2"
	local at value
	for ((at = 80; at < 80 + 56 * $(od -An -tu2 -j 56 -N 2 "$2"); at += 56)); do
		value=$(od -An -tu2 -j $at -N 2 "$2")
		# shellcheck disable=SC2059
		printf "$(printf '\\x%02x\\x%02x' $(((value + $3) & 255)) $(((value + $3) >> 8 & 255)))" |
			dd of="$2" bs=1 seek=$at conv=notrunc 2>"$T/dd"
	done
}

none=$(decoded)

ok "the kcore is there" test "$(decoded --kcore "$kcores/kcore_dir/kcore")" -gt $((none * 4))
hasnt "and is believed" 'contradicts' "$T/err"
for bytes in 4 256; do
	move "$kcores/kcore_dir/kcore" "$T/moved" $bytes
	is "nothing of a kernel that lies $bytes bytes elsewhere is decoded" "$none" "$(decoded --kcore "$T/moved")"
	has "file and reason are said" 'moved: not the kernel that ran, or not where it ran: the trace contradicts [0-9]+ of [0-9]+ branches' "$T/err"
done

for vm in 136 138; do
	kcore=$kcores/kcore_dir__$vm/kcore
	ok "the kcore of guest $vm is there" test "$(decoded --guest "g,pid=$vm,kcore=$kcore")" -gt $((none * 2))
	hasnt "and is believed" 'contradicts' "$T/err"
	move "$kcore" "$T/moved" 4
	is "nothing of it is decoded four bytes elsewhere" "$none" "$(decoded --guest "g,pid=$vm,kcore=$T/moved")"
	has "which is said" 'moved: not the kernel that ran, or not where it ran: the trace contradicts' "$T/err"
done

# state VM OPTION...: what info says of the file of that machine's kernel.
state() {
	"$CSGUEST" info --json "${@:2}" "$T/perf.data" >"$T/out" 2>"$T/err"
	jq -r --arg vm "$1" '.kernel_files[] | select(.vm == ($vm | tonumber)) | .state, .why' "$T/out" | tr '\n' ' '
}
if command -v jq >/dev/null; then
	is "info: the host's agrees" "agrees with the trace null " "$(state 0 --kcore "$kcores/kcore_dir/kcore")"
	is "it was compared" true "$(jq '.kernel_files[0] | .branches > 60 and .contradicted == 0' "$T/out")"
	is "info: the guest's agrees" "agrees with the trace null " "$(state 136 --guest "g,pid=136,kcore=$kcores/kcore_dir__136/kcore")"
	is "info: four bytes elsewhere it is refused" "refused null " "$(state 138 --guest "g,pid=138,kcore=$T/moved")"
	"$CSGUEST" info --kcore "$kcores/kcore_dir/kcore" "$T/perf.data" >"$T/out" 2>"$T/err"
	has "text says so, too" '^ +branches that ran: agrees with the trace, 0 of [0-9]+ branches contradicted$' "$T/out"
	is "the kernel in the recording is not listed" '[]' "$("$CSGUEST" info --json "$kcores" | jq -c .kernel_files)"
	cp "$T/two-guests/perf-bare.data/data" "$T/perf.data"
	is "info: without context IDs the guest's is not checked" \
		"not checked nothing in the beginning of the trace is proved to be of this kernel and in this file " \
		"$(state 136 --guest "g,pid=136,kcore=$T/moved")"
	is "nor is it refused" 0 "$(decoded --guest "g,pid=136,kcore=$T/moved" >"$T/decoded"; grep -c 'contradicts' "$T/err")"
	is "info: the host's is" "agrees with the trace null " "$(state 0 --kcore "$kcores/kcore_dir/kcore")"
else
	skip "no jq"
fi

# The same trace as that of a unit that speculates (TRCIDR8.MAXSPEC is 8): it commits what is more.
cp "$T/two-guests/perf.data/data" "$T/perf.data"
for at in $(grep -abo '@@@@@@@@' "$T/perf.data" | cut -d: -f1); do
	printf '\10' | dd of="$T/perf.data" bs=1 seek=$((at + 64)) conv=notrunc 2>"$T/dd"
done
has "the trace unit speculates" 'TRCIDR8 0x8' <("$CSGUEST" info "$T/perf.data")
for pair in "0 kcore_dir" "136 kcore_dir__136"; do
	vm=${pair% *} kcore=$kcores/${pair#* }/kcore
	move "$kcore" "$T/moved" 4
	named() { if [ "$vm" = 0 ]; then echo "--kcore=$1"; else echo "--guest=g,pid=$vm,kcore=$1"; fi; }
	ok "speculating: the kcore of VM $vm is there" test "$(decoded "$(named "$kcore")")" -gt 1000
	hasnt "speculating: and is believed" 'contradicts' "$T/err"
	decoded "$(named "$T/moved")" >"$T/n"
	has "speculating: four bytes elsewhere it is refused" 'moved: not the kernel that ran, or not where it ran: the trace contradicts' "$T/err"
	if command -v jq >/dev/null; then
		is "speculating: info says that it agrees" "agrees with the trace null " "$(state "$vm" "$(named "$kcore")")"
	fi
done

# Without VHE the host's kernel and guests' share EL1: owners say whose it is.
for name in nvhe protected; do
	mkdir "$T/$name"
	tar -C "$T/$name" --zstd -xf "$TRACES/$name/$name.tar.zst"
	cp "$T/$name/perf.data/data" "$T/perf.data"
	kcore=$T/$name/perf.data/kcore_dir/kcore
	none=$(decoded)
	ok "$name: the host's kcore is there" test "$(decoded --kcore "$kcore")" -gt "$none"
	hasnt "$name: and is believed" 'contradicts' "$T/err"
	move "$kcore" "$T/moved" 4
	is "$name: nothing of it is decoded four bytes elsewhere" "$none" "$(decoded --kcore "$T/moved")"
	has "$name: which is said" 'moved: not the kernel that ran, or not where it ran: the trace contradicts' "$T/err"
done
for vm in 140 142; do
	cp "$T/nvhe/perf.data/data" "$T/perf.data"
	none=$(decoded)
	kcore=$T/nvhe/perf.data/kcore_dir__$vm/kcore
	ok "nvhe: guest $vm's kcore is there" test "$(decoded --guest "g,pid=$vm,kcore=$kcore")" -gt "$none"
	hasnt "nvhe: and is believed" 'contradicts' "$T/err"
	move "$kcore" "$T/moved" 4
	is "nvhe: nothing of it is decoded four bytes elsewhere" "$none" "$(decoded --guest "g,pid=$vm,kcore=$T/moved")"
	has "nvhe: which is said" 'moved: not the kernel that ran, or not where it ran: the trace contradicts' "$T/err"
done

# A snapshot has its hypervisor's memory; of domains' kernels there are files.
mkdir "$T/xen"
tar -C "$T/xen" --zstd -xf "$TRACES/xen/xen.tar.zst"
# domain KCORE: what info says of it, as the kernel of domain 1.
domain() {
	"$CSGUEST" info --hypervisor xen --buildid-dir "$T/xen/buildid" \
		--guest "web,vmid=2,maps=latest,perf=$T/xen/guest-2.data,root=$T/xen/guestmount/2,kcore=$1" "$T/xen/snapshot" 2>"$T/err"
}
has "snapshot: the kcore of a domain agrees" 'agrees with the trace, 0 of [0-9]{2,} branches contradicted' <(domain "$T/xen/kcore_dir__2/kcore")
move "$T/xen/kcore_dir__2/kcore" "$T/moved" 4
has "snapshot: four bytes elsewhere it is refused" 'refused, [0-9]{2,} of [0-9]+ branches contradicted' <(domain "$T/moved")

# number VALUE BYTES: little-endian.
number() {
	local value=$1 bytes=$2
	for (( ; bytes; bytes--)); do
		# shellcheck disable=SC2059
		printf "$(printf '\\x%02x' $((value & 255)))"
		value=$((value >> 8))
	done
}
# elf FILE ADDRESS: an ELF file for AArch64 with one segment, which FILE is and which lies at
# ADDRESS.
elf() {
	local size
	size=$(stat -c %s "$1")
	printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0'
	number 2 2 && number 183 2 && number 1 4 && number "$2" 8 && number 64 8 && number 0 12
	number 64 2 && number 56 2 && number 1 2 && number 64 2 && number 0 4
	number 1 4 && number 5 4 && number 4096 8 && number "$2" 8 && number "$2" 8
	number "$size" 8 && number "$size" 8 && number 4096 8
	head -c $((4096 - 120)) /dev/zero
	cat "$1"
}
# A snapshot's own kernel, or hypervisor, with its dump and where the file alone has its code.
elf "$T/xen/snapshot/xen.bin" $((0x200000)) >"$T/xen/right.elf"
elf "$T/xen/snapshot/xen.bin" $((0x200004)) >"$T/xen/moved.elf"
cp -r "$T/xen/snapshot" "$T/xen/without"
sed -i '/^\[dump1]/,$d' "$T"/xen/without/cpu_*.ini
# total KIND FILE SNAPSHOT: how many instructions are decoded.
total() {
	"$CSGUEST" report --hypervisor "$1" --vmlinux "$T/xen/$2" "$T/xen/$3" 2>"$T/err" | sed -n 's/^# total: \([0-9]*\) .*/\1/p'
}
for kind in unknown xen; do
	all=$(total $kind right.elf snapshot)
	hasnt "snapshot, $kind: its kernel is believed" 'contradicts' "$T/err"
	is "snapshot, $kind: without a dump the file has the same code" "$all" "$(total $kind right.elf without)"
	ok "snapshot, $kind: which is more than nothing" test "$all" -gt 100000
	is "snapshot, $kind: four bytes elsewhere it is not decoded" 0 "$(total $kind moved.elf without)"
	has "snapshot, $kind: which is said" 'moved.elf: not the kernel that ran, or not where it ran: the trace contradicts' "$T/err"
	has "snapshot, $kind: with a remedy for a snapshot" 'remedy: give the file of the kernel that ran .*\[dumpN\]' "$T/err"
	is "snapshot, $kind: where a dump is, that is decoded" "$all" "$(total $kind moved.elf snapshot)"
	has "snapshot, $kind: and the file is refused as well" 'moved.elf: not the kernel that ran, or not where it ran: the trace contradicts' "$T/err"
done

use_fixture
report=("$CSGUEST" report --symfs "$T/sys")
exits 19 "a vmlinux with another build ID is refused" "${report[@]}" --vmlinux "$fixture/guest/vmlinux" "$fixture/perf.data"
has "and both IDs are said" 'guest/vmlinux: not the kernel that was recorded: its build ID is [0-9a-f]{40}, not [0-9a-f]{40}' "$T/err"

# The fixture's has the build ID, but no image header that says where _text is.  As it is, it is
# where it was recorded.
if command -v aarch64-linux-gnu-strip >/dev/null; then
	aarch64-linux-gnu-strip -o "$T/stripped" "$fixture/host/vmlinux"
	ok "a vmlinux without symbols where the kernel was recorded is used" "${report[@]}" --vmlinux "$T/stripped" "$fixture/perf.data"
	has "and decoded" ' host +EL2 ' "$T/out"
	move "$T/stripped" "$T/moved" 64
	ok "one that nothing places is refused" "${report[@]}" --vmlinux "$T/moved" "$fixture/perf.data"
	has "file and reason are said" 'moved: cannot be placed: the recording has _text at 0xffff800080000000, and nothing' "$T/err"
	has "and the remedy" 'remedy: give a vmlinux with symbols' "$T/err"
	hasnt "and it is not decoded" ' host +EL2 ' "$T/out"
	ok "with symbols a vmlinux is used" "${report[@]}" --vmlinux "$fixture/host/vmlinux" "$fixture/perf.data"
	has "and decoded" ' host +EL2 ' "$T/out"
else
	skip "no aarch64-linux-gnu-strip (package binutils-aarch64-linux-gnu)"
fi
