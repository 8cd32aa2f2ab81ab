#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Both engines give the same elements, one by one and in every field, of every recording: the
# project's own with and without code, of real hardware, and OpenCSD's snapshots.
. "$(dirname "$0")/lib.sh"

engines=$BUILD/tools/engines

# same_elements SENTENCE RECORDING [OPTION...]: ... and none of them was left to OpenCSD.
same_elements() {
	ok "$1" "$engines" "${@:2}"
	has "$1: all by the fast engine" ', 0 streams declined' "$T/out"
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
	input=$T/rec/perf.data
	[ -e "$input" ] || input=$T/rec/snapshot
	same_elements "$name" "$input" "symfs=$T/rec/symfs" "buildid=$T/rec/buildid" "hypervisor=$kind"
done

# Every way to say which engine decodes.
exits 2 "an engine that is none is refused" "$CSGUEST" dump --engine=slow "$fixture/perf.data"
for engine in opencsd fast; do
	"$CSGUEST" dump -q --engine=$engine "$fixture/perf.data" >"$T/dump.$engine"
done
same "the listings are the same" "$T/dump.opencsd" "$T/dump.fast"

if [ ! -d "$CAPTURES" ]; then
	skip "no captures in $CAPTURES"
	exit
fi
for snapshot in "$CAPTURES"/opencsd/snapshots*/*/; do
	name=$(basename "$snapshot")
	case $name in
	# A unit that speculates is OpenCSD's before 1.6.1.
	ete_spec_1) ok "$name" "$engines" "$snapshot" ;;
	*) same_elements "$name" "$snapshot" ;;
	esac
done
mkdir "$T/buildid"
tar xjf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2" -C "$T/buildid"
same_elements "N1SDP" "$CAPTURES/n1sdp/sort_single_thread/perf.data" "buildid=$T/buildid"
for recording in "$CAPTURES"/simpleperf/*.data; do
	ok "$(basename "$recording")" "$engines" "$recording"
done
