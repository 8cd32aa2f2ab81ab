#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What `make demo` shows: a real Linux host with two real Linux guests told apart, and a bundled
# recording of a small VHE host with one guest, held against its truth.  Fails when the two differ.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
csguest=${B:-build}/csguest
fixture=traces/vhe-one-guest
tmp=$(mktemp -d "${TMPDIR:-/tmp}/csguest.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT

# The host's files where the recording says they were.
mkdir -p "$tmp/host/usr/bin" "$tmp/host/usr/sbin"
cp $fixture/host/qemu-system-aarch64 "$tmp/host/usr/bin"
cp $fixture/host/sshd "$tmp/host/usr/sbin"
images=(--vmlinux $fixture/host/vmlinux --symfs "$tmp/host" --guestvmlinux $fixture/guest/vmlinux)

# show COMMAND OPTION...: prints and runs it; HEAD and GREP choose of its output.
show() {
	printf '\n$ csguest %s\n' "${*//$tmp\//}"
	"$csguest" "$@" >"$tmp/out" 2>"$tmp/err"
	# 18: code is missing, the guest's workload's; nobody's bytes are decoded in its place.
	case $? in 0 | 18) ;; *) cat "$tmp/err" >&2; exit 1 ;; esac
	grep -E -- "${GREP:-^}" "$tmp/out" | grep -Ev '^#?$' | head -n "${HEAD:-40}"
}

# Two Linux guests and their host run the same kernel and programs at the same addresses, with equal PIDs.
echo "traces/two-guests: a Linux host on two CPUs and two Linux guests under KVM, 5 ms of them (emulated;"
echo "traces/README.md says how). Each guest's kernel is its own; guest user code is a gap until guests' recordings count."
two=$tmp/two-guests
mkdir "$two" && tar --zstd -xf traces/two-guests/two-guests.tar.zst -C "$two" || exit 1
places=(--symfs "$two/symfs" --buildid-dir "$two/buildid")
show report "${places[@]}" -s world,el,vm,vcpu,comm "$two/perf.data"
HEAD=20 show report "${places[@]}" -s world,vm,vcpu,dso,symbol --max-lines 16 "$two/perf.data"

echo
echo "$fixture: two CPUs, a host kernel at EL2, a VMM and sshd at EL0, a guest kernel at EL1,"
echo "its workload at EL0; nothing but context packets, exceptions and their targets tells them apart."

GREP='^Hyper|kind:|because|CONTEXTIDR|meaning' show info $fixture/perf.data
show report "${images[@]}" -s world,el $fixture/perf.data
HEAD=20 show report "${images[@]}" -s world,el,comm,dso,symbol --max-lines 12 $fixture/perf.data
GREP='host>guest|guest>host' HEAD=6 show script "${images[@]}" $fixture/perf.data

echo
echo "Instructions as the truth ($fixture/truth.txt) and csguest have them:"
declare -A truth seen
while read -r _ start end el world _; do
	who="$world EL$el"
	truth[$who]=$((${truth[$who]-0} + (16#$end - 16#$start) / 4))
done < <(grep -v '^#' $fixture/truth.txt)
while IFS=, read -r world el instructions; do
	seen[$world $el]=$instructions
done < <("$csguest" report -q "${images[@]}" -s world,el --format csv --max-lines 0 $fixture/perf.data |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[tolower($i)] = i; next }
		{ print $at["world"] "," $at["el"] "," $at["instructions"] }')
rc=0
for who in "${!truth[@]}"; do
	note=
	if [ "${truth[$who]}" != "${seen[$who]-0}" ]; then
		if [ "$who" = "guest EL0" ] && [ -z "${seen[$who]-}" ]; then
			note="  not mapped for want of the guest's sideband: gaps, nobody else's bytes"
		else
			note="  DIFFERENT"
			rc=1
		fi
	fi
	printf '  %-10s %8d %8d%s\n' "$who" "${truth[$who]}" "${seen[$who]-0}" "$note"
done >"$tmp/table"
sort "$tmp/table"
[ -n "${seen[host EL2]-}" ] && [ -n "${seen[guest EL1]-}" ] || rc=1
exit $rc
