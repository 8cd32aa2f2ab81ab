#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The importer of speedscope 1.25 (from npm) reads what csguest export --chrome writes, and flame
# --folded: each track with as many slices as there are, as deep as they nest, and as long as they
# last.  Needs npm, its registry, Chromium and jq.
. "$(dirname "$0")/../e2e/lib.sh"
. "$TOP/tests/browser-lib.sh"
[ -n "$BROWSER" ] || skip_all "no chromium"
need npm jq

version=1.25.0
(cd "$T" && npm pack --silent "speedscope@$version" >"$T/npm" 2>&1) || skip_all "npm gives no speedscope $version"
tar -C "$T" -xf "$T/speedscope-$version.tgz"
page=$T/package/dist/release
# The page has no name for its importer, but calls it with a file's name and contents where it loads
# one.
sed -E -i 's/window\.speedscope=\{loadFileFromBase64:\(([a-zA-Z_$]+),([a-zA-Z_$]+)\)=>\{this\.loadProfile\(\(\)=>([A-Za-z0-9_$]+)\(/window.importFile=\3;&/' "$page"/speedscope-*.js
ok "its importer is found" grep -q 'window.importFile=' "$page"/speedscope-*.js

# import FILE: $T/import, a line for each profile: name, how many frames were entered and not left,
# how deep, how long.
import() {
	{
		printf 'importFile("%s", "' "$(basename "$1")"
		base64 -w0 "$1"
		cat <<-'EOF'
			").then(group => {
				const sums = group.profiles.map(p => {
					let frames = 0, depth = 0, deepest = 0;
					p.forEachCall(() => { frames++; deepest = Math.max(deepest, ++depth); }, () => depth--);
					return {name: p.getName(), frames, open: depth, deepest, busy: Math.round(p.getTotalNonIdleWeight() * 1000)};
				});
				document.body.textContent = JSON.stringify(sums);
			}, error => { document.body.textContent = "error: " + error; });
		EOF
	} >"$T/load.js"
	timeout 300 "$BROWSER" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --allow-file-access-from-files --user-data-dir="$T/profile" \
		--virtual-time-budget=10000 --dump-dom "file://$page/index.html#localProfilePath=$T/load.js" 2>"$T/browser" |
		grep -o '\[{.*}\]' | sed 's/&gt;/>/g; s/&lt;/</g; s/&amp;/\&/g' | jq -c '.[]' >"$T/import"
}

ok "two-guests unpacks" tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
guests=()
for vm in 136 138; do guests+=(--guest "g$vm,pid=$vm,perf=$T/guest-$vm.data"); done
on() { "$CSGUEST" "$1" -q --symfs "$T/symfs" --buildid-dir "$T/buildid" --guestmount "$T/guestmount" "${guests[@]}" "${@:2}" "$T/perf.data"; }

# tracks FILE: what the import of a Chrome trace should be.
tracks() {
	jq -c '[.traceEvents[] | select(.ph == "M")] as $names | [.traceEvents[] | select(.ph == "B" or .ph == "E")] | group_by([.pid, .tid])[] |
		. as $events | [$events[0].pid, $events[0].tid] as $id |
		{name: "\($names[] | select(.name == "process_name" and .pid == $id[0]) | .args.name) (pid \($id[0])), \($names[] | select(.name == "thread_name" and [.pid, .tid] == $id) | .args.name) (tid \($id[1]))"} +
		reduce $events[] as $e ({frames: 0, open: 0, deepest: 0, busy: 0};
			if $e.ph == "B" then .frames += 1 | (if .open == 0 then .busy -= $e.ts else . end) | .open += 1 | .deepest = ([.deepest, .open] | max)
			else .open -= 1 | (if .open == 0 then .busy += $e.ts else . end) end) | .busy = (.busy * 1000 | round)' "$1" | sort
}
on export --chrome "$T/chrome.json" --functions
import "$T/chrome.json"
tracks "$T/chrome.json" >"$T/want"
sort "$T/import" >"$T/got"
# Slices without a length that follow an equal one are joined to it: of them names, depth and time
# count.
without_frames() { jq -c 'if .name | contains(" functions ") then . else del(.frames) end'; }
for list in want got; do
	jq -r .name "$T/$list" | sort >"$T/$list.names"
	without_frames <"$T/$list" | sort >"$T/$list.sums"
done
same "each track is a profile of its own" "$T/want.names" "$T/got.names"
same "slices do not overlap; functions nest as in the trace" "$T/want.sums" "$T/got.sums"
is "there are functions of both guests" 2 "$(jq -r 'select(.frames > 10000 and .deepest > 10) | .name' "$T/got" | grep -c 'vCPU 0 functions')"

on flame --folded --by instructions >"$T/folded.txt"
import "$T/folded.txt"
is "folded stacks are one profile, of all that they weigh" "$(awk '{ n += $NF } END { printf "%.0f", n * 1000 }' "$T/folded.txt")" "$(jq .busy "$T/import")"
