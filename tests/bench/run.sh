#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/bench/run.sh
#
# Speed and memory beside the peers', all in one run: a line per measurement, and the same in
# build/bench.json.  RUNS (5) of each, taken in turn; the best counts.  BIG=MB also decodes the
# benchmark trace repeated to 1, 16, 256 ... MB up to that size (make bench BIG=4096), for the
# growth of time and memory; SCALE=1 measures made-up hosts (scale.sh).  BENCH_GUESTS=DIR is the
# long recording with guests (traces/record/README.md), which is made only for this:
# build/record/two-guests-long/composed unless set. Speed is MB of formatted trace per CPU second,
# with two threads per second of the clock, which is worth something on an idle machine only.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
B=${B:-build} RUNS=${RUNS:-5} BIG=${BIG:-64}
long=$(realpath -m "${BENCH_GUESTS:-$B/record/two-guests-long/composed}")
CAPTURES=$(realpath -m "${CSGUEST_CAPTURES:-../shared/captures}")
snap=$CAPTURES/opencsd/snapshots/bugfix-exact-match
csguest=$B/csguest
out=$(realpath -m "$B/bench")
rm -rf "$out" && mkdir -p "$out"

cc -O2 -o "$out/measure" tests/bench/measure.c
# shellcheck disable=SC2086
cc -O2 ${OCSD_INC-} -o "$out/bare" tests/bench/bare.c ${OCSD_LIB--lopencsd_c_api}
# shellcheck disable=SC2086
cc -O2 -Iinclude -Idecoder ${OCSD_INC-} -o "$out/decode" tests/bench/decode.c "$B/libcsguest.a" \
	${OCSD_LIB--lopencsd_c_api} -lelf -ldw -lzstd -liberty -lpthread
# shellcheck disable=SC2086
cc -O2 -Itests -Iinclude -Idecoder ${OCSD_INC-} -o "$out/recording" tests/bench/recording.c \
	tests/encoder/{bytes,model,perf_file,perf_writer,tracing_data}.c "$B/libcsguest.a" \
	${OCSD_LIB--lopencsd_c_api} -lzstd
: >"$out/json"

# show NAME MB REFERENCE_CPU WALL CPU KB
show() {
	awk -v n="$1" -v mb="$2" -v ref="$3" -v w="$4" -v c="$5" -v kb="$6" 'BEGIN {
		s = mb / (n ~ /2 threads$/ ? w : c)
		printf "%-44s %8.2f s %8.2f MB/s  x%-5.2f %7.1f MB\n", n, w, s, c / ref, kb / 1024 }'
	printf '{"name":"%s","trace_mb":%s,"wall_s":%s,"cpu_s":%s,"ratio":%s,"peak_kb":%s}\n' \
		"$1" "$2" "$4" "$5" "$(awk "BEGIN{print $5/$3}")" "$6" >>"$out/json"
}

# table MB NAME... : reads measure's lines; the first is what the others are checked against.
table() {
	local mb=$1 ref='' name wall cpu kb
	shift
	for name; do
		read -r wall cpu kb
		show "$name" "$mb" "${ref:=$cpu}" "$wall" "$cpu" "$kb"
	done
}

# repeat N DIR: the benchmark snapshot with its trace N times over.
repeat() {
	local i
	mkdir -p "$2"
	for f in "$snap"/*; do
		[ "${f##*/}" = cstrace.bin ] || ln -sf "$(realpath "$f")" "$2/"
	done
	for ((i = 0; i < $1; i++)); do cat "$snap/cstrace.bin"; done >"$2/cstrace.bin"
}

bare() {
	echo "$out/bare" "$1/cstrace.bin" 0x12 0x1 0x28000EA1 0x4100F403 0x488 0 1 \
		"0x4001D8:$snap/cc1.init_dump.bin" "0x400200:$snap/cc1.text_dump.bin" \
		"0x5CE9C0:$snap/cc1__libc_freeres_fn_dump.bin" \
		"0x5CF610:$snap/cc1__libc_thread_freeres_fn_dump.bin" "0x5CF700:$snap/cc1.fini_dump.bin"
}

echo "machine: $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(uname -m)"
printf '%-44s %10s %13s  %-6s %10s\n' '' wall speed 'time' memory
if [ -d "$snap" ]; then
	for mb in 1 8; do
		repeat $mb "$out/$mb"
		# shellcheck disable=SC2046
		"$out/measure" "$RUNS" -- $(bare "$out/$mb") \
			-- "$out/decode" opencsd session "$out/$mb" -- "$csguest" report -q --engine=opencsd "$out/$mb" \
			-- "$csguest" report -q --engine=opencsd --hypervisor kvm-vhe "$out/$mb" \
			-- "$out/decode" fast flow "$out/$mb" -- "$out/decode" fast counts "$out/$mb" \
			-- "$out/decode" fast session "$out/$mb" \
			-- "$out/decode" fast session "$out/$mb" 2 \
			-- "$out/decode" fast stacks "$out/$mb" \
			-- "$csguest" report -q --engine=fast "$out/$mb" \
			-- "$csguest" report -q --engine=fast -j 2 "$out/$mb" \
			-- "$csguest" script -q --engine=fast "$out/$mb" |
			table $mb "OpenCSD C API, bare, $mb MB" "csguest: decoding with owners, OpenCSD" \
				"csguest report, OpenCSD" "the same, owners by kvm-vhe" \
				"fast engine: decoding alone" "fast engine: the same for who only counts" "fast engine: decoding with owners" \
				"fast engine: with owners, 2 threads" \
				"fast engine: with owners and call stacks" "csguest report --engine=fast" \
				"csguest report --engine=fast, 2 threads" "csguest script --engine=fast"
	done
	# trc_pkt_lister writes a log where it stands, whatever its options.
	# shellcheck disable=SC2046
	(cd "$out" && ./measure 1 -- $(bare "$out/1") \
		-- trc_pkt_lister -ss_dir "$out/1" -decode_only -id 0x12 -no_time_print -logstdout) |
		table 1 "OpenCSD C API, bare, once" "trc_pkt_lister -decode_only (prints)"
	repeat "$BIG" "$out/big"
	# shellcheck disable=SC2046
	"$out/measure" 1 -- $(bare "$out/big") -- "$csguest" report -q --engine=opencsd "$out/big" \
		-- "$csguest" report -q --engine=fast "$out/big" |
		table "$BIG" "OpenCSD C API, bare, $BIG MB" "csguest report, OpenCSD" "csguest report --engine=fast"
	rm -r "$out/big" "$out/trc_pkt_lister.ppl"
	for mb in 1 16 256 1024 4096; do
		[ "$mb" -le "$BIG" ] || break
		repeat $mb "$out/grown"
		"$out/measure" 1 -- "$csguest" report -q --engine=fast "$out/grown" \
			-- "$csguest" report -q --engine=fast -j 2 "$out/grown" |
			table $mb "csguest report --engine=fast, $mb MB" "the same, 2 threads"
		rm -r "$out/grown"
	done
else
	echo "no captures in $CAPTURES: the benchmark trace is not measured" >&2
fi
# Every perf there is: Debian's, and those of make perf, stock and patched.
perfs=()
for perf in /usr/bin/perf /usr/bin/perf_* /usr/lib/linux-*/tools/perf/perf; do
	[ "$(head -c 4 "$perf" 2>/dev/null | tail -c 3)" = ELF ] && perfs+=("$perf") && break
done
for perf in "$B"/perf-*-stock; do
	[ -x "$perf" ] && perfs+=("$perf" "${perf%-stock}")
done
export PERF_PAGER=cat PERF_CONFIG=/dev/null TERM=dumb

# beside NAME COMMAND PERF-DATA TRACE-MB BUILDID-DIR [SYMFS [OPTION...]]: each perf's command, and
# csguest's, with those options, by either engine, with two threads as well; the first perf is what
# the others are held against.
beside() {
	local name=$1 command=$2 data=$3 mb=$4 dir=$5 symfs=${6-} options=("${@:7}")
	local run runs=() names=() print=() how
	[ "$command" = report ] && print=(--stdio)
	for perf in "${perfs[@]}"; do
		run=("$perf" --buildid-dir "$dir" "$command" -f ${symfs:+--symfs "$symfs"} -i "$data"
			--itrace=b "${print[@]}")
		# An old perf cannot read a directory, and may say so with status 0.
		{ "${run[@]}" >"$out/log" 2>&1 </dev/null && grep -q branches "$out/log"; } || continue
		runs+=(-- "${run[@]}")
		names+=("$name: $(basename "$perf") $command")
	done
	[ "$command" = script ] && print=(--itrace=b)
	[ "$command" = report ] && print=()
	for how in opencsd fast "fast -j 2"; do
		# shellcheck disable=SC2206
		runs+=(-- "$csguest" "$command" -q --engine=$how --buildid-dir "$dir"
			${symfs:+--symfs "$symfs"} "${options[@]}" "${print[@]}" "$data")
		names+=("$name: csguest $command, ${how/-j 2/engine, 2 threads}")
	done
	"$out/measure" "$RUNS" "${runs[@]}" | table "$mb" "${names[@]}"
}

# trace_mb RECORDING [OPTION...]: MB of trace in it.
trace_mb() {
	"$csguest" report --engine=fast "$@" 2>&1 >/dev/null |
		awk '/ bytes of trace/ { for (i = 2; i < NF; i++) if ($i == "bytes") print $(i - 1) / 1048576 }'
}

# decodes_all PERF DIRECTORY: whether perf has all the instructions that csguest has, to a thousand.
decodes_all() {
	local ours theirs
	ours=$("$csguest" report --engine=fast --symfs "$2" "$2/perf.data" 2>/dev/null |
		awk '/^# total:/ { print $3 }')
	theirs=$("$1" report -f --symfs "$2" -i "$2/perf.data" --itrace=i1000i --stdio 2>/dev/null </dev/null |
		awk '/^# Event count/ { print $NF }')
	echo "$(basename "$1"): $theirs of $ours instructions"
	((ours / 1000 == theirs / 1000))
}

# The benchmark trace as a perf.data without guests, long enough that start-up does not count.
if [ -d "$snap" ]; then
	mb=${LONG:-16}
	mkdir "$out/long"
	"$out/recording" "$snap" "$mb" "$out/long"
	for perf in "${perfs[@]}"; do
		decodes_all "$perf" "$out/long" || echo "not everything is decoded" >&2
	done
	RUNS=$(((RUNS + 2) / 3)) beside "$mb MB, no guests" report "$out/long/perf.data" "$mb" "$out" "$out/long"
	"$out/recording" "$snap" 8 "$out/long"
	RUNS=$(((RUNS + 2) / 3)) beside "8 MB, no guests" script "$out/long/perf.data" 8 "$out" "$out/long"
	rm -r "$out/long"
fi

n1sdp=$CAPTURES/n1sdp/sort_single_thread
if [ -d "$n1sdp" ]; then
	mkdir -p "$out/buildid"
	tar xjf "$n1sdp/perf.data.tar.bz2" -C "$out/buildid"
	mb=$(trace_mb --buildid-dir "$out/buildid" "$n1sdp/perf.data")
	for command in script report; do
		beside N1SDP $command "$n1sdp/perf.data" "$mb" "$out/buildid"
	done
fi
# An emulated host with two guests.
mkdir "$out/guests"
tar --zstd -C "$out/guests" -xf traces/two-guests/two-guests.tar.zst
data=$out/guests/perf.data
mb=$(trace_mb --symfs "$out/guests/symfs" "$data")
for command in script report; do
	beside "two guests" $command "$data" "$mb" "$out/guests/buildid" "$out/guests/symfs"
done
# Everything as a database, with the guests' own recordings: this one, and one of 20 MB that is made
# up.
"$B/tools/scale" cpus 2 kb 10240 vcpus 1 bytes 16384 "$out/host"
for recording in "$out/guests" "$out/host"; do
	words=(--symfs "$recording/symfs" --guestmount "$recording/guestmount"
		--guest "g136,pid=136,perf=$recording/guest-136.data" --guest "g138,pid=138,perf=$recording/guest-138.data")
	[ ! -e "$recording/args" ] || read -ra words <"$recording/args"
	mb_of=$(trace_mb "${words[@]}" "$recording/perf.data")
	"$out/measure" "$RUNS" -- "$csguest" export -q --force --sqlite "$out/db" "${words[@]}" "$recording/perf.data" |
		table "$mb_of" "csguest export --sqlite, ${mb_of%.*} MB, two guests"
done
rm -r "$out/host" "$out/db"
# The page of sixty VMs with two vCPUs each: until the browser paints something.
T=$out && . tests/browser-lib.sh
if [ -n "$BROWSER" ] && command -v jq >/dev/null; then
	"$B/tools/scale" cpus 16 kb 128 vms 60 vcpus 2 guests 4 "$out/host"
	read -ra words <"$out/host/args"
	mb_of=$(trace_mb "${words[@]}" "$out/host/perf.data")
	"$csguest" timeline -q --html "$out/page.html" "${words[@]}" "$out/host/perf.data"
	for ((i = 0; i < RUNS; i++)); do paint "$out/page.html"; done | sort -n |
		awk 'NR == 1 { print $1 / 1000, $1 / 1000, 0 }' | table "$mb_of" "timeline --html, 60 VMs: first paint"
	rm -r "$out/host"
else
	echo "no chromium, or no jq: the first paint of a page is not measured" >&2
fi
# The same for longer, and with all that csguest says of them: the guests' own recordings, too.
if [ -d "$long/perf.data" ]; then
	guests=(--guestmount "$long/guestmount")
	for file in "$long"/guest-*.data; do
		vm=$(basename "${file#*/guest-}" .data)
		guests+=(--guest "g$vm,pid=$vm,perf=$file")
	done
	long_mb=$(trace_mb --symfs "$long/symfs" "$long/perf.data")
	beside "two guests, long" report "$long/perf.data" "$long_mb" "$long/buildid" "$long/symfs" "${guests[@]}"
else
	echo "no recording in $long (traces/record/README.md): long ones with guests are not measured" >&2
fi
# What call stacks cost.
export SYMFS=$out/guests/symfs
"$out/measure" "$RUNS" -- "$out/decode" opencsd session "$data" -- "$out/decode" opencsd stacks "$data" \
	-- "$out/decode" fast session "$data" -- "$out/decode" fast stacks "$data" |
	table "$mb" "two guests: decoding with owners, OpenCSD" "the same with call stacks" \
		"two guests: decoding with owners, fast engine" "the same with call stacks, fast engine"
# What asking for owners costs perf: a host whose protected guests are not in the trace, so that
# stock perf decodes the same.
mkdir "$out/protected"
tar --zstd -C "$out/protected" -xf traces/protected/protected.tar.zst
data=$out/protected/perf.data
mb=$(awk "BEGIN{print $(stat -c %s "$data/data") / 1048576}")
printf '[cs-etm]\n\thypervisor = pkvm\n' >"$out/pkvm"
for perf in "$B"/perf-*-stock; do
	[ -x "$perf" ] && [ -x "${perf%-stock}" ] || continue
	script=(script -f -i "$data" --symfs "$out/protected/symfs" --itrace=b)
	"$out/measure" "$RUNS" -- env PERF_CONFIG=/dev/null "$perf" "${script[@]}" \
		-- env PERF_CONFIG="$out/pkvm" "${perf%-stock}" "${script[@]}" |
		table "$mb" "protected: stock perf $("$perf" version | sed 's/perf version //') script" "with csguest inside"
done
[ -z "${SCALE-}" ] || tests/bench/scale.sh
sed '$!s/$/,/' "$out/json" | { echo '['; cat; echo ']'; } >"$B/bench.json"
echo "written to $B/bench.json"
