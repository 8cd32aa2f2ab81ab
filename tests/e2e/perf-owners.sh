#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The owners that the patched perf script prints are those of csguest script, instruction by instruction.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

fields=pid,tid,cpu,ip,machine_pid,vcpu

# by_cpu FILE: the same in the order of each CPU, as merging CPUs by time leaves some freedom, without
# what ran in the trampoline of page table isolation, of which perf has no code.
by_cpu() { tr -s ' ' <"$1" | sed -e 's/^ //' -e 's/ $//' -e '/ ffffffffff5[0-9a-f]*$/d' | sort -s -t '[' -k 2,2.4 >"$1.sorted"; }

# compare NAME CSGUEST-FILES -- PERF-FILES: of the recording $data
compare() {
	local name=$1 csguest=()
	shift
	while [ "$1" != -- ]; do csguest+=("$1") && shift; done
	shift
	"$CSGUEST" script -q --itrace=i1i -F $fields "${csguest[@]}" -i "$data" >"$T/csguest" 2>"$T/err"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace=i1i -F $fields "$@" -i "$data" >"$T/perf" 2>"$T/perf.err"
		is "$series: $name is decoded" 0 $?
		by_cpu "$T/perf"
		if [ -s "$T/csguest" ]; then
			same "$series: $name: each of $(wc -l <"$T/csguest") instructions has the same owner" "$T/csguest.sorted" "$T/perf.sorted"
		else
			none "$series: $name: who ran is unknown to perf as well" "$T/perf"
		fi
	done
}

# In each series that has come as far.
OWNERS=
for series in $SERIES; do "$BUILD/perf-$series" check feature libcsguest >"$T/out" 2>&1 && OWNERS="$OWNERS $series"; done
[ -n "$OWNERS" ] || skip_all "no perf with libcsguest"

for packed in "$TRACES"/*/*.tar.zst; do
	recording=$(basename "$packed" .tar.zst)
	unpack "$recording"
	for data in "$T/$recording"/perf*.data; do
		[ -e "$data" ] || continue
		compare "$recording/$(basename "$data")" --symfs "$T/$recording/symfs" -- --symfs "$T/$recording/symfs"
	done
	rm -rf "${T:?}/$recording"
done

# The host's code comes from a cache, the guest's is not given.
fixture=$TRACES/vhe-one-guest
mkdir -p "$T/root/usr/bin" "$T/root/usr/sbin"
cp "$fixture/host/qemu-system-aarch64" "$T/root/usr/bin"
cp "$fixture/host/sshd" "$T/root/usr/sbin"
for file in "$fixture"/host/*; do "$BUILD/perf" --buildid-dir "$HOME/.debug" buildid-cache -a "$file" 2>"$T/perf.err"; done
data=$fixture/perf.data
compare vhe-one-guest --symfs "$T/root" --vmlinux "$fixture/host/vmlinux" --
