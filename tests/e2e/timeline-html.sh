#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The page of csguest timeline --html in a browser: it loads, zooms, and says who it was and why.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/browser-lib.sh"
need jq

mkdir "$T/two"
ok "two-guests unpacks" tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
timeline() { "$CSGUEST" timeline -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$@"; }
ok "a page is written" timeline --html "$T/page.html" "$T/two/perf.data"
is "nothing else is" "" "$(cat "$T/out")"
hasnt "it needs nothing from elsewhere" '(src|href)=|url\(|import|https?:' "$T/page.html"
ok "it can go to standard output" timeline --html - "$T/two/perf.data"
same "and is the same" "$T/page.html" "$T/out"
exits 4 "a file that cannot be written is reported" timeline --html "$T/none/page.html" "$T/two/perf.data"
has "by its name" "/none/page.html" "$T/err"
# data PAGE: the JSON in it.
data() { sed -nE '/id="data">/,/^<\/script>/{s|.*id="data">||;/^<\/script>/d;p}' "$1"; }
data "$T/page.html" >"$T/data"
ok "its data is JSON" jq -e . "$T/data"
timeline --by owner --json "$T/two/perf.data" >"$T/json"
is "its entries have all instructions that the rows have" "$(jq '[.rows[].instructions] | add' "$T/json")" \
	"$(jq '[.streams[].s | range(2; length; 6) as $i | .[$i]] | add' "$T/data")"
is "and are no fewer" true "$(jq "([.streams[].s | length / 6] | add) >= $(jq '.rows | length' "$T/json")" "$T/data")"
ok "a flame graph is drawn" "$CSGUEST" flame -q --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$T/two/perf.data"
sed -nE 's/^\.([a-z0-9]+) rect\{fill:(#[0-9a-f]+)\}.*/\1 \2/p' "$T/out" >"$T/flame-colours"
# A flame graph has those of its VMs only.
of_two() { grep -Ev '^g[ku]([2-9]|[1-9][0-9]) ' "$1"; }
jq -r '.colours | to_entries[] | "\(.key) \(.value)"' "$T/data" >"$T/all"
of_two "$T/all" >"$T/colours"
same "which has the same colours for the same worlds and VMs" "$T/flame-colours" "$T/colours"
sed -n 's/^@media (prefers-color-scheme:dark){\.//p' "$T/out" | sed 's/}\./}\n/g' | sed -nE 's/^([a-z0-9]+) rect\{fill:(#[0-9a-f]+)\}.*/\1 \2/p' >"$T/flame-dark"
jq -r '. as $d | .dark | to_entries[] | select(.value != $d.colours[.key]) | "\(.key) \(.value)"' "$T/data" >"$T/all"
of_two "$T/all" >"$T/dark"
same "on a dark page as well" "$T/flame-dark" "$T/dark"
ok "a page of fewer entries" timeline --html "$T/small.html" --slices 200 "$T/two/perf.data"
data "$T/small.html" >"$T/small"
is "has no more of them" true "$(jq '([.streams[].s | length / 6] | add) <= 200' "$T/small")"
is "and the same instructions" "$(jq '[.rows[].instructions] | add' "$T/json")" \
	"$(jq '[.streams[].s | range(2; length; 6) as $i | .[$i]] | add' "$T/small")"
is "also in the shares" "$(jq '[.streams[].s | range(1; length; 6) as $i | select(.[$i] < 0) | .[$i + 1]] | add' "$T/small")" \
	"$(jq '[.mixed[][] | .[2]] | add' "$T/small")"
ok "a page of a part" timeline --html "$T/part.html" --time 11.3225,11.3230 "$T/two/perf.data"
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
has "and scroll bars" ' style="color-scheme: dark;' "$T/dom"
has "and selects an entry: its owner" "VM $(jq .vm <<<"$row") vCPU $(jq .vcpu <<<"$row") kernel" "$T/dom"
has "from when" "<dt>from</dt><dd>$(seconds "$begin")<" "$T/dom"
has "to when" "<dt>to</dt><dd>$(seconds "$end")<" "$T/dom"
has "and its evidence" "<dt>evidence</dt><dd>$(jq -r .evidence <<<"$row")<" "$T/dom"
has "and how to ask for the evidence" "csguest explain -C 1 [^ ]+ $(jq .index <<<"$row")<" "$T/dom"
dom "$T/page.html" "lane=vCPU%200&at=$(seconds $(((begin + end) / 2)))"
has "vCPUs have lanes" 'id="selected"[^>]*><b>.*vCPU 0|id="selected"[^>]*><b>.*CPU 0/KVM' "$T/dom"
dom "$T/small.html" "lane=CPU%201&at=$(seconds $(((begin + end) / 2)))"
has "merged entries say so" 'merged: [0-9,]+ entries|places in view are merged' "$T/dom"

# Labels are text of the page; idle time and what vCPUs did off their CPUs have colours of their
# own.
dom "$T/page.html" ""
has "each lane has a label in the page" '<div role="listitem" class="row[^>]*>.*<span class="name" title="vCPU 0">vCPU 0</span>' "$T/dom"
has "each VM has a sum of its own" '<span class="sum" data-sum="[0-9]+">3[67]\.[0-9] %' "$T/dom"
has "idle time is distinguished from the host's" 'idle</td><td>5\.8 %' "$T/dom"
has "so are the states of vCPUs" '--preempted\)"></span>preempted</span>' "$T/dom"
timeline --json --totals "$T/two/perf.data" >"$T/states"
is "which are those of the table" "$(jq -c '[.vcpus[] | [.host_tid, .running, .preempted, .halted, .blocked]] | sort' "$T/states")" \
	"$(jq -c '.stateNames as $n | [.states[] | .s as $s | reduce range(0; $s | length; 2) as $i ({tid}; .[$n[$s[$i + 1]]] += $s[$i]) |
		[.tid, .running, .preempted, .halted, .blocked // 0]] | sort' "$T/data")"

# Call chains of what is in view: what flame has of the same time.
folded() { "$CSGUEST" flame -q --folded --by instructions --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$@" "$T/two/perf.data" | awk '{ n += $NF } END { print n }'; }
is "all of its instructions are in a chain" "$(folded)" "$(jq '[.functions.bins[] | .[2:] | range(0; length; 2) as $i | .[$i]] | add' "$T/data")"
first=$(jq '.functions.bins[100][0]' "$T/data") last=$(jq '.functions.bins[140][0]' "$T/data")
left=$(jq -r ".functions | (.begin | tonumber) + $first * .width" "$T/data") right=$(jq -r ".functions | (.begin | tonumber) + ($last + 1) * .width" "$T/data")
some=$(folded --time "$(seconds "$left"),$(seconds $((right - 1)))")
is "those of a span are those of its time" "$some" \
	"$(jq "[.functions.bins[] | select(.[0] >= $first and .[0] <= $last) | .[2:] | range(0; length; 2) as \$i | .[\$i]] | add" "$T/data")"
dom "$T/page.html" "from=$(seconds "$left")&to=$(seconds "$right")"
is "the page counts those in view" "$some" "$(sed -n 's/.*<p class="note" id="function">\([0-9,]*\) instructions in view.*/\1/p' "$T/dom" | tr -d ,)"
has "as frames, the whole at the top" "data-node=\"0\" title=\"all: 100\.0 %, " "$T/dom"
"$CSGUEST" flame -q --folded --by instructions --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" \
	--time "$(seconds "$left"),$(seconds $((right - 1)))" "$T/two/perf.data" |
	awk '{ n = $NF; sub(/;.*/, ""); by[$0] += n; if (by[$0] > by[most]) most = $0 } END { print most ": " by[most] }' >"$T/most"
has "with its threads below it, as many instructions as flame has" \
	"title=\"$(sed 's/: .*//' "$T/most"): [0-9.]+ %, $(sed 's/.*: //' "$T/most" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta') instructions\"" "$T/dom"
"$CSGUEST" timeline -q --html "$T/piped.html" - <"$T/two/perf.data/data" 2>/dev/null
dom "$T/piped.html" ""
has "what cannot be read twice has none, and says so" 'id="function">not known: the recording has no times, or was read from standard input<' "$T/dom"
clicked() {
	sed "s|^</body>|<script>setTimeout(() => document.querySelector(\"$1\").click(), 500);</script>&|" "$T/page.html" >"$T/clicked.html"
	dom "$T/clicked.html" ""
}
clicked "#functions button:nth-child(2)"
hasnt "a frame that is chosen fills the width" 'data-node="0"' "$T/dom"
has "and has its callees below it" 'data-node="[0-9]+" title="[^"]*" aria-label="[^"]*" style="left:0.0px;top:16px' "$T/dom"

# The line that asks for evidence works as it stands, whatever the recording is called.
cp -r "$T/two" "$T/it's two"
timeline --html "$T/named.html" "$T/it's two/perf.data"
dom "$T/named.html" "lane=CPU%201&at=$(seconds $(((begin + end) / 2)))"
sed -nE 's/.*<code>csguest (explain [^<]*)<.*/\1/p' "$T/dom" | sed 's/&amp;/\&/g' | head -n 1 >"$T/line"
ok "the line for the evidence can be pasted" bash -c "\"$CSGUEST\" $(cat "$T/line")"
has "and says who it was" "VM $(jq .vm <<<"$row")" "$T/out"

# Sixty VMs with two vCPUs each: the page of two with other data.
jq -c '.owners[] | select(.w == "guest" and .p == "kernel" and .tid == null)' "$T/data" | head -n 1 >"$T/owner"
jq -c --slurpfile o "$T/owner" '.names = {} | .states = null | .mixed = [] | .colours as $c |
	.owners = [range(120) as $k | $o[0] + {vm: (1000 + ($k / 2 | floor)), vcpu: ($k % 2), ht: (5000 + $k), comm: "CPU \($k % 2)/KVM"}] |
	.streams = [range(4) as $cpu | {cpu: $cpu, stream: $cpu, begin: 0, end: 5000000,
		s: [range(500) as $i | (if $i == 0 then 0 else 10000 end), (($i * 7 + $cpu * 31) % 120), 5, 0, 0, 1]}] | .span = 5000000' "$T/data" >"$T/sixty"
page_of() { sed -E '/id="data">/,/^<\/script>/c @DATA@' "$T/page.html" | sed -e "/@DATA@/{r $1" -e 'd}'; }
{ printf '<script type="application/json" id="data">'; cat "$T/sixty"; echo '</script>'; } >"$T/sixty.data"
page_of "$T/sixty.data" >"$T/many.html"
dom "$T/many.html" ""
lines() { grep -oE "$1" "$T/dom" | wc -l; }
is "sixty VMs are sixty lines" 60 "$(lines '<span class="name" title="VM 10[0-9]+">')"
is "whose vCPUs are folded away" "0 60" "$(lines '<span class="name" title="vCPU [01]">') $(lines 'aria-expanded="false" aria-label="lanes of VM')"
is "all of other colours" 60 "$(grep -oE -- '--c-gk[0-9]+: [^;]+' "$T/dom" | sed 's/.*: //' | sort -u | wc -l)"
is "which are the palette's" 60 "$(jq -r '.colours | to_entries[] | select(.key | test("^gk[0-9]")) | .value' "$T/data" |
	grep -cFf <(grep -oE -- '--c-gk[0-9]+: [^;]+' "$T/dom" | sed 's/.*: //'))"
has "and one row each in the table" '</span>VM 1017</td><td>1\.[67] %' "$T/dom"
is "the legend has those in view" true "$([ "$(lines 'data-vm="10')" -ge 5 ] && [ "$(lines 'data-vm="10')" -le 12 ] && echo true)"
sed 's|^</body>|<script>setTimeout(() => document.body.dataset.below = lanes.clientHeight - plot.clientHeight, 1000);</script>&|' "$T/many.html" >"$T/below.html"
dom "$T/below.html" ""
has "lanes are drawn down to the end of the window" 'data-below="1"' "$T/dom"
dom "$T/many.html" "open=VM%201003"
is "one that is opened shows its vCPUs" 2 "$(lines '<span class="name" title="vCPU [01]">')"
dom "$T/many.html" "filter=1042"
is "a filter leaves what is called so" "VM 1042" "$(grep -oE '<span class="name" title="VM 10[0-9]+">' "$T/dom" | grep -oE 'VM [0-9]+' | xargs)"
dom "$T/many.html" "pin=VM%201055%2FVM%201055"
is "a pinned lane stands at the top, and in its place" "VM 1055: VM 1055" "$(grep -oE '<span class="name" title="[^"]*VM 1055">' "$T/dom" | head -n 1 | sed 's/.*title="//; s/">//')"
# keyed KEY: $T/dom after the key, with the focus on no lane.
keyed() {
	sed "s|^</body>|<script>document.body.dispatchEvent(new KeyboardEvent(\"keydown\", {key: \"$1\", bubbles: true}));</script>&|" "$T/many.html" >"$T/keyed.html"
	dom "$T/keyed.html" ""
}
keyed '?'
has "a key lists the keys, wherever the focus is" '<dialog id="keys"[^>]* open=""' "$T/dom"
keyed e
is "another opens all VMs" 120 "$(lines '<span class="name" title="vCPU [01]">')"
keyed +
hasnt "another zooms" "id=\"view\"[^>]*>[^<]*\(5.000 ms\)" "$T/dom"
