#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/arm64.sh
#
# csguest for arm64, on whatever machine this is: a cross-build with arm64 libraries in a root of their own
# ($B/arm64-root), the unit tests under qemu-user, and every view of the recordings in traces/ compared with this
# machine's, byte by byte (tests/golden).  `make check-arm64` builds what this machine's side needs and calls it.
#
# ONLY="PREFIX..." compares the cases whose names begin so (all recordings as they are: trace.).
# Needs root once, for the libraries.  The last line counts.
. "$(dirname "$0")/lib.sh"
cd "$TOP" || exit 1
B=${B:-build}
root=$BUILD/arm64-root
packages=(libopencsd-dev libelf-dev libdw-dev libzstd-dev libiberty-dev libcunit1-dev libc6-dev)
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
build=(make -s -j2 --no-print-directory SETUP=: B="$B/arm64" CC="${CCACHE-} aarch64-linux-gnu-gcc --sysroot=$root" AR=aarch64-linux-gnu-ar
	OPENCSD_DIR= "SAN=-O1 -g1" SAN_LD=)
ok "csguest is built for arm64" "${build[@]}" all || exit 1
has "it is a program for arm64" 'ARM aarch64|AArch64' <(readelf -h "$BUILD/arm64/csguest")
ok "so are the unit tests" "${build[@]}" "$B/arm64/unit" || exit 1
seconds build

emulated=$T/csguest
printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" "%s" "$@"\n' "$root" "$BUILD/arm64/csguest" >"$emulated"
chmod +x "$emulated"
ok "the command runs" "$emulated" --version
qemu-aarch64-static -L "$root" "$BUILD/arm64/unit" >"$T/unit" 2>&1 </dev/null
grep -v '^ok ' "$T/unit" | tail -n 20
has "the unit tests pass" '^unit: [1-9][0-9]* passed, 0 failed' "$T/unit"
seconds "unit tests"

ok "what it prints of recordings is what this machine's prints" \
	env ONLY="${ONLY:-trace.}" tests/golden/golden.sh between --quick "$BUILD/csguest" "$emulated"
tail -n 3 "$T/out"
seconds recordings
