#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest flame: folded call chains that add up to the report, and a picture that is valid XML.
. "$(dirname "$0")/lib.sh"
. "$TOP/tests/browser-lib.sh"
need jq

use_fixture
# sums FILE: instructions of each innermost function of folded lines.
sums() { sed -E 's/^(.*;)?([^;]*) ([0-9]+)$/\2 \3/; s/_\[[a-z]+\] / /' "$1" | awk '{ n[$1] += $2 } END { for (s in n) print s, n[s] }' | sort; }

one_guest report --format json --sort symbol >"$T/json"
status=$? # 0, or that code is missing
exits $status "folded lines are printed" one_guest flame --folded --by instructions
cp "$T/out" "$T/folded"
hasnt "each has a chain and a weight" '^[^ ]*$|[^0-9]$' "$T/folded"
jq -r '.rows[] | "\(.symbol // "[unknown]") \(.instructions)"' "$T/json" | sed 's/^offset_.*@plt/&/' | sort >"$T/by-report"
sums "$T/folded" >"$T/by-chain"
same "functions have the instructions that csguest report counts" "$T/by-report" "$T/by-chain"
has "a guest hangs under its vCPU's thread, in the function that entered it" \
	'^CPU 0/KVM 4103;.*kvm_arch_vcpu_ioctl_run_\[k\];.*;__guest_enter_\[k\];VM 4100 vCPU 0;.*_\[gk\] ' "$T/folded"
has "the host's system calls hang under who called them" ';kvm_vcpu_ioctl_run;.*;__arm64_sys_ioctl_\[k\];kvm_vcpu_ioctl_\[k\]' "$T/folded"
hasnt "nothing hangs under code of another privilege otherwise" '_\[k\];[^;]*[^]0-9];' <(sed 's/;vm .*//' "$T/folded")
exits $status "csguest flame has the format by that name" one_guest flame --format folded --by instructions
same "and it is the same" "$T/folded" "$T/out"
exits $status "so has csguest report" one_guest report --format folded
same "which counts instructions" "$T/folded" "$T/out"
exits 2 "and no keys" one_guest report --format folded --by world
exits 2 "nor branches" one_guest report --format folded --count branches
exits $status "stacks can be separate" one_guest flame --folded --by instructions --stacks separate
hasnt "then no guest hangs under the host" '_\[k\].*_\[gk\]' "$T/out"
sums "$T/out" >"$T/by-separate"
same "and weighs the same" "$T/by-chain" "$T/by-separate"
exits $status "time is shared out" one_guest flame --folded --by time
has "in ns" '^CPU 0/KVM' "$T/out"

exits $status "a picture is drawn" one_guest flame
cp "$T/out" "$T/flame.svg"
if command -v xmllint >/dev/null; then
	ok "it is valid XML" xmllint --noout "$T/flame.svg"
else
	skip "no xmllint"
fi
hasnt "it loads nothing" '(href|src)=|url\(|@import' "$T/flame.svg"
has "the legend names the VM" '>VM 4100 kernel</text>' "$T/flame.svg"
has "a frame tells its share" '<title>__guest_enter \([0-9]+ ns, [0-9.]+%' "$T/flame.svg"
# own_sum FILE: the percents that frames have themselves, and those of [other]; "whole" for 100.
own_sum() {
	sed -nE 's/.* data-y="[0-9]+"><title>(.*) \(([0-9]+) ns, ([0-9.]+)%(, itself ([0-9.]+)%)?.*/\1\t\3\t\5/p' "$1" |
		awk -F'\t' '{ n += $1 == "[other]" ? $2 : $3 } END { print ((n > 99 && n < 101) ? "whole" : n + 0) }'
}
# overlaps FILE: how many frames begin before the one to the left of them ends.
overlaps() {
	sed -nE 's/.* data-x="([^"]*)" data-w="([^"]*)" data-y="([0-9]+)".*/\3 \1 \2/p' "$1" | sort -k1,1n -k2,2g |
		awk '$1 == row && $2 < end - 1e-7 { n++ } { row = $1; end = $2 + $3 } END { print NR ? n + 0 : "no frame" }'
}
is "shares add up" whole "$(own_sum "$T/flame.svg")"
exits $status "narrow frames can be drawn together" one_guest flame --min-percent 10
has "which is reported" '[0-9]+ frames of less than 10% are drawn as \[other\]' "$T/out"
is "and shares add up" whole "$(own_sum "$T/out")"
is "no frame covers another" 0 "$(overlaps "$T/out")"
exits $status "even if all frames are narrow" one_guest flame --min-percent 100
has "which are one frame then" '<title>\[other\] \([0-9]+ ns, 100.00%\)' "$T/out"

# In a browser: the script runs, zooms and finds.
if [ -n "$BROWSER" ]; then
	picture() { timeout 60 "$BROWSER" --headless --no-sandbox --disable-gpu --dump-dom "$1" 2>/dev/null; }
	# shellcheck disable=SC2016
	sed 's|^</svg>|<script>addEventListener("load", () => { search(/__guest_enter/); const before = document.getElementById("matched").textContent; zoom(frames.find((f) => f.name === "VM 4100 vCPU 0")); details.textContent = before + ", then " + document.querySelectorAll(".f:not(.off)").length + " of " + frames.length; });</script>&|' "$T/flame.svg" >"$T/driven.svg"
	picture "file://$T/driven.svg" >"$T/dom"
	has "in a browser it finds functions and zooms" 'id="details"[^>]*>matched [0-9.]+%, then [0-9]+ of [0-9]+<' "$T/dom"
	hasnt "it asks nothing in a window of the browser's own" 'prompt\(|alert\(' "$T/flame.svg"
	# driven SCRIPT [OPTION...]: $T/dom: the picture after the script ran in it, which writes to
	# details.
	driven() {
		sed "s|^</svg>|<script><![CDATA[addEventListener(\"load\", () => { $1 });]]></script>&|" "$T/flame.svg" >"$T/driven.svg"
		timeout 60 "$BROWSER" --headless --no-sandbox --disable-gpu "${@:2}" --dump-dom "file://$T/driven.svg" 2>/dev/null >"$T/dom"
	}
	for width in 800 1400; do
		driven 'details.textContent = [document.documentElement.clientWidth === svg_width(), (svg_width() - Math.max(...frames.map((f) => Number(f.rect.getAttribute("x")) + Number(f.rect.getAttribute("width"))))).toFixed(0), svg_width()].join(); function svg_width() { return document.documentElement.viewBox.baseVal.width; }' --window-size=$width,600
		has "it is as wide as a window of $width, but for a scroll bar" "id=\"details\"[^>]*>true,10,($width|$((width - 15)))<" "$T/dom"
	done
	driven 'ask(); const input = document.querySelector("#box input"); input.value = "__guest_enter"; input.dispatchEvent(new Event("input")); details.textContent = document.getElementById("matched").textContent;'
	has "what is typed into its field is found at once" 'id="details"[^>]*>matched [0-9.]+%<' "$T/dom"
	driven 'const f = frames.find((g) => g.name === "__guest_enter"); f.rect.dispatchEvent(new MouseEvent("mousemove", {bubbles: true, clientX: 200, clientY: 200})); const tip = document.getElementById("tip"); details.textContent = tip.classList.length + tip.textContent;'
	has "the frame under the pointer is named beside it, with its share" 'id="details"[^>]*>0__guest_enter *[0-9]+ ns, [0-9.]+%' "$T/dom"
else
	skip "no browser"
fi

exits 2 "a percentage that is none is refused" one_guest flame --min-percent much
exits 2 "a measure that is none is refused" one_guest flame --by weight
exits 5 "a recording that is not there" "$CSGUEST_SAN" flame "$T/none"
head -c $(($(stat -c %s "$fixture/perf.data") * 3 / 4)) "$fixture/perf.data" >"$T/cut"
exits 14 "a recording that is cut" "$CSGUEST_SAN" flame -q --folded --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" "$T/cut"
has "is drawn up to the cut" ';' "$T/out"

# Two guests.
mkdir "$T/two"
tar --zstd -C "$T/two" -xf "$TRACES/two-guests/two-guests.tar.zst"
"$CSGUEST" flame -q --folded --symfs "$T/two/symfs" --buildid-dir "$T/two/buildid" "$T/two/perf.data" >"$T/out"
has "one guest hangs under its own thread" '^CPU 0/KVM 143;.*;.*VM 138\)? vCPU 0' "$T/out"
has "the other under its" '^CPU 0/KVM 144;.*;.*VM 136\)? vCPU 0' "$T/out"
hasnt "neither under the other's" '^CPU 0/KVM 144;.*;vm 138|^CPU 0/KVM 143;.*;vm 136' "$T/out"

# csguest script --itrace=ig: the same chains as samples, for perf's users.
# collapse: as stackcollapse-perf.pl does: a sample is a line with an event, its frames, an empty
# line.
collapse() {
	awk '/^\t/ { f = $2; sub(/\+0x[0-9a-f]+$/, "", f); chain = chain == "" ? f : f ";" chain; next }
		/^$/ { if (chain != "") n[chain]++; chain = ""; next }
		!/: +[0-9]+ [^ ]+: *$/ { print "no sample: " $0 }
		END { for (c in n) print c, n[c] }' | sort
}
exits $status "every instruction is a sample with its chain" one_guest script --itrace=i0nsg
collapse <"$T/out" >"$T/collapsed"
hasnt "each has a line of its own" '^no sample' "$T/collapsed"
sums "$T/collapsed" >"$T/by-sample"
same "functions have as many samples as instructions" "$T/by-chain" "$T/by-sample"
is "and there are as many chains" "$(awk '{ $NF = ""; print }' "$T/folded" | sort -u | wc -l)" "$(wc -l <"$T/collapsed")"
has "with addresses, symbols and objects as perf prints them" '^	ffff80008000[0-9a-f]{4} kvm_vcpu_ioctl\+0x10 \(\[kernel.kallsyms\]\)$' "$T/out"
has "across the border" '__guest_enter.*;tick_sched_timer' "$T/collapsed"
# The real one, where there is a copy of it.
stackcollapse=${STACKCOLLAPSE_PERF:-$TOP/../shared/peers/stackcollapse-perf.pl}
if "$stackcollapse" </dev/null >/dev/null 2>&1; then
	cp "$T/out" "$T/samples"
	ok "stackcollapse-perf.pl reads them" "$stackcollapse" "$T/samples"
	cp "$T/out" "$T/real"
	sed -E '/^\t/d; /^$/d; s/ +[0-9]+ +\[.*//; s/ /_/g' "$T/samples" | sort -u >"$T/names"
	cut -d';' -f1 "$T/real" | sort -u >"$T/seen"
	same "and finds whose they are" "$T/names" "$T/seen"
	# Of what has no symbol it shows the object.
	sums <(grep -Ev '\[[^;]*\] [0-9]+$' "$T/real") | grep -v '^\[' >"$T/seen"
	grep -v '^\[' "$T/by-chain" >"$T/known"
	same "and as many instructions of each function" "$T/known" "$T/seen"
	has "with their callers" '^:-1;.*;kvm_arch_vcpu_ioctl_run;.*;__guest_enter;' "$T/real"
else
	skip "no stackcollapse-perf.pl: make check ONLY=$NAME STACKCOLLAPSE_PERF=FILE"
fi
exits $status "or not across it" one_guest script --itrace=i0nsg --stacks separate
collapse <"$T/out" >"$T/collapsed"
hasnt "then a guest has its own" '__guest_enter.*;tick_sched_timer' "$T/collapsed"
has "and it is there" 'tick_sched_timer' "$T/collapsed"
exits 2 "chains are of instructions" one_guest script --itrace=bg
