#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest timeline --html of an hour: a page of bounded size, made in bounded memory, that loads
# within seconds and shows the whole as well as single entries. Takes 18 s.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/browser-lib.sh"
need jq

# The small fixture's machine for an hour: 20000 turns of 0.18 seconds.
ok "an hour is recorded" "$fixture/make.sh" "$T/hour" 20000 180000000
use_fixture "$T/hour"
files=(--symfs "$T/sys" --vmlinux "$T/hour/host/vmlinux" --guestvmlinux "$T/hour/guest/vmlinux")
timeline() { "$CSGUEST" timeline -q --engine=fast "${files[@]}" "$@" "$T/hour/perf.data"; }
# within MB COMMAND...: with no more memory than that.
within() { (ulimit -v $(($1 * 1024)) && shift && "$@"); }
ok "a page is written in 200 MB of memory" within 200 timeline --html "$T/page.html"
is "which has no more than 8 MB" true "$([ "$(stat -c %s "$T/page.html")" -lt 8000000 ] && echo true)"
data() { sed -nE '/id="data">/,/^<\/script>/{s|.*id="data">||;/^<\/script>/d;p}' "$1"; }
data "$T/page.html" >"$T/data"
timeline --by owner --json >"$T/json" 2>"$T/err"
# All that is asked of the rows, as they are many: whether they are, their instructions, one long
# enough to be on a page by itself, and the time of each world.
{ read -r many && read -r all && read -r at && cat >"$T/want"; } < <(jq -r '(.rows | length > 300000),
	([.rows[].instructions] | add),
	([.rows[] | select(.cpu == 0 and .world == "guest" and .end - .begin > 100000000)][1000] | {begin: .begin, end: .end, index: .index} | tojson),
	(reduce (.rows[] | select(.world != null)) as $row ({}; .[$row.world] += $row.end - $row.begin) |
		to_entries | sort_by(.key)[] | "\(.key) \(.value)")' "$T/json")
is "there is more than fits on a page" true "$many"
# Of all streams, merged or not.
entries() { jq '[.streams[].s | length / 6] | add' "$1"; }
instructions() { jq '[.streams[].s | range(2; length; 6) as $i | .[$i]] | add' "$1"; }
is "an entry for each pixel of a hundred screens, and no more than the limit" true "$([ "$(entries "$T/data")" -gt 50000 ] && [ "$(entries "$T/data")" -le 200000 ] && echo true)"
is "no instruction is lost in what is merged" "$all" "$(instructions "$T/data")"
# An entry lasts to the next of its stream, the last one to the stream's end.
jq -r '.owners as $o | .mixed as $m | reduce (.streams[] | .s as $s | ([range(0; $s | length; 6) as $i | $s[$i]] | add) as $last |
	(.end - .begin - $last) as $rest | range(0; $s | length; 6) as $i | $s[$i + 1] as $who |
	if $who < 0 then $m[-1 - $who][] | {w: $o[.[0]].w, d: .[1]}
	else {w: $o[$who].w, d: (if $i + 6 < ($s | length) then $s[$i + 6] else $rest end)} end |
	select(.w != null)) as $part ({}; .[$part.w] += $part.d) |
	to_entries | sort_by(.key)[] | "\(.key) \(.value)"' "$T/data" >"$T/got"
same "nor any time" "$T/want" "$T/got"
for slices in 1000 20000; do
	ok "a page of $slices" timeline --force --html "$T/small.html" --slices $slices
	data "$T/small.html" >"$T/small"
	is "has at most $slices" true "$([ "$(entries "$T/small")" -le $slices ] && echo true)"
	is "and all instructions" "$all" "$(instructions "$T/small")"
done
ok "a part of it" timeline --html "$T/part.html" --time 2000,2060
data "$T/part.html" >"$T/part"
is "has all entries of a minute, none merged" true "$(jq '(.mixed | length) == 0 and ([.streams[].s | length / 6] | add) > 3000' "$T/part")"

if [ -z "$BROWSER" ]; then
	skip "no chromium to load the page with"
	exit 0
fi
begin=$SECONDS
dom "$T/page.html" ""
has "the hour loads" 'data-ready="1"' "$T/dom"
is "within seconds" true "$([ $((SECONDS - begin)) -lt 40 ] && echo true)"
has "it shows all of it" 'id="view"[^>]*>1274\.[0-9]+ – 4875\.[0-9]+ +\(360[01] s\)' "$T/dom"
has "and says that places are merged" '[0-9,]+ places in view are merged' "$T/dom"
has "the guest has its share" 'VM 4100 user</td><td>2[0-9]\.[0-9] %' "$T/dom"
begin=$(jq .begin <<<"$at") end=$(jq .end <<<"$at")
dom "$T/page.html" "from=$(seconds $((begin - 1000000)))&to=$(seconds $((end + 1000000)))&lane=CPU%200&at=$(seconds $(((begin + end) / 2)))"
has "zoomed to one entry it says who it was" 'VM 4100 vCPU 0 user' "$T/dom"
has "from when" "<dt>from</dt><dd>$(seconds "$begin")<" "$T/dom"
has "and where the evidence is" "csguest explain -C 0 [^ ]+ $(jq .index <<<"$at")<" "$T/dom"
