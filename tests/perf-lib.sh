# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# What the tests of the patched perf (perf-patches/) source behind lib.sh.  They run where `make check`
# or `make perf-all` has built it:
#
#	SERIES           those of which both build/perf-SERIES and build/perf-SERIES-stock are there
#	unpack NAME      a packed recording of traces/, below $T/NAME

SERIES=
for folder in "$TOP"/perf-patches/[0-9]*/; do
	folder=$(basename "$folder")
	[ -x "$BUILD/perf-$folder" ] && [ -x "$BUILD/perf-$folder-stock" ] && SERIES="$SERIES $folder"
done
[ -n "$SERIES" ] || skip_all "no patched perf (make perf-all; it needs a base: perf-patches/README.md)"
# No pager, no colours, nothing of the user's.
export PERF_PAGER=cat PERF_CONFIG=/dev/null TERM=dumb

unpack() {
	[ -f "$TRACES/$1/$1.tar.zst" ] || skip_all "no recording $1"
	mkdir -p "$T/$1" && tar --zstd -xf "$TRACES/$1/$1.tar.zst" -C "$T/$1"
}
