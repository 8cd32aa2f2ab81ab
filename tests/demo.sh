#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# What `make demo` shows: a real Linux host and two real Linux guests distinguished down to the
# process, with the evidence; and a small VHE host with one guest.  Both are compared with their
# truth: fails where csguest says otherwise.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
csguest=${B:-build}/csguest
pictures=${B:-build}/demo
tmp=$(mktemp -d "${TMPDIR:-/tmp}/csguest.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$pictures"

# run OPTION...: csguest with its messages kept.
run() {
	"$csguest" "$@" >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err" >&2; exit 1; }
}

# show COMMAND OPTION...: prints what a user would type, runs it with the places of the images; GREP
# and HEAD choose of its output, which is shown without lines that are BLANK.
show() {
	printf '\n$ csguest %s\n' "${*//$tmp\//}"
	run "$1" ${images[@]+"${images[@]}"} "${@:2}"
	sed "s|$tmp/||g" "$tmp/out" | grep -E -- "${GREP:-^}" | grep -Ev "${BLANK:-^#?\$}" | head -n "${HEAD:-40}"
}

# compared TRUTH RECORDING: with who really executed each instruction; the demo fails where a wrong
# owner is named.
compared() {
	printf '\nCompared with the truth, %s, which csguest does not read (docs/truth.md):\n' "${1//$tmp\//}"
	"${csguest%csguest}score" --truth "$1" "${images[@]}" "$2" >"$tmp/out" 2>"$tmp/err" || {
		cat "$tmp/out" "$tmp/err" >&2
		exit 1
	}
	sed -n '/stock perf/q; /instructions of the truth/,$p' "$tmp/out" | grep -Ev '^#?$'
}

echo "two-guests: a Linux host on two CPUs and two Linux guests under KVM, 5 ms of them (emulated; traces/README.md says"
echo "how). They run the same kernel and the same programs at the same addresses, with equal PIDs."
two=$tmp/two-guests
mkdir "$two" && tar --zstd -xf traces/two-guests/two-guests.tar.zst -C "$two" || exit 1
images=(--symfs "$two/symfs" --buildid-dir "$two/buildid")
for vm in 136 138; do
	images+=(--guest "vm$vm,pid=$vm,perf=$two/guest-$vm.data,root=$two/guestmount/$vm")
done
echo "Every command below is also given the images and the guests' own recordings:"
printf '%s ' "${images[@]//$tmp\//}" | fold -sw 110 | sed 's/^/    /'
echo
BLANK="^#\$" HEAD=60 show summary "$two/perf.data"
show report --by world,vm,vcpu,process,el "$two/perf.data"
HEAD=20 show report --by world,vm,process,dso,symbol --max-lines 14 "$two/perf.data"
GREP='host>guest|guest>host' HEAD=6 show script "$two/perf.data"
HEAD=26 show explain --cpu 0 "$two/perf.data" 60010
HEAD=12 show exits "$two/perf.data"
compared "$two/truth" "$two/perf.data"
run timeline --force --html "$pictures/timeline.html" "${images[@]}" "$two/perf.data"
run flame "${images[@]}" "$two/perf.data"
cp "$tmp/out" "$pictures/flame.svg"

fixture=traces/vhe-one-guest
echo
echo "$fixture: two CPUs, a host kernel at EL2, a VMM and sshd at EL0, a guest kernel at EL1, its workload"
echo "at EL0, all programs our own; of this guest there is no recording, so its user code is a gap."
mkdir -p "$tmp/host/usr/bin" "$tmp/host/usr/sbin" # the host's files where the recording says they were
cp $fixture/host/qemu-system-aarch64 "$tmp/host/usr/bin"
cp $fixture/host/sshd "$tmp/host/usr/sbin"
images=()
GREP='^Hyper|kind:|because|CONTEXTIDR|meaning' show info $fixture/perf.data
images=(--vmlinux "$fixture/host/vmlinux" --symfs "$tmp/host" --guestvmlinux "$fixture/guest/vmlinux")
show report --by world,el $fixture/perf.data
compared $fixture/truth.txt $fixture/perf.data

echo
echo "To look at in a browser: $pictures/timeline.html, $pictures/flame.svg"
