#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/arm64.sh
#
# csguest for arm64, on whatever machine this is: a cross-build with arm64 libraries in a root of
# their own ($B/arm64-root); then, under qemu-user, the unit tests with pages of 4K, 16K and 64K,
# the scenarios, end-to-end tests of what depends on the machine, and the views of the recordings in
# traces/ compared with this machine's, byte by byte (tests/golden).  `make check-arm64` builds what
# this machine's side needs and calls it.
#
# QUICK=1 builds the command once, as the tests need it, and takes every tenth scenario, fewer
# end-to-end tests and of the recordings the small ones' `export --csv`. ONLY="PREFIX..." compares
# the cases whose names begin so (all recordings as they are: trace.). Needs root once, for the
# libraries.  The last line counts.
. "$(dirname "$0")/lib.sh"
cd "$TOP" || exit 1
B=${B:-build}
root=$BUILD/arm64-root
packages=(libopencsd-dev libelf-dev libdw-dev libzstd-dev libiberty-dev libsqlite3-dev libcunit1-dev libc6-dev)
NAME=arm64

seconds() { printf '%s: %d s\n' "$1" $((SECONDS - since)) && since=$SECONDS; }
since=$SECONDS

# The libraries, once for each list of packages.
if [ "$(cat "$root/packages" 2>/dev/null)" != "${packages[*]}" ]; then
	rm -rf --one-file-system "$root"
	ok "arm64 libraries are fetched" .ci/root libraries arm64 "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" "${packages[@]}" || exit 1
	echo "${packages[*]}" >"$root/packages"
fi
seconds libraries

# Without sanitizers, which want more address space than qemu-user has.
arm64=$BUILD/arm64
# They know where their libraries are: with qemu's -L, paths such as /tmp would be those of that
# root.
rpath=$root/lib/aarch64-linux-gnu:$root/usr/lib/aarch64-linux-gnu
build=(make -s -j2 --no-print-directory SETUP=: B="$B/arm64" CC="${CCACHE-} aarch64-linux-gnu-gcc --sysroot=$root" AR=aarch64-linux-gnu-ar
	OPENCSD_DIR= NO_CAPSTONE=1 "SAN=-O1 -g1" SAN_LD=
	"LDFLAGS=-Wl,--dynamic-linker=$root/lib/ld-linux-aarch64.so.1,--disable-new-dtags,-rpath,$rpath")
csguest=san/csguest
if [ -z "${QUICK-}" ]; then
	csguest=csguest
	ok "all is built for arm64" "${build[@]}" all || exit 1
fi
ok "the command, the oracle, the unit tests and the scenarios are built for arm64" "${build[@]}" "$B/arm64/"{san/csguest,san/score,unit,san/scenario} || exit 1
has "the command is a program for arm64" 'AArch64' <(readelf -h "$arm64/$csguest")
seconds build

# emulate PROGRAM SCRIPT: makes SCRIPT, which runs it.
emulate() {
	mkdir -p "${2%/*}"
	printf '#!/bin/sh\nexec qemu-aarch64-static "%s" "$@"\n' "$1" >"$2"
	chmod +x "$2"
}

# A build folder for the end-to-end tests: the command is emulated, and tools that make their input
# are this machine's.
emulated=$T/build/csguest
emulate "$arm64/$csguest" "$emulated"
emulate "$arm64/san/csguest" "$T/build/san/csguest"
emulate "$arm64/san/scenario" "$T/build/san/scenario"
emulate "$arm64/san/score" "$T/build/san/score"
cp "$T/build/san/score" "$T/build/score"
ln -s "$BUILD/tools" "$T/build/tools"
ok "the command runs" "$emulated" --version

# OpenCSD 1.3.3 reads a Q element that it has freed (flow/flow.h).  Some tests of the engines want
# what it held, which stays where the C library keeps no list of freed blocks in them.
export GLIBC_TUNABLES=glibc.malloc.tcache_count=0
# unit PAGE ROOM...: the unit tests, or those of these rooms, with pages of that many bytes.
unit() {
	qemu-aarch64-static -p "$1" "$arm64/unit" "${@:2}" >"$T/unit" 2>&1 </dev/null
	grep -v '^ok ' "$T/unit" | tail -n 20
	has "the unit tests${2:+ of ${*:2}} pass with pages of $1 bytes" '^unit: [1-9][0-9]* passed, 0 failed' "$T/unit"
}
unit 4096
for page in 16384 65536; do unit $page ${QUICK:+image recording output}; done
unset GLIBC_TUNABLES
seconds "unit tests"

n=0
for file in tests/scenarios/*.scn; do
	n=$((n + 1))
	[ -z "${QUICK-}" ] || [ $((n % 10)) -eq 1 ] || continue
	"$T/build/san/scenario" --csguest "$emulated" "$file" >"$T/seen" 2>&1 </dev/null
	case $? in
	0 | 2) pass "the scenario $(basename "$file" .scn)" ;; # 2: what is pending is as expected
	*) fail "the scenario $(basename "$file" .scn)" "$T/seen" ;;
	esac
done
ok "there are scenarios" [ $n -gt 0 ]
seconds scenarios

# Their own skips are those of `make check`.
tests=(help report exits info timeline output guests explain)
[ -z "${QUICK-}" ] || tests=(help report)
for test in "${tests[@]}"; do
	B=$T/build "tests/e2e/$test.sh" >"$T/seen" 2>&1 </dev/null
	status=$?
	tail -n 1 "$T/seen"
	[ $status -eq 0 ] && tail -n 1 "$T/seen" | grep -q ' passed, 0 failed, ' && pass "the end-to-end test $test" || fail "the end-to-end test $test" <(grep -v '^skip' "$T/seen")
done
seconds "end-to-end tests"

if [ -n "${QUICK-}" ]; then
	cases="trace.tiny-guests trace.vhe-one-guest" views=--csv
else
	cases=trace. views=--quick
fi
ok "what it prints of recordings is what this machine's prints" \
	env -u QUICK ONLY="${ONLY:-$cases}" tests/golden/golden.sh between $views "$BUILD/csguest" "$emulated"
tail -n 3 "$T/out"
seconds recordings

# The status is that of the last command.
[ "$failed" -eq 0 ]
