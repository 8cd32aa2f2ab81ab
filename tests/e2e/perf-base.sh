#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Where `make perf` takes its base from, and what it says of one that does not fit.
# Takes 8 s.
. "$(dirname "$0")/lib.sh"
patches=$TOP/perf-patches
[ -d "${CSGUEST_SHARED:-$TOP/../shared}/perf-base" ] || skip_all "no ../shared/perf-base"

for series in 6.12 7.3; do
	ok "$series: the series makes a git repository" "$patches/tree.sh" $series "$T/$series"
	ok "$series: of which the patches are written again" "$patches/generate.sh" $series "$T/$series" "$T/$series.out"
	diff -r "$patches/$series" "$T/$series.out" >"$T/offenders" 2>&1
	none "$series: as they are: nobody edited them by hand" "$T/offenders"
	git -C "$T/$series" checkout -q base
done

# base SERIES: the base alone, as build.sh takes it.
cat >"$T/base.sh" <<'END'
. "$1/lib.sh"
choose "$2"
base_into "$3"
END
base() { bash "$T/base.sh" "$patches" "$1" "$T/base"; }

KERNEL_SRC=$T/6.12 ok "sources of the user's are taken" base 6.12
has "and named" "base: $T/6.12" "$T/err"
none "and left as they are" <(git -C "$T/6.12" status --porcelain)
exits 1 "sources that the series does not fit are refused" env KERNEL_SRC="$T/7.3" bash "$T/base.sh" "$patches" 6.12 "$T/base"
has "by the file that differs" 'cs-etm\.c' "$T/err"
has "with the ways that do" 'KERNEL_SRC=DIR .*sources of Linux 6\.12\.' "$T/err"
exits 1 "a folder that is no kernel is refused" env KERNEL_SRC="$T" bash "$T/base.sh" "$patches" 6.12 "$T/base"
exits 1 "a series that is not there is refused" base 5.4
has "with those that are" '6\.12 7\.3' "$T/err"

# The release as kernel.org has it, and one that is not what it says.
export CSGUEST_SHARED=$T/nowhere KERNEL_MIRROR=file://$T/mirror LINUX_SOURCE=$T/nothing
mkdir -p "$T/mirror/v6.x"
pack() { tar -C "$T/6.12" --exclude .git --exclude PERF-VERSION-FILE --transform 's|^\.|linux-6.12.117|' -cf - . | xz -0 >"$T/mirror/v6.x/linux-6.12.117.tar.xz"; }
pack
ok "a release is downloaded" base 6.12
echo >>"$T/6.12/tools/perf/perf.c"
pack
exits 1 "and refused where it is not the one that is meant" base 6.12
has "as its hash says" 'is not the release' "$T/err"
rm -r "$T/mirror"
exits 1 "without any base" base 6.12
has "the ways to one are said" 'apt-get install linux-source-6\.12' "$T/err"
has "and why kernel.org's is not taken" 'curl: \(37\)' "$T/err"
