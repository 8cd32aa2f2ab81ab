#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A signal ends decoding early: what was decoded by then is printed, and marked.
. "$(dirname "$0")/lib.sh"
need jq
tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
two=(--symfs "$T/symfs" --buildid-dir "$T/buildid" "$T/perf.data")
mark='interrupted after [0-9.]+ [KM]?B of [0-9.]+ [KM]?B of trace'

# Of a listing its reader decides when: it fills the pipe, and waits.
mkfifo "$T/pipe"
for signal in INT TERM; do
	env --default-signal=$signal "$CSGUEST" script "${two[@]}" >"$T/pipe" 2>"$T/err" &
	pid=$!
	exec 3<"$T/pipe"
	IFS= read -r first <&3
	kill -$signal $pid
	{ echo "$first" && cat <&3; } >"$T/listed"
	exec 3<&-
	wait $pid
	is "script: SIG$signal ends it" $signal "$(kill -l $?)"
	has "script: and says so" "^csguest: $mark\$" "$T/err"
	has "script: what is listed ends with the mark" "^# $mark\$" <(tail -n 1 "$T/listed")
	"$CSGUEST" script -q "${two[@]}" 2>/dev/null | head -n $(($(wc -l <"$T/listed") - 1)) >"$T/whole"
	same "script: and is the beginning of the whole list" "$T/whole" <(head -n -1 "$T/listed")
done

# Of sums, parts of the time that the whole takes are tried.
# interrupted COMMAND... : its output in $T/part, $T/err; its status in $ended.
interrupted() {
	local begin=$EPOCHREALTIME whole percent
	"$CSGUEST_SAN" "$@" -q "${two[@]}" >/dev/null 2>&1
	whole=$((${EPOCHREALTIME/./} - ${begin/./}))
	for percent in 70 50 80 60 90 40 75 95 30 85; do
		env --default-signal=INT "$CSGUEST_SAN" "$@" "${two[@]}" >"$T/part" 2>"$T/err" &
		pid=$!
		sleep "$(printf '%d.%06d' $((whole * percent / 100000000)) $((whole * percent / 100 % 1000000)))"
		kill -INT $pid 2>/dev/null
		wait $pid
		ended=$?
		! grep -qE "^csguest: $mark\$" "$T/err" || return
	done
}
for command in "report --by world" "timeline --totals" summary exits; do
	read -ra words <<<"$command"
	interrupted "${words[@]}"
	is "$command: SIGINT ends it" INT "$(kill -l $ended)"
	has "$command: and it says so" "^csguest: $mark\$" "$T/err"
	has "$command: what is printed ends with the mark" "^# $mark\$" <(tail -n 1 "$T/part")
	ok "$command: and is something" test "$(wc -l <"$T/part")" -gt 3
done
interrupted report --by world --format json
has "report --format json: says so on standard error" "^csguest: $mark\$" "$T/err"
ok "report --format json: and is JSON all the same" jq -e .rows "$T/part"
