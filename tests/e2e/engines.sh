#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Both engines give the same elements, one by one and in every field, the fast one with one, two and
# four threads, of every recording: the project's own with and without code, those of the scenarios,
# of real hardware, OpenCSD's snapshots, and one of these with bytes of its trace changed. Takes 20
# s.
. "$(dirname "$0")/lib.sh"

engines=$BUILD/tools/engines

# same_elements SENTENCE RECORDING [OPTION...]: ... and each of the two engines decoded all of it.
same_elements() {
	ok "$1" "$engines" "${@:2}"
	has "$1: all by either engine" ", 0 streams declined, 0 the fast engine's" "$T/out"
}

use_fixture
same_elements "the fixture" "$fixture/perf.data" "vmlinux=$fixture/host/vmlinux" \
	"guest=$fixture/guest/vmlinux" "symfs=$T/sys"
same_elements "the fixture without code" "$fixture/perf.data"

for recording in "$TRACES"/*/*.tar.zst; do
	name=$(basename "$recording" .tar.zst)
	case $name in
	nvhe) kind=kvm-nvhe ;;
	protected) kind=pkvm ;;
	xen) kind=xen ;;
	*) kind=kvm-vhe ;;
	esac
	rm -rf "$T/rec"
	mkdir "$T/rec"
	tar --zstd -C "$T/rec" -xf "$recording"
	for input in "$T"/rec/perf*.data "$T/rec/snapshot"; do
		[ ! -e "$input" ] || same_elements "$name/$(basename "$input")" "$input" "symfs=$T/rec/symfs" \
			"buildid=$T/rec/buildid" "hypervisor=$kind"
	done
done

mkdir "$T/scenarios"
ok "the scenarios' recordings are made" "$BUILD/san/scenario" --write "$T/scenarios" "$TOP"/tests/scenarios/*.scn
for folder in "$T"/scenarios/*; do
	input=$folder/perf.data
	[ -e "$input" ] || input=$folder/snapshot
	policy=$(sed -n 's/^hypervisor: *//p' "$TOP/tests/scenarios/$(basename "$folder").scn")
	files=("symfs=$folder/host")
	[ ! -f "$folder/host/vmlinux" ] || files+=("vmlinux=$folder/host/vmlinux")
	ok "scenario $(basename "$folder")" "$engines" "$input" ${policy:+hypervisor="$policy"} "${files[@]}"
done
is "there are scenarios" true "$([ "$(ls "$T/scenarios" | wc -l)" -gt 100 ] && echo true)"

# Every way to say which engine decodes.
exits 2 "an engine that is none is refused" "$CSGUEST" dump --engine=slow "$fixture/perf.data"
for engine in opencsd fast; do
	"$CSGUEST" dump -q --engine=$engine "$fixture/perf.data" >"$T/dump.$engine"
done
same "the listings are the same" "$T/dump.opencsd" "$T/dump.fast"

if [ ! -d "$CAPTURES" ]; then
	no_captures
	exit
fi
for snapshot in "$CAPTURES"/opencsd/snapshots*/*/; do
	name=$(basename "$snapshot")
	case $name in
	# A unit that speculates is OpenCSD's before 1.6.1.
	ete_spec_1) ok "$name" "$engines" "$snapshot" ;;
	# With Q elements it never is: e2e/lister holds the fast engine's ranges against
	# trc_pkt_lister's.
	q_elem)
		ok "$name, with any number of threads" "$engines" "$snapshot"
		has "$name is the fast engine's, whichever is asked for" ", 0 streams declined, 2 the fast engine's" "$T/out"
		;;
	*) same_elements "$name" "$snapshot" ;;
	esac
done
# spoil FILE SEED: changes a byte in every 40 KB or so.
spoil() {
	awk -v seed="$2" -v size="$(stat -c %s "$1")" 'BEGIN { srand(seed)
		for (at = 0; (at += 1 + int(rand() * 80000)) < size;)
			printf "%d \\0%03o\n", at, int(rand() * 256) }' |
		while read -r at byte; do
			printf '%b' "$byte" | dd of="$1" bs=1 seek="$at" conv=notrunc status=none
		done
}
for seed in 1 2 3; do
	rm -rf "$T/spoilt"
	cp -r "$CAPTURES/opencsd/snapshots/bugfix-exact-match" "$T/spoilt"
	spoil "$T/spoilt/cstrace.bin" $seed
	isnt_same=$(cmp "$T/spoilt/cstrace.bin" "$CAPTURES/opencsd/snapshots/bugfix-exact-match/cstrace.bin" | wc -l)
	is "the trace is another one" 1 "$isnt_same"
	same_elements "spoilt trace $seed" "$T/spoilt"
done
mkdir "$T/buildid"
tar xjf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2" -C "$T/buildid"
same_elements "N1SDP" "$CAPTURES/n1sdp/sort_single_thread/perf.data" "buildid=$T/buildid"
for recording in "$CAPTURES"/simpleperf/*.data; do
	ok "$(basename "$recording")" "$engines" "$recording"
done
