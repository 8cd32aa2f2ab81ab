#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Patched perf ends neither by a signal nor late, whatever is in a recording: mutated ones, and
# every fifth cut as well.  HOSTILE=200 tries that many of each recording; with SANITIZE=address it
# is perf with AddressSanitizer that is tried (make perf SANITIZE=address).
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/perf-lib.sh"

count=${HOSTILE:-2} seed=${HOSTILE_SEED:-1}
hostile=$BUILD/tools/hostile-fast
[ -x "$hostile" ] || skip_all "$hostile is not built"
# An allocation that a recording asks for may fail, as without a sanitizer.  Perf frees little at
# its end.
export ASAN_OPTIONS=exitcode=134:allocator_may_return_null=1:max_allocation_size_mb=4096:detect_leaks=0
runs=0

# run SERIES WHAT ARGUMENT...: adds what did not end well, and where, to the offenders.
run() {
	local series=$1 what=$2 rc
	shift 2
	(ulimit -t 60 && exec timeout 300 "$PERFS/perf-$series" "$@" >"$T/out" 2>"$T/err" </dev/null)
	rc=$?
	runs=$((runs + 1))
	# perf's own errors are -EINVAL and the like: 255 downwards.
	[ $rc -lt 124 ] || [ $rc -gt 192 ] || {
		echo "$series: $what: perf $1 ${*: -1} ended with $rc"
		grep -aE '^ *#[0-4] .* in |ERROR: Addr' "$T/err" | sed 's/^/    /;s/0x[0-9a-f]* in //'
	} >>"$T/offenders"
}

# all SERIES WHAT: every way to decode $T/cut/perf.data, which may be a link into it.
all() {
	local args=(-f -i "$T/cut/perf.data")
	run "$1" "$2" --buildid-dir "$cache" script "${args[@]}" "${files[@]}" --itrace=i1i
	run "$1" "$2" --buildid-dir "$cache" script "${args[@]}" "${files[@]}" --itrace=b
	run "$1" "$2" --buildid-dir "$cache" report "${args[@]}" "${files[@]}" --stdio --itrace=i10i
	run "$1" "$2" --buildid-dir "$cache" inject "${args[@]}" -o "$T/injected" --itrace=i10ib
	rm -rf "$T/injected" "$T/injected.old"
}

# mutant SEED FILE OUT: a third of them anywhere, a third in the first 2 KB, where header and
# metadata are, a third after the data, where the features are.
mutant() {
	local at
	at=$(($(od -A n -t u8 -j 40 -N 8 "$2") + $(od -A n -t u8 -j 48 -N 8 "$2")))
	case $(($1 % 3)) in
	0) "$hostile" mutant "$1" "$2" "$3" ;;
	1)
		head -c 2048 "$2" >"$T/part"
		"$hostile" mutant "$1" "$T/part" "$3"
		tail -c +2049 "$2" >>"$3"
		;;
	2)
		tail -c +$((at + 1)) "$2" >"$T/part"
		"$hostile" mutant "$1" "$T/part" "$T/mutant"
		head -c $at "$2" | cat - "$T/mutant" >"$3"
		;;
	esac
	[ $(($1 % 5)) -ne 0 ] || truncate -s $(($1 * 7919 % $(stat -c %s "$3"))) "$3"
}

# mutations NAME FILE: of that file, and, in a folder, with all that is beside it.
mutations() {
	local name=$1 from=$2 to=$T/cut/perf.data n
	for ((n = seed; n < seed + count; n++)); do
		rm -rf "$T/cut" && mkdir "$T/cut"
		if [ -d "$from" ]; then
			mkdir "$to" && ln -s "$from"/* "$to" && rm "$to/data"
			mutant $n "$from/data" "$to/data"
		else
			mutant $n "$from" "$to"
		fi
		for series in $SERIES; do all "$series" "$name, seed $n"; done
	done
}

# guests VM: what it recorded itself is mutated and put into the host's recording, or the host's is.
guests() {
	local host=$T/$1/perf.data guest=$T/$1/guest-$2.data n
	mkdir "$T/host" && ln -s "$host"/* "$T/host" && rm "$T/host/data"
	for ((n = seed; n < seed + count; n++)); do
		mutant $n "$guest" "$T/guest.data"
		mutant $n "$host/data" "$T/host/data"
		for series in $SERIES; do
			run "$series" "$1, guest's, seed $n" inject -f -i "$host" -o "$T/injected" --guest-data="$T/guest.data,$2,0"
			rm -rf "$T/injected" "$T/injected.old"
			run "$series" "$1, host's, seed $n" inject -f -i "$T/host" -o "$T/injected" --guest-data="$guest,$2,0"
			rm -rf "$T/injected" "$T/injected.old"
		done
	done
}

# sentence WHAT
sentence() {
	none "$1: $count mutations end by themselves" "$T/offenders"
	[ -z "${KEEP-}" ] || cat "$T/offenders" >>"$KEEP"
	: >"$T/offenders"
}

: >"$T/offenders"
use_fixture
files=(--symfs "$T/sys" --vmlinux "$fixture/host/vmlinux")
cache=$T/sys
mutations vhe-one-guest "$fixture/perf.data"
sentence "traces/vhe-one-guest"
unpack protected
cache=$T/protected/buildid files=(--symfs "$T/protected/symfs")
mutations protected "$T/protected/perf.data"
sentence "traces/protected"
guests protected 140
sentence "traces/protected with a guest's recording"
[ -d "$CAPTURES" ] || {
	no_captures
	exit
}
cache=$T/cache files=()
mkdir "$cache" && tar -xf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2" -C "$cache"
mutations n1sdp "$CAPTURES/n1sdp/sort_single_thread/perf.data"
sentence "captures/n1sdp"
mkdir -p "$T/root/data/local/tmp"
cp "$CAPTURES/simpleperf/etm_test_loop" "$T/root/data/local/tmp"
files=(--symfs "$T/root")
for file in "$CAPTURES"/simpleperf/perf_*.data; do
	[[ $file = *inject* ]] || mutations "${file##*/}" "$file"
done
sentence "captures/simpleperf"
is "$runs times perf ran" true "$([ $runs -gt 0 ] && echo true)"
