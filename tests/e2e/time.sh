#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# All views use one clock: what --time leaves is the same in each, and windows that follow each
# other add up to the whole.
# Takes 60 s.
. "$(dirname "$0")/lib.sh"
need jq

# use RECORDING: unpacks it.
use() {
	mkdir -p "$T/$1"
	ok "$1 unpacks" tar --zstd -C "$T/$1" -xf "$TRACES/$1/$1.tar.zst"
	recording=$T/$1
}
on() { "$CSGUEST" "$1" -q --symfs "$recording/symfs" --buildid-dir "$recording/buildid" "${guests[@]}" "${@:2}" "$recording/perf.data" 2>/dev/null; }

# Instructions of each VM, 0 the host.
by_vm='map(select(.instructions > 0)) | map(.vm = (.vm // 0)) | group_by(.vm)[] | [.[0].vm, (map(.instructions) | add)]'
reported() { on report --by world,vm --format json "$@" | jq -c "[.rows | $by_vm]"; }
lasted() { on timeline --by vm --totals --json "$@" | jq -c "[.totals | $by_vm]"; }
sums() { on timeline --totals --json "$@" | jq -c '.totals | [(map(.time) | add), (map(.instructions) | add)]'; }
page() { on summary --format json "$@" | jq -c '[([.groups[].time] | add), ([.groups[].instructions] | add)]'; }
# agree WINDOW: what the views have of it.
agree() {
	local name=${recording##*/}
	is "$name --time $1: something ran" true "$([ "$(reported --time "$1")" != '[]' ] && echo true)"
	is "$name --time $1: timeline has the instructions of report" "$(reported --time "$1")" "$(lasted --time "$1")"
	is "$name --time $1: so has the list of ranges" "$(on report --by world --format json --time "$1" | jq .totals.instructions)" \
		"$(on export --csv - --time "$1" | awk -F, 'NR > 1 { n += $7 } END { print n }')"
	is "$name --time $1: so have call chains" "$(on report --by world --format json --time "$1" | jq .totals.instructions)" \
		"$(on flame --folded --by instructions --time "$1" | awk '{ n += $NF } END { print n }')"
	is "$name --time $1: time and instructions of summary are the timeline's" "$(sums --time "$1")" "$(page --time "$1")"
	is "$name --time $1: each row's sums are in the totals" "$(sums --time "$1")" \
		"$(on timeline --json --time "$1" | jq -c '.rows | [(map(.end - .begin) | add), (map(.instructions) | add)]')"
	if command -v sqlite3 >/dev/null; then
		on export --sqlite "$T/db" --force --time "$1"
		is "$name --time $1: so are those of segments" "$(sums --time "$1")" \
			"$(sqlite3 "$T/db" "select '[' || sum(end_ns - begin_ns) || ',' || sum(instructions) || ']' from segment")"
	fi
}
# adds_up WINDOW...: the windows are the whole.
adds_up() {
	local name=${recording##*/} all window
	for all in sums page; do
		is "$name: $all of windows that follow each other ($*) are the whole" "$($all)" \
			"$(for window; do $all --time "$window"; done | jq -cs 'transpose | map(add)')"
	done
	# Parts are divided by commas, seconds by blanks.
	all=$*
	is "$name: and in one list" "$(sums)" "$(sums --time "$([[ $all = *%* ]] && echo "${all// /,}" || echo "$all")")"
	is "$name: report --by vm of them" "$(reported)" \
		"$(for window; do reported --time "$window"; done | jq -cs 'add | group_by(.[0]) | map([.[0][0], (map(.[1]) | add)])')"
	is "$name: exits' time" "$(on exits --by vm --format json | jq '[.rows[].time] | add')" \
		"$(for window; do on exits --by vm --format json --time "$window" | jq '[.rows[].time] | add // 0'; done | jq -s add)"
}

guests=()
use two-guests
for vm in 136 138; do guests+=(--guest "g$vm,pid=$vm,perf=$T/two-guests/guest-$vm.data,root=$T/two-guests/guestmount/$vm"); done
for window in 11.3225,11.3227 11.324,11.325 25%-50% "11.3225,11.3226 11.3228,11.3229"; do agree "$window"; done
# The second border is the time of a timestamp.
at=$(on export --csv - | awk -F, 'NR > 1 && $3 > 11324000000 { printf "%d.%09d", $3 / 1e9, $3 % 1e9; exit }')
adds_up ",11.3231" "11.3231,$at" "$at,"
is "a window that ends at a timestamp has nothing of it" 0 \
	"$(on export --csv - --time ",$at" | awk -F, -v at="$at" 'NR > 1 && $3 == at * 1e9' | wc -l)"
is "time of a short window is all CPUs'" 400000 "$(sums --time 11.3225,11.3227 | jq '.[0]')"
# What the border divides is in both windows, by its time; its instructions in the first alone.
on timeline --json --time 11.3225,11.3227 >"$T/rows"
on timeline --json >"$T/whole"
is "a row that is cut ends at the window" true \
	"$(jq -n --slurpfile a "$T/rows" --slurpfile b "$T/whole" '[$a[0].rows[] | select(.end == 11322700000)] | length == ([$b[0].rows[] | select(.begin < 11322700000 and .end >= 11322700000)] | length)')"

# Most of the trace is dated by a guest's counter whose offset is not known, or follows a break.
guests=()
for name in nested-linux nvhe; do
	use $name
	for window in 0%-10% 25%-50%; do agree $window; done
	adds_up 0%-30% 30%-35% 35%-100%
done
is "instructions follow the counter of the guest" true \
	"$(recording=$T/nested-linux; for part in 0 1 2 3 4 5 6 7 8 9; do sums --time "$((part * 10))%-$((part * 10 + 10))%" | jq '.[1]'; done | jq -s 'max < 2 * min')"
