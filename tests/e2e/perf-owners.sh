#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The owners that the patched perf script prints are those of csguest script, line by line; so are
# the name of the thread and the symbol.
#
#	RECORDINGS  the names of those of traces/ that are compared; by default all of them
# Takes 400 s.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"
. "$TOP/tests/perf-owners-lib.sh"

# Without its guest's recording perf decodes some user code more, rightly, where csguest does not
# know the time.
without_guests() {
	local series itrace=i1i files=(--symfs "$T/$recording/symfs")
	"$CSGUEST" script -q --itrace=i1i -F $fields "${files[@]}" -i "$data" 2>"$T/err" >"$T/csguest"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace=i1i -F $fields "${files[@]}" -i "$data" >"$T/perf" 2>"$T/perf.err"
		by_cpu "$T/perf"
		part "$T/csguest.sorted" "$T/perf.sorted" >"$T/other"
		none "$series: $recording: each of $(wc -l <"$T/csguest.sorted") instructions has the same owner" "$T/other"
		is "$series: $recording: and perf lists no more than one in 10,000 beside them" true \
			"$([ "$(wc -l <"$T/perf.sorted")" -le $(($(wc -l <"$T/csguest.sorted") * 10001 / 10000)) ] && echo true)"
	done
}

# Without levels perf decodes no guest of a host that runs guests of guests, and takes no timestamp
# for that of a known counter where one may be loaded: it shows what csguest shows of the host, with
# fewer threads.
without_levels() {
	local series itrace=i1i files=(--symfs "$T/$recording/symfs")
	"$CSGUEST" script -q --itrace=i1i -F $fields "${files[@]}" -i "$data" 2>"$T/err" | grep -v '^ *VM:' >"$T/csguest"
	by_cpu "$T/csguest"
	for series in $OWNERS; do
		"$BUILD/perf-$series" script -f --itrace=i1i -F $fields "${files[@]}" -i "$data" >"$T/perf" 2>"$T/perf.err"
		by_cpu "$T/perf"
		paste -d' ' "$T/csguest.sorted" "$T/perf.sorted" | awk '
			{ n = NF / 2
			  for (i = 1; i <= n; i++) if ($i != $(i + n) && !(i == 1 && $(n + 1) == "-1/-1")) { print; exit } }
			NF % 2 { print; exit }' >"$T/other"
		none "$series: $1: each of $(wc -l <"$T/csguest.sorted") instructions of the host has the same owner, or an unknown thread" "$T/other"
		# Without CONTEXTIDR_EL2 threads are known by times alone.
		[[ $1 != */perf-@(noid|vmid).data ]] || continue
		is "$series: $1: of nine in ten the thread is known to perf as well" true \
			"$([ $(($(grep -c '^ *-1/-1 ' "$T/perf.sorted") * 10)) -lt "$(wc -l <"$T/perf.sorted")" ] && echo true)"
	done
}

# Without the names of their threads vCPUs are known by kvm:kvm_entry and kvm:kvm_exit; they have no
# numbers then.
unnamed() {
	local data=$T/$recording/perf-unnamed.data itrace=i7i files=(--symfs "$T/$recording/symfs")
	cp -a "$T/$recording/perf-bare.data" "$data"
	sed -i 's|CPU \([0-9]\)/KVM|thread \1.|g' "$data/data"
	compare "$recording without names of vCPUs" "${files[@]}" -- "${files[@]}"
	has "which are known all the same" '^VM: +13[68] VCPU:  \? ' "$T/csguest"
}

# The policy is said in perf's configuration.
policy() {
	printf '[cs-etm]\n\thypervisor = %s\n' "$1" >"$T/config"
	PERF_CONFIG=$T/config compare "$recording as $1" --hypervisor "$1" --symfs "$T/$recording/symfs" -- --symfs "$T/$recording/symfs"
}

for recording in $RECORDINGS; do
	unpack "$recording"
	for data in "$T/$recording"/perf*.data; do
		[ -e "$data" ] || continue
		case $recording in
		nested | nested-linux)
			without_levels "$recording/$(basename "$data")"
			continue
			;;
		esac
		usual_itrace
		# Without context IDs the host's switches tell threads, of which every place counts.
		[[ $data != */perf-bare.data ]] || itrace=i1i
		[ "$recording" != churn ] || { without_guests && continue; }
		compare "$recording/$(basename "$data")" --symfs "$T/$recording/symfs" -- --symfs "$T/$recording/symfs"
		[ ! -s "$T/csguest" ] || names "$recording/$(basename "$data")" --symfs "$T/$recording/symfs"
	done
	data=$T/$recording/perf.data
	usual_itrace
	case $recording in
	two-guests) unnamed ;;
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
data=$fixture/perf.data itrace=i1i
compare vhe-one-guest --symfs "$T/root" --vmlinux "$fixture/host/vmlinux" --

# With its kernel named, that is there as well, in the guest's own map.
kernel=$fixture/guest/vmlinux
compare "vhe-one-guest with --guestvmlinux" --symfs "$T/root" --vmlinux "$fixture/host/vmlinux" --guestvmlinux "$kernel" -- --guestvmlinux "$kernel"
for series in $OWNERS; do
	"$BUILD/perf-$series" script -f --itrace=i1i -F ip,sym,machine_pid --guestvmlinux "$kernel" -i "$data" 2>"$T/perf.err" | grep '^VM:' >"$T/perf"
	has "$series: with its symbols" '^VM: +4100 +[0-9a-f]+ cpu_do_idle$' "$T/perf"
	grep -F '[unknown]' "$T/perf" >"$T/unnamed"
	none "$series: each instruction" "$T/unnamed"
done
