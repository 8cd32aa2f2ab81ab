#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Call stacks from trace alone are those that the emulator found in memory by frame pointers.
# Takes 9 s.
. "$(dirname "$0")/lib.sh"

# Under the sanitizers two of them, a host's and Xen's.
stacks=$BUILD/tools/stacks fast=$BUILD/tools/stacks-fast
[ -x "$stacks" ] && [ -x "$fast" ] || skip_all "$stacks or $fast is not built"

# agree SENTENCE RECORDING TRUTH [OPTION...]: 99.9 % of the samples whose code was decoded do, and
# they are most of those; $elsewhere returns lead elsewhere than the stack says.
elsewhere=0
agree() {
	ok "$1" "$tool" -v --symfs symfs --buildid-dir buildid "${@:4}" "$2" "$3"
	has "$1: many are compared" ' [0-9]{3,} agree, ' "$T/out"
	has "$1: $elsewhere returns lead elsewhere than the stack says" "returned elsewhere $elsewhere," "$T/out"
}

for name in two-guests smp-guest kaslr kpti tiny-guests nvhe protected; do
	tool=$fast
	[ "$name" != protected ] || tool=$stacks
	rm -rf "$T/rec"
	mkdir "$T/rec"
	ok "$name: unpacks" tar --zstd -C "$T/rec" -xf "$TRACES/$name/$name.tar.zst"
	cd "$T/rec" || exit 1
	agree "$name: the stacks agree" perf.data truth
	# A stack of the truth whose return addresses are others is noticed.
	sed -E 's/^(stack .*):[0-9a-f]*4( |$)/\1:1234\2/' truth >"$T/spoiled"
	fails "$name: other return addresses are noticed" "$tool" --symfs symfs --buildid-dir buildid perf.data "$T/spoiled"
	if [ "$name" = two-guests ]; then
		# With the guests' own recordings there is code for all, and their threads have
		# names.
		guests=(--guest guest-136.data 136 --guest guest-138.data 138 --guestmount guestmount)
		agree "$name: with the guests' own recordings" perf.data truth "${guests[@]}"
		has "$name: every sample is compared, and none differs" '^1220 samples, 1220 decoded, 1220 compared: .* 0 differ' "$T/out"
		for variant in ete user bare; do
			# Without context IDs a guest's thread is not known beside a timestamp whose
			# upper bits may be missing, and what it calls and returns from there is not
			# in its stack.
			[ $variant != user ] || elsewhere=5
			agree "$name, $variant: the stacks agree" perf-$variant.data truth-$variant "${guests[@]}"
			elsewhere=0
		done
	fi
	cd "$TOP" || exit 1
done

# Xen, of whose code there is all but the symbols: it changes stacks with the vCPU that it runs, and
# the return that this is (of __context_switch, 33 times) is expected by no frame.
mkdir "$T/xen"
ok "xen: unpacks" tar --zstd -C "$T/xen" -xf "$TRACES/xen/xen.tar.zst"
ok "xen: the hypervisor's stacks contradict no sample" "$stacks" --xen "$T/xen/snapshot" "$T/xen/truth"
has "xen: none differs" ' 0 in assembly, 0 differ' "$T/out"
has "xen: its calls return" '^call 5[0-9]{3}, return 5[0-9]{3},' "$T/out"
is "xen: but where it changes stacks" true "$([ "$(sed -nE 's/.*returned elsewhere ([0-9]+),.*/\1/p' "$T/out")" -le 33 ] && echo true)"
ok "xen: a flame graph is drawn" "$CSGUEST" flame -q --folded --hypervisor xen "$T/xen/snapshot"
has "xen: the hypervisor has stacks" '^\[hypervisor\];(\[xen\.bin\]_\[h\];){4}' "$T/out"
