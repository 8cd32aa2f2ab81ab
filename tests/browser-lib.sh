# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# What the tests of pages source after lib.sh:
#
#	BROWSER             Chromium, or empty
#	dom PAGE FRAGMENT   $T/dom: the page as the browser has it in the end, but for its script
#	paint PAGE          ms until the browser, which runs already, has painted something of the page
#	seconds NS          as the page writes them

BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
dom() {
	timeout 60 "$BROWSER" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync --user-data-dir="$T/profile.$RANDOM" \
		--window-size=1400,900 --virtual-time-budget=3000 --dump-dom "file://$1#$2" 2>"$T/browser" |
		sed '/<script type="application\/json"/,/<\/script>/d; /^<script>/,/^<\/script>/d' >"$T/dom"
}
# By the protocol of the browser's tools: each message ends with a zero byte.
paint() {
	local asked=0 answer session pid
	mkfifo "$T/asked" "$T/answered"
	"$BROWSER" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update \
		--disable-sync --user-data-dir="$T/profile.$RANDOM" --remote-debugging-pipe 3<"$T/asked" 4>"$T/answered" >"$T/browser" 2>&1 &
	pid=$!
	exec 5>"$T/asked" 6<"$T/answered"
	ask() { # METHOD PARAMETERS [SESSION]: $answer
		asked=$((asked + 1))
		printf '{"id":%d,"method":"%s","params":%s%s}\0' "$asked" "$1" "$2" "${3:+,\"sessionId\":\"$3\"}" >&5
		while read -r -d '' -t 60 answer <&6 && [ "$(jq .id <<<"$answer")" != "$asked" ]; do :; done
	}
	ask Target.createTarget '{"url":"about:blank"}'
	ask Target.attachToTarget "{\"flatten\":true,\"targetId\":$(jq .result.targetId <<<"$answer")}"
	session=$(jq -r .result.sessionId <<<"$answer")
	ask Page.navigate "{\"url\":\"file://$1\"}" "$session"
	sleep 3
	ask Runtime.evaluate '{"expression":"performance.getEntriesByName(\"first-contentful-paint\")[0].startTime"}' "$session"
	jq '.result.result.value | floor' <<<"$answer"
	ask Browser.close '{}'
	exec 5>&- 6<&-
	wait "$pid"
	rm "$T/asked" "$T/answered"
}
seconds() { printf '%d.%09d' $(($1 / 1000000000)) $(($1 % 1000000000)); }
