#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Call stacks from trace alone are those that the emulator found in memory by frame pointers.
. "$(dirname "$0")/lib.sh"

stacks=$BUILD/tools/stacks
[ -x "$stacks" ] || skip_all "$stacks is not built"

for name in two-guests smp-guest kaslr tiny-guests; do
	rm -rf "$T/rec"
	mkdir "$T/rec"
	ok "$name: unpacks" tar --zstd -C "$T/rec" -xf "$TRACES/$name/$name.tar.zst"
	cd "$T/rec" || exit 1
	ok "$name: 99.9 % of the stacks agree" "$stacks" -v --symfs symfs --buildid-dir buildid perf.data truth
	has "$name: which are most of the samples" ' [0-9]{3,} agree, ' "$T/out"
	has "$name: no return is one that nobody expects" 'returned elsewhere 0,' "$T/out"
	# A stack of the truth whose return addresses are others is noticed.
	sed -E 's/^(stack .*):[0-9a-f]*4( |$)/\1:1234\2/' truth >"$T/spoiled"
	fails "$name: other return addresses are noticed" "$stacks" --symfs symfs --buildid-dir buildid perf.data "$T/spoiled"
	[ "$name" = two-guests ] || {
		cd "$TOP" || exit 1
		continue
	}
	# With the guests' own recordings there is code for all, and their threads have names.
	ok "$name: so do those of the guests' processes" "$stacks" -v --symfs symfs --buildid-dir buildid \
		--guest guest-136.data 136 --guest guest-138.data 138 --guestmount guestmount perf.data truth
	has "$name: every sample is compared, and none differs" '^1220 samples, 1220 decoded, 1220 compared: .* 0 differ' "$T/out"
	cd "$TOP" || exit 1
done
