#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --time with facts of csguest prepare --index shows what it shows of all trace: on standard output,
# and as status.  Facts that have no index, or are of something else, are refused.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/windows-lib.sh"

# index OPTION...: of $name, whose options for csguest these are.
index() {
	rm -f "$T/facts"
	options=("$@")
	ok "$name is indexed" "$CSGUEST" prepare -q --index -o "$T/facts" "${options[@]}"
	# When it was traced, s.
	read -r from to < <("$CSGUEST" timeline -q --format csv "${options[@]}" 2>"$T/err" |
		awk -F, 'NR > 1 && $3 + 0 { if (!from || $3 < from) from = $3; if ($4 > to) to = $4 }
			END { printf "%.9f %.9f\n", from / 1e9, to / 1e9 }')
}

# same_view TIME COMMAND OPTION...: with the index it is what it is without.
same_view() {
	local status time=$1
	shift
	"$CSGUEST" "$@" --time "$time" "${options[@]}" >"$T/whole" 2>"$T/err"
	status=$?
	"$CSGUEST" "$@" --time "$time" --facts "$T/facts" "${options[@]}" >"$T/part" 2>"$T/err"
	is "$name, $* --time $time: the status" $status $?
	same "$name, $* --time $time: what is shown" "$T/whole" "$T/part"
	lines=$(($(wc -l <"$T/part") + ${lines:-0}))
}

# same_profiles TIME: of export --autofdo.
same_profiles() {
	rm -rf "$T/whole.d" "$T/part.d"
	"$CSGUEST" export --autofdo "$T/whole.d" --time "$1" "${options[@]}" 2>"$T/err"
	"$CSGUEST" export --autofdo "$T/part.d" --time "$1" --facts "$T/facts" "${options[@]}" 2>"$T/err"
	ok "$name, export --autofdo --time $1: what is written" diff -r "$T/whole.d" "$T/part.d"
	is "$name: there are branch profiles" true "$(grep -q : -r "$T/part.d" && echo true)"
}

# windows N: N windows of a hundredth to a tenth of the time, spread evenly, one of them open.
windows() {
	awk -v n="$1" -v from="$from" -v to="$to" 'BEGIN {
		for (i = 0; i < n; i++) {
			begin = from + (to - from) * i / n
			printf i == n - 1 ? "%.9f,\n" : "%.9f,%.9f\n", begin, begin + (to - from) * (1 + i % 10) / 100
		}
	}'
}

# all_views N
all_views() {
	local window function
	lines=0
	for window in $(windows "$1"); do
		same_view "$window" report --by world,vm,vcpu,pid,tid,el,evidence,reason,cpu --format csv
		same_view "$window" script --ns
		same_view "$window" report --by cpu,comm -j2
	done
	same_view "$(windows 3 | sed -n 2p)" report --by comm,dso,symbol --vm host
	same_view "$(windows 3 | sed -n 2p)" script --ns --itrace=i1ie
	same_view "$(windows 4 | sed -n 2p)" export --csv -
	same_view "$(windows 4 | sed -n 4p)" export --jsonl -
	same_profiles "$(windows 3 | sed -n 2p)"
	window=$(windows 3 | sed -n 2p)
	function=$("$CSGUEST" report -q --by symbol --format csv --time "$window" "${options[@]}" 2>"$T/err" |
		awk -F, 'NR > 1 && $4 != "-" && !seen++ { print $4 }')
	same_view "$window" annotate --symbol "$function"
	is "$name: there was something to show" true "$([ "$lines" -gt 1000 ] && echo true)"
}

# Two AUX records.
unpack two-guests
index "${files[@]}" "${guests[@]}" "$T/two-guests/perf.data"
all_views 2

# A ring that was read so often that an AUX record, which continues the one before it, rarely has
# an A-Sync in it.
what='two-guests in snapshots'
make_windows "" 1 1000 10000 --whole --ring 65536 400
name=ring
index "${files[@]}" "${guests[@]}" "$data"
all_views 6

# Windows that are AUX records of their own, without context IDs.
what='windows of two-guests' name=two-guests
make_windows "" 2 2000 8000 --paused --time --no-ids
name=windows
index "${files[@]}" "${guests[@]}" "$data"
all_views 3

# The host's time of most timestamps is not known: what has none goes on by those before it.
unpack nvhe
what='nvhe in snapshots'
make_windows "" 1 1000 10000 --whole --ring 1600000 160000
name=undated
index "${files[@]}" "$data"
all_views 4

# A made-up host with many AUX records, of which VMs end and TIDs come back.
name=host
"$BUILD/tools/scale" cpus 3 vms 6 vcpus 3 guests 3 bytes 300 piece 4096 "$T/host" 2>"$T/err" || fail "$name: it is made" "$T/err"
read -ra args <"$T/host/args"
index "${args[@]}" "$T/host/perf.data"
all_views 4

# Trace of other times is not read.
window=$(windows 8 | sed -n 5p)
"$CSGUEST" report --by vm --time "$window" --facts "$T/facts" "${options[@]}" >"$T/part" 2>"$T/part.err"
bytes=$(sed -n 's/.* ranges, \([0-9]*\) bytes of trace.*/\1/p' "$T/part.err")
is "$name: a part of the trace is counted" true "$([ "$bytes" -gt 1000 ] && [ "$bytes" -lt 100000 ] && echo true || echo "$bytes")"

# Refusals.
seek() { "$CSGUEST" report --time "$window" "$@"; }
exits 2 "facts without a time, or a shard, are refused" "$CSGUEST" report --facts "$T/facts" "${options[@]}"
has "it says what they go with" '--facts goes with --time, or with --shard' "$T/err"
exits 2 "facts where a view depends on all that was before are refused" "$CSGUEST" exits --time "$window" --facts "$T/facts" "${options[@]}"
has "it says why" 'what is shown depends on all trace before it' "$T/err"
exits 2 "they are of the timeline, which shows halts of vCPUs" "$CSGUEST" timeline --time "$window" --facts "$T/facts" "${options[@]}"
exits 2 "they are of Chrome's events, which show exits" "$CSGUEST" export --chrome - --time "$window" --facts "$T/facts" "${options[@]}"
exits 2 "they are for call chains" seek --format folded --facts "$T/facts" "${options[@]}"
exits 2 "they are where instructions are counted" "$CSGUEST" script --itrace=i97i --time "$window" --facts "$T/facts" "${options[@]}"
exits 23 "facts with other guests are refused" seek --facts "$T/facts" --symfs "$T/host/host" "$T/host/perf.data"
has "it says why, and names the file" "$T/facts: facts of another recording, or made with other options" "$T/err"
ok "the same is indexed without its guests" "$CSGUEST" prepare -q --index -o "$T/alone" --symfs "$T/host/host" "$T/host/perf.data"
exits 23 "facts without the guests are refused" seek --facts "$T/alone" "${options[@]}"
has "it says why, and names the file" "$T/alone: facts of another recording, or made with other options" "$T/err"
exits 23 "facts of another recording are refused" seek --facts "$T/facts" "$T/two-guests/perf.data"
exits 5 "facts that are not there are refused" seek --facts "$T/none" "${options[@]}"
exits 10 "what is no facts is refused" seek --facts "$0" "${options[@]}"
head -c 2000 "$T/facts" >"$T/cut"
exits 15 "facts that are cut short are refused" seek --facts "$T/cut" "${options[@]}"
"$CSGUEST" prepare -q -o "$T/plain" "${options[@]}"
exits 13 "facts without an index are refused" seek --facts "$T/plain" "${options[@]}"
has "it says what to do" 'remedy: make them with csguest prepare --index' "$T/err"
# They are facts for shards all the same.
for k in 1 2; do
	ok "shard $k of 2 takes facts with an index" "$CSGUEST" report -q --shard $k/2 --facts "$T/facts" -o "$T/part.$k" "${options[@]}"
done
"$CSGUEST" report "${options[@]}" >"$T/whole" 2>"$T/err"
"$CSGUEST" merge "$T/part.1" "$T/part.2" >"$T/merged" 2>"$T/err"
same "they are merged to one run" "$T/whole" "$T/merged"
