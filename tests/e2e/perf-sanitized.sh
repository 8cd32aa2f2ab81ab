#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: SANITIZE=address tests/e2e/perf-sanitized.sh [RECORDING...]
#
# AddressSanitizer finds nothing in patched perf, whichever recording of traces/ (or those named) it
# decodes: as it was recorded, and with its guests' own recordings put into it.  make check
# SANITIZE=address builds and runs it; it takes the better part of an hour.
. "$(dirname "$0")/lib.sh"
[ -n "${SANITIZE-}" ] || skip_all "no perf with AddressSanitizer (make check ONLY=e2e/perf-sanitized SANITIZE=address)"
. "$TOP/tests/perf-lib.sh"

# Perf frees little at its end.
export ASAN_OPTIONS=exitcode=134:allocator_may_return_null=1:detect_leaks=0

# clean SENTENCE COMMAND...: ends with success, and neither sanitizer nor kernel has anything to
# say.
clean() {
	timeout 1800 "${@:2}" >"$T/out" 2>"$T/err" </dev/null
	local rc=$?
	grep -aE '^ *#[0-9] .* in |ERROR: Addr|runtime error' "$T/err" >"$T/findings"
	[ $rc -eq 0 ] || echo "ended with $rc: ${*: -1}" | cat - "$T/err" >>"$T/findings"
	none "$1" "$T/findings"
}

# every NAME PERF-DATA OPTION...: all that decodes, and what was decoded is something.
every() {
	local name=$1 data=$2 perf=$PERFS/perf-$series chains=
	shift 2
	[ "$series" = 6.12 ] || chains=g
	clean "$series: perf script of $name" "$perf" script -f -i "$data" "$@" --itrace=b
	is "$series: lists branches" true "$(grep -qE ' branches(:|$)' "$T/out" && echo true)"
	clean "$series: perf script of instructions of $name" "$perf" script -f -i "$data" "$@" --itrace=i100i$chains
	clean "$series: perf report of $name" "$perf" report -f -i "$data" "$@" --stdio
	clean "$series: and by guests" "$perf" report -f -i "$data" "$@" --stdio --itrace=i100i$chains --sort machine_pid,vcpu,sym
	clean "$series: perf inject of $name" "$perf" --buildid-dir "$T/$recording/buildid" inject -f -i "$data" --itrace=i100ib -o "$T/samples"
	clean "$series: of which perf reports the samples" "$perf" report -f -i "$T/samples" "$@" --stdio
	rm -rf "$T/samples"
}

of_packed() {
	local data files=(--symfs "$T/$recording/symfs")
	unpack "$recording"
	case $recording in
	protected) printf '[cs-etm]\n\thypervisor = pkvm\n' >"$T/config" ;;
	nvhe) printf '[cs-etm]\n\thypervisor = kvm-nvhe\n' >"$T/config" ;;
	*) : >"$T/config" ;;
	esac
	for series in $SERIES; do
		for data in "$T/$recording"/perf*.data; do
			[ -e "$data" ] || continue
			every "$recording/${data##*/}" "$data" "${files[@]}"
			PERF_CONFIG=$T/config
			[ ! -s "$T/config" ] || every "$recording with its policy" "$data" "${files[@]}"
			PERF_CONFIG=/dev/null
			compgen -G "$T/$recording/guest-*.data" >/dev/null || continue
			# Injected by the perf with the sanitizer as well; beside the recording,
			# because in place of the kernel's code there may be links that lead from
			# there.
			BUILD=$PERFS inject_guests "$series" "$recording" true "$T/$recording/injected" "$data"
			every "$recording/${data##*/} with its guests" "$T/$recording/injected" "${files[@]}"
			rm -rf "$T/$recording/injected"
		done
	done
	rm -rf "${T:?}/$recording"
}

of_fixture() {
	use_fixture
	for series in $SERIES; do
		every "$recording" "$fixture/perf.data" --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux"
		clean "$series: perf script with the guest's kernel" "$PERFS/perf-$series" script -f -i "$fixture/perf.data" "${files[@]}" --itrace=b
	done
}

if [ $# -eq 0 ]; then
	set -- "$TRACES"/*/*.tar.zst
	set -- vhe-one-guest "${@%/*}"
	set -- "${@##*/}"
fi
for recording; do
	case $recording in
	vhe-one-guest) of_fixture ;;
	# A snapshot, which perf does not read.
	xen) ;;
	*) of_packed ;;
	esac
done
