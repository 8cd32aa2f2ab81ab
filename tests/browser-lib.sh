# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# What the tests of pages source after lib.sh:
#
#	BROWSER             Chromium, or empty
#	dom PAGE FRAGMENT   $T/dom: the page as the browser has it in the end, but for its script
#	seconds NS          as the page writes them

BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
dom() {
	timeout 60 "$BROWSER" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync --user-data-dir="$T/profile.$RANDOM" \
		--window-size=1400,900 --virtual-time-budget=3000 --dump-dom "file://$1#$2" 2>"$T/browser" |
		sed '/<script type="application\/json"/,/<\/script>/d; /^<script>/,/^<\/script>/d' >"$T/dom"
}
seconds() { printf '%d.%09d' $(($1 / 1000000000)) $(($1 % 1000000000)); }
