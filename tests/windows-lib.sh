# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Recordings of windows, for tests/e2e/windows.sh and tests/long/windows.sh: source e2e/lib.sh before.
windows=$BUILD/tools/windows-fast

# unpack NAME: the recording, with $files and $guests for csguest and $made for windows.
unpack() {
	local file
	name=$1
	mkdir "$T/$name"
	ok "$name unpacks" tar --zstd -C "$T/$name" -xf "$TRACES/$name/$name.tar.zst"
	files=(--symfs "$T/$name/symfs" --buildid-dir "$T/$name/buildid" --guestmount "$T/$name/guestmount")
	guests=() made=()
	for file in "$T/$name"/guest-*.data; do
		guests+=(--guest "${file##*-},pid=$(basename "${file##*-}" .data),perf=$file")
		made+=(--guest "$file" "$(basename "${file##*-}" .data)")
	done
}

# make_windows VARIANT SEED WINDOW PERIOD OPTION...: $data and $truth, and counts of windows, instructions and those in windows
# in $T/out.
make_windows() {
	data=$T/w/perf.data truth=$T/w/truth whole=$T/$name/truth$1
	rm -rf "$T/w"
	mkdir "$T/w"
	cp -aL "$T/$name/perf$1.data" "$data"
	cp "$T/$name/truth$1" "$truth"
	ok "$what is made" "$windows" "${files[@]}" "${made[@]}" --seed "$2" --window "$3" --period "$4" "${@:5}" "$data" "$truth"
}

# score: of $data, as JSON in $T/out; nobody is named who was not there.  Where two windows lie in one loop and the owner of
# the first is not known, the second may be looked for in the first: a mismatch of 0 instructions, with status 1.
# What is known goes to the file $RESULTS, if that is set.
score() {
	"$SCORE" -q --json --truth "$truth" --whole "$whole" "${files[@]}" "${guests[@]}" "$data" >"$T/out" 2>"$T/err"
	is "$what: nobody is named who was not there, no code was wanted of who was not" 0 \
		"$(jq '.world.wrong + .vm.wrong + .process.wrong + .wrong_gaps' "$T/out")"
	is "$what: no untraced time is another's" 0 \
		"$(jq '[.untraced[] | .vm.wrong + .world.wrong] | add' "$T/out")"
	# What is looked for in another window than its own seems to be dated wrongly.
	is "$what: nothing is dated outside of its window by more than 5 us" true "$(jq '.times | .far * 10000 <= .dated' "$T/out")"
	[ -z "${RESULTS-}" ] || jq -r "[\"$what\", .instructions, .decoded, .world.right, .vm.right, .process.right + .process.switching] | @tsv" \
		"$T/out" >>"$RESULTS"
}

# traced_exits: exits with an entry of the same vCPU in the same window, by the truth: how many, and the longest that
# one can have taken.
traced_exits() {
	awk 'FNR == NR { if ($1 == "owner") { guest[$2] = $3 == "world=guest"; vcpu[$2] = $6 " " $7 } next }
		$1 " " $2 != window { window = $1 " " $2; was = out = "" }
		guest[$3] && out == vcpu[$3] { n++; if ($5 - left > most) most = $5 - left }
		guest[$3] { out = "" }
		!guest[$3] && was != "" && guest[was] { out = vcpu[was]; left = before }
		{ was = $3; before = $5 }
		END { print n + 0, most + 0 }' "$T/w/truth" "$T/w/truth.pieces"
}

# check_exits [NS]: no exit is counted that no window holds, nor one as longer than it can have been by more than NS, as exits
# are dated between two timestamps.  $exits: how many the windows hold.
check_exits() {
	"$CSGUEST" exits -q --by vm --format json "${files[@]}" "${guests[@]}" "$data" >"$T/exits"
	read -r exits most < <(traced_exits)
	is "$what: no exit is counted that no window holds, none longer" true \
		"$(jq "([.rows[].exits] | add // 0) <= $exits and ([.rows[].max] | max // 0) <= $most + ${1:-0}" "$T/exits")"
}
