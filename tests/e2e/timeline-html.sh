#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The page of csguest timeline --html in a browser: it loads, zooms, and says who it was and why.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/browser-lib.sh"
command -v jq >/dev/null || skip_all "no jq"

mkdir "$T/two"
ok "two-guests unpacks" tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
timeline() { "$CSGUEST" timeline -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$@"; }
exits 18 "a page is written" timeline --html "$T/page.html" "$T/two/perf.data"
is "nothing else is" "" "$(cat "$T/out")"
hasnt "it needs nothing from elsewhere" '(src|href)=|url\(|import|https?:' "$T/page.html"
exits 18 "it can go to standard output" timeline --html - "$T/two/perf.data"
same "and is the same" "$T/page.html" "$T/out"
exits 4 "a file that cannot be written is told" timeline --html "$T/none/page.html" "$T/two/perf.data"
has "by its name" "/none/page.html" "$T/err"
# data PAGE: the JSON in it.
data() { sed -nE '/id="data">/,/^<\/script>/{s|.*id="data">||;/^<\/script>/d;p}' "$1"; }
data "$T/page.html" >"$T/data"
ok "its data is JSON" jq -e . "$T/data"
timeline --by owner --json "$T/two/perf.data" >"$T/json"
is "its entries have all instructions that the rows have" "$(jq '[.rows[].instructions] | add' "$T/json")" \
	"$(jq '[.streams[].s | range(2; length; 6) as $i | .[$i]] | add' "$T/data")"
is "and are no fewer" true "$(jq "([.streams[].s | length / 6] | add) >= $(jq '.rows | length' "$T/json")" "$T/data")"
exits 18 "a flame graph is drawn" "$CSGUEST" flame -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$T/two/perf.data"
sed -nE 's/^\.([a-z0-9]+) rect\{fill:(#[0-9a-f]+)\}.*/\1 \2/p' "$T/out" >"$T/flame-colours"
jq -r '.colours | to_entries[] | "\(.key) \(.value)"' "$T/data" >"$T/colours"
same "which has the same colours for the same worlds and VMs" "$T/flame-colours" "$T/colours"
sed -n 's/^@media (prefers-color-scheme:dark){\.//p' "$T/out" | sed 's/}\./}\n/g' | sed -nE 's/^([a-z0-9]+) rect\{fill:(#[0-9a-f]+)\}.*/\1 \2/p' >"$T/flame-dark"
jq -r '. as $d | .dark | to_entries[] | select(.value != $d.colours[.key]) | "\(.key) \(.value)"' "$T/data" >"$T/dark"
same "on a dark page as well" "$T/flame-dark" "$T/dark"
exits 18 "a page of fewer entries" timeline --html "$T/small.html" --slices 200 "$T/two/perf.data"
data "$T/small.html" >"$T/small"
is "has no more of them" true "$(jq '([.streams[].s | length / 6] | add) <= 200' "$T/small")"
is "and the same instructions" "$(jq '[.rows[].instructions] | add' "$T/json")" \
	"$(jq '[.streams[].s | range(2; length; 6) as $i | .[$i]] | add' "$T/small")"
is "also in the shares" "$(jq '[.streams[].s | range(1; length; 6) as $i | select(.[$i] < 0) | .[$i + 1]] | add' "$T/small")" \
	"$(jq '[.mixed[][] | .[2]] | add' "$T/small")"
exits 18 "a page of a part" timeline --html "$T/part.html" --time 11.3225,11.3230 "$T/two/perf.data"
ok "is smaller" test "$(stat -c %s "$T/part.html")" -lt "$(stat -c %s "$T/page.html")"
exits 2 "a time that is none is refused" timeline --html "$T/none.html" --time nonsense "$T/two/perf.data"
exits 2 "no page has so few entries" timeline --html "$T/none.html" --slices 1 "$T/two/perf.data"

if [ -z "$BROWSER" ]; then
	skip "no chromium to load the page with"
	exit 0
fi
dom "$T/page.html" ""
has "the page loads" 'data-ready="1"' "$T/dom"
has "it shows the whole" "id=\"view\"[^>]*>$(jq -r '.t0 | tonumber / 1e6 | floor | "\(. / 1000 | floor)\\.\(. % 1000)"' "$T/data")" "$T/dom"
has "with the shares of guests" 'VM 136 kernel</td><td>[0-9.]+ %' "$T/dom"
has "and why they were left" 'VM 136: data fault</td><td>[0-9]+<' "$T/dom"

row=$(jq -c '[.rows[] | select(.cpu == 1 and .world == "guest" and .instructions > 1000)][5]' "$T/json")
begin=$(jq .begin <<<"$row") end=$(jq .end <<<"$row")
dom "$T/page.html" "from=$(seconds $((begin - 20000)))&to=$(seconds $((end + 20000)))&lane=CPU%201&at=$(seconds $(((begin + end) / 2)))&theme=dark"
has "it zooms" "id=\"view\"[^>]*>$(seconds $((begin - 20000))) – $(seconds $((end + 20000)))" "$T/dom"
has "to dark colours, too" 'data-theme="dark"' "$T/dom"
has "and selects an entry: its owner" "VM $(jq .vm <<<"$row") vCPU $(jq .vcpu <<<"$row") kernel" "$T/dom"
has "from when" "<dt>from</dt><dd>$(seconds "$begin")<" "$T/dom"
has "to when" "<dt>to</dt><dd>$(seconds "$end")<" "$T/dom"
has "and its witnesses" "<dt>witnesses</dt><dd>$(jq -r .witness <<<"$row")<" "$T/dom"
has "and how to ask for the evidence" "csguest explain -C 1 [^ ]+ $(jq .index <<<"$row")<" "$T/dom"
dom "$T/page.html" "lane=vCPU%200&at=$(seconds $(((begin + end) / 2)))"
has "vCPUs have lanes" 'id="selected"[^>]*><b>.*vCPU 0|id="selected"[^>]*><b>.*CPU 0/KVM' "$T/dom"
dom "$T/small.html" "lane=CPU%201&at=$(seconds $(((begin + end) / 2)))"
has "merged entries say so" 'merged: [0-9,]+ entries|places in view are merged' "$T/dom"
