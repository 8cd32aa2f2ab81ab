#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/recording.sh DIR
#
# Writes the recording that tools/perf/tests/shell/test_cs_etm_guest.sh brings, and the files of host and guest, into DIR,
# and on standard output all of it packed, as it stands at the end of that test.  It is played from the scenario
# execs-in-place by build/san/scenario, which `make check` builds.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 1 ] || {
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 2
}
mkdir -p "$1"
played=$(mktemp -d)
trap 'rm -rf "$played"' EXIT
"${B:-$TOP/build}/san/scenario" --write "$played" "$TOP/tests/scenarios/execs-in-place.scn" >&2
cp -r "$played/execs-in-place/host" "$1/files"
cp -r "$played/execs-in-place/guest/500/usr" "$1/files"
cp "$played/execs-in-place/guest/500/vmlinux" "$1/guest"
cp "$played/execs-in-place/perf.data" "$1"
tar -C "$1" --sort=name --format=gnu --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - . | gzip -9n | base64
