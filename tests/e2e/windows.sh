#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of windows, made from those that were traced without a break: strobed or paused and
# resumed, of 128 to 16384 instructions, formatted and raw, with and without context IDs, timestamps
# after Trace On, return stack.  Nobody is named who was not there, nothing is decoded that did not
# run, and both engines say the same. Takes 35 s.
. "$(dirname "$0")/lib.sh"
need jq
. "$TOP/tests/windows-lib.sh"

# one VARIANT SEED WINDOW PERIOD KNOWN OPTION...: at least KNOWN percent of it have a VM that is
# known.
one() {
	local variant=$1 seed=$2 window=$3 period=$4 known=$5 what engine
	shift 5
	what="$name$variant in windows of $window of $period instructions${1+ (}$*${1+)}"
	make_windows "$variant" "$seed" "$window" "$period" "$@"
	ok "$what has windows" awk '$1 < 20 || $3 * 10 > $2 * 9 { exit 1 }' "$T/out"
	score
	is "$what: nothing is decoded that did not run" 0 "$(jq .mismatches "$T/out")"
	is "$what: the VM of $known percent is known" true "$(jq ".vm.right * 100 >= $known * .instructions" "$T/out")"
	check_exits
	kind "$@"
	[ "$exits" = 0 ] || [ "$name" = nvhe ] || [ "${*/no-ids/}" != "$*" ] || [ "$variant" = -bare ] ||
		is "$what: most are" true "$(jq "([.rows[].exits] | add // 0) * 2 >= $exits" "$T/exits")"
	for engine in fast opencsd; do
		"$CSGUEST" report -q --engine=$engine --format csv --by world,vm,vcpu,thread,el,evidence,reason "${files[@]}" "${guests[@]}" \
			"$data" >"$T/w/$engine"
	done
	same "$what: the engines say the same" "$T/w/opencsd" "$T/w/fast"
}

# kind: info says of which kind the windows made last are: an event that pauses the trace does, a
# unit that is strobed by itself shows in the trace alone, but without VHE, where tracing is off in
# EL2 anyway.
kind() {
	local of='no event says so, but in [0-9]+ KB of trace that were looked at tracing was off [0-9]+ times$'
	[ "${*/--paused/}" != "$*" ] || [[ $name != @(nvhe|protected) ]] || return 0
	[ "${*/--paused/}" = "$*" ] || of='paused and resumed by events \(aux-action\)$'
	"$CSGUEST" info -q "${files[@]}" "$data" >"$T/w/info"
	has "$what: info says so" "^  windows: +$of" "$T/w/info"
	has "$what: with what that costs" '^  (tracing was off again and again|paused and resumed by events)' "$T/w/info"
}

# whole: it says no such thing of what was traced without a break.
whole() {
	is "$name: all of the trace has no windows" null "$("$CSGUEST" info -q --json "${files[@]}" "$T/$name/perf.data" | jq .recorded.windows)"
}

# unknown SHARE: in windows of 256 instructions or more that have a timestamp, made last, the
# process of SHARE percent at most is unknown, and 99.5 percent are decoded.
unknown() {
	local sums='[.windows[] | select(.stamped and .least >= 256)] | map(.instructions), map(.decoded), map(.no_process) | add'

	is "$name: these windows with a timestamp are decoded" true \
		"$(jq "[$sums] | .[1] * 1000 >= .[0] * 995 and .[0] > 100000" "$T/out")"
	is "$name: of these the process of $1 percent at most is unknown" true "$(jq "[$sums] | .[2] * 100 <= .[1] * $1" "$T/out")"
}

unpack two-guests
whole
one "" 1 256 5000 99 --time
unknown 9
one "" 2 512 5000 90 --paused
one "" 3 1024 20000 98 --paused --time --stack
one "" 4 4096 10000 99 --stack
unknown 2
one "" 5 500 4000 87 --no-ids
one "" 6 2048 20000 90 --no-ids --paused --time
one -ete 7 256 4000 87
one -ete 8 1000 30000 99 --paused --time
one -ete 9 16384 40000 99 --stack
one -bare 10 1024 5000 40
one -bare 11 8192 20000 70 --paused
unpack smp-guest
whole
one "" 12 128 2000 99 --time
one "" 13 512 9000 90 --paused --stack
one "" 14 4096 50000 99 --time
unknown 2
one "" 15 1024 8000 93 --no-ids --time
unpack nvhe
whole
one "" 16 1024 5000 85 --time
one "" 17 2048 20000 82 --paused --time
one "" 18 8192 20000 88 --stack
one "" 19 512 8000 8 --no-ids
one "" 20 16384 40000 97 --paused --time --stack
# Windows that end with an HVC of the host: the next one begins anywhere.
one "" 11 1024 3072 70
# A guest's context ID, in force until the host states its own after Trace On.
one "" 16 256 512 0 --stack
unpack protected
whole
# A call of EL2 that is dated into the time of the next thread.
one "" 238 4096 20480 40 --paused --time --stack
