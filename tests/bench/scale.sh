#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/bench/scale.sh [AXIS]...
#
# How time and memory of csguest report grow with each size of a host (make bench SCALE=1): a line
# per recording that tests/tools/scale.c makes, and the exponent of both between the last two and
# over all three.  What one with all of it at a real host's size takes is the last line.  RUNS (3)
# of each, the least counts; recordings are made in $TMPDIR, of up to 1 GB, and are removed.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
B=${B:-build} RUNS=${RUNS:-3}
csguest=$B/csguest
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cc -O2 -o "$out/measure" tests/bench/measure.c
# shellcheck disable=SC2086
cc -O2 -D_GNU_SOURCE -Itests -Iinclude -Idecoder ${OCSD_INC-} -o "$out/scale" tests/tools/scale.c tests/scale/*.c \
	tests/encoder/{bytes,elf_file,etm,etm_p0,etm_spec,filter,insn,model,packet,packet_atoms,path,perf_file,perf_writer,program,random,stack,tracing_data}.c \
	"$B/libcsguest.a" ${OCSD_LIB--lopencsd_c_api} -lzstd

# measure SIZE OPTION...: a line: size, CPU seconds, peak MB.
measure() {
	local size=$1 words
	shift
	rm -rf "$out/host"
	"$out/scale" "$@" "$out/host"
	read -ra words <"$out/host/args"
	"$out/measure" "$RUNS" -- "$csguest" report -q --by vm "${words[@]}" "$out/host/perf.data" |
		awk -v size="$size" '{ printf "%d %.3f %.1f\n", size, $2, $3 / 1024 }'
}
# axis NAME OPTION SIZE... -- OPTION...: the sizes of one option, the others as they are.
axis() {
	local name=$1 option=$2 sizes=() size
	shift 2
	while [ "$1" != -- ]; do sizes+=("$1") && shift; done
	shift
	[ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $option "* ]] || return 0
	for size in "${sizes[@]}"; do measure "$size" "$option" "$size" "$@"; done | awk -v name="$name" '
		{ n++; x[n] = log($1); t[n] = log($2 > 0 ? $2 : 0.001); m[n] = log($3)
			s = s sprintf("%s %s s %s MB", n > 1 ? "," : "", $2, $3); sizes = sizes (n > 1 ? ", " : "") $1 }
		function fit(y,   i, sx, sy, sxx, sxy) {
			for (i = 1; i <= n; i++) { sx += x[i]; sy += y[i]; sxx += x[i] * x[i]; sxy += x[i] * y[i] }
			return (n * sxy - sx * sy) / (n * sxx - sx * sx) }
		END { printf "%s %s:%s; exponent of time %.2f (last two %.2f), of memory %.2f\n", name, sizes, s, fit(t),
			(t[n] - t[n - 1]) / (x[n] - x[n - 1]), fit(m) }'
}

only=("$@")
axis "CPUs" cpus 8 32 128 -- kb 64
axis "KB of trace for each CPU" kb 256 1024 4096 -- cpus 4
axis "VMs of 8 vCPUs" vms 2 20 200 -- cpus 32 vcpus 8 guests 0 kb 64
axis "guests' recordings" guests 4 20 100 -- cpus 16 vms 100 vcpus 4 kb 64 before 1000
axis "host processes" processes 1000 10000 100000 -- cpus 4 kb 1024
axis "time slices of each CPU before the trace" before 4000 12000 36000 -- cpus 128 vms 200 vcpus 8 guests 20 kb 64
axis "bytes of an AUX record" piece 65536 16384 4096 -- cpus 4 kb 2048
axis "processes of each guest's vCPU" guest-processes 4 16 64 -- cpus 4 vms 4 vcpus 2 guests 4 kb 1024
