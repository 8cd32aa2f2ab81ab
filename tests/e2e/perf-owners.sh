#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The owners that the patched perf script prints are those of csguest script, line by line.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

# The event is there to leave away samples of others, which perf lists as well.
fields=pid,tid,cpu,event,ip,machine_pid,vcpu

# by_cpu FILE: the same, CPU after CPU, as merging CPUs by time leaves some freedom, without what ran in
# the trampoline of page table isolation, of which perf has no code.
by_cpu() {
	awk -v base="$1" '
		/ ffffffffff5[0-9a-f]*$/ || !/ instructions/ { next }
		{ sub(/ instructions[^ ]*/, ""); $1 = $1
		  match($0, /\[[0-9]+\]/); print >(base ".cpu" substr($0, RSTART + 1, RLENGTH - 2)) }' "$1"
	cat "$1".cpu* >"$1.sorted" 2>/dev/null
	rm -f "$1".cpu*
}

# within SENTENCE A B: all lines of B are in A, in the same order; A may have more.
within() {
	diff "$2" "$3" | grep '^>' >"$T/diff"
	if [ -s "$2" ] && [ -s "$3" ] && [ ! -s "$T/diff" ]; then pass "$1"; else fail "$1" "$T/diff"; fi
}

# compare NAME CSGUEST-FILES -- PERF-FILES: of the recording $data
compare() {
	local name=$1 csguest=()
	shift
	while [ "$1" != -- ]; do csguest+=("$1") && shift; done
	shift
	"$CSGUEST" script -q --itrace="$itrace" -F $fields "${csguest[@]}" -i "$data" >"$T/csguest" 2>"$T/err"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace="$itrace" -F $fields "$@" -i "$data" >"$T/perf" 2>"$T/perf.err"
		is "$series: $name is decoded" 0 $?
		by_cpu "$T/perf"
		if [ -s "$T/csguest" ]; then
			${how:-same} "$series: $name: each of $(wc -l <"$T/csguest") instructions ($itrace) has the same owner" "$T/csguest.sorted" "$T/perf.sorted"
		else
			none "$series: $name: who ran is unknown to perf as well" "$T/perf.sorted"
		fi
	done
}

# The same when both guests' recordings have been put into the host's.  Of guests' injected switches perf
# makes no use yet, so csguest names more threads.
after_injection() {
	local series files=(--symfs "$T/two-guests/symfs") fields=cpu,event,ip,machine_pid,vcpu
	for series in $OWNERS; do
		ok "$series: a guest is injected" "$BUILD/perf-$series" inject -f -i "$T/two-guests/perf.data" \
			--guest-data="$T/two-guests/guest-136.data,136,0" -o "$T/one"
		ok "$series: and another" "$BUILD/perf-$series" inject -f -i "$T/one" \
			--guest-data="$T/two-guests/guest-138.data,138,0" -o "$T/both"
		data=$T/both OWNERS=$series compare "two-guests with its guests" "${files[@]}" -- "${files[@]}"
		rm -rf "$T/one" "$T/both"
	done
}

# The policy is said in perf's configuration.
policy() {
	printf '[cs-etm]\n\thypervisor = %s\n' "$1" >"$T/config"
	PERF_CONFIG=$T/config compare "$recording as $1" --hypervisor "$1" --symfs "$T/$recording/symfs" -- --symfs "$T/$recording/symfs"
}

# In each series that has come as far.
OWNERS=
for series in $SERIES; do "$BUILD/perf-$series" check feature libcsguest >"$T/out" 2>&1 && OWNERS="$OWNERS $series"; done
[ -n "$OWNERS" ] || skip_all "no perf with libcsguest"

for packed in "$TRACES"/*/*.tar.zst; do
	recording=$(basename "$packed" .tar.zst)
	unpack "$recording"
	# Every single instruction of the ones with the most to tell apart, a part of the others.
	itrace=i7i how=same
	case $recording in
	smp-guest | tiny-guests | kpti) itrace=i1i ;;
	# csguest also takes the AUX records' threads for proof of who was there, and decodes more.
	nvhe) itrace=i1i how=within ;;
	esac
	for data in "$T/$recording"/perf*.data; do
		[ -e "$data" ] || continue
		compare "$recording/$(basename "$data")" --symfs "$T/$recording/symfs" -- --symfs "$T/$recording/symfs"
	done
	data=$T/$recording/perf.data
	case $recording in
	two-guests) after_injection ;;
	protected) policy pkvm ;;
	nvhe) policy kvm-nvhe ;;
	esac
	rm -rf "${T:?}/$recording"
done

# The host's code comes from a cache, the guest's is not given.
fixture=$TRACES/vhe-one-guest
mkdir -p "$T/root/usr/bin" "$T/root/usr/sbin"
cp "$fixture/host/qemu-system-aarch64" "$T/root/usr/bin"
cp "$fixture/host/sshd" "$T/root/usr/sbin"
for file in "$fixture"/host/*; do "$BUILD/perf" --buildid-dir "$HOME/.debug" buildid-cache -a "$file" 2>"$T/perf.err"; done
data=$fixture/perf.data itrace=i1i how=same
compare vhe-one-guest --symfs "$T/root" --vmlinux "$fixture/host/vmlinux" --
