# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Recordings of windows, for tests/e2e/windows.sh and tests/long/windows.sh: source e2e/lib.sh
# before.
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

# make_windows VARIANT SEED WINDOW PERIOD OPTION...: $data and $truth, of $intact, and counts of
# windows, instructions and those in windows in $T/out.
make_windows() {
	data=$T/w/perf.data truth=$T/w/truth intact=$T/$name/perf$1.data whole=$T/$name/truth$1
	rm -rf "$T/w"
	mkdir "$T/w"
	cp -aL "$T/$name/perf$1.data" "$data"
	cp "$T/$name/truth$1" "$truth"
	ok "$what is made" "$windows" "${files[@]}" "${made[@]}" --seed "$2" --window "$3" --period "$4" "${@:5}" "$data" "$truth"
}

# score: of $data, as JSON in $T/out; nobody is named who was not there.  Where two windows lie in
# one loop and the owner of the first is not known, the second may be looked for in the first: a
# mismatch of 0 instructions, with status 1. What is known goes to the file $RESULTS, if that is
# set.
score() {
	"$SCORE" -q --json --truth "$truth" --whole "$whole" "${files[@]}" "${guests[@]}" "$data" >"$T/out" 2>"$T/err"
	is "$what: nobody is named who was not there, no code was wanted of who was not" 0 \
		"$(jq '.world.wrong + .vm.wrong + .process.wrong + .wrong_gaps' "$T/out")"
	is "$what: no untraced time is another's" 0 \
		"$(jq '[.untraced[] | .vm.wrong + .world.wrong] | add' "$T/out")"
	is "$what: nothing contradicts anything" 0 \
		"$("$CSGUEST" summary -q --format json "${files[@]}" "${guests[@]}" "$data" | jq .contradictions)"
	# What is looked for in another window than its own seems to be dated wrongly.
	is "$what: nothing is dated outside of its window by more than 5 us" true "$(jq '.times | .far * 10000 <= .dated' "$T/out")"
	[ -z "${RESULTS-}" ] || jq -r "[\"$what\", .instructions, .decoded, .world.right, .vm.right, .process.right + .process.switching] | @tsv" \
		"$T/out" >>"$RESULTS"
}

# traced_exits: exits with an entry of the same vCPU in the same window, by the truth: how many, and
# the longest that one can have taken.
traced_exits() {
	awk 'FNR == NR { if ($1 == "owner") { guest[$2] = $3 == "world=guest"; vcpu[$2] = $6 " " $7 } next }
		$1 " " $2 != window { window = $1 " " $2; was = out = "" }
		guest[$3] && out == vcpu[$3] { n++; if ($5 - left > most) most = $5 - left }
		guest[$3] { out = "" }
		!guest[$3] && was != "" && guest[was] { out = vcpu[was]; left = before }
		{ was = $3; before = $5 }
		END { print n + 0, most + 0 }' "$T/w/truth" "$T/w/truth.pieces"
}

# alone FILE: exits in it that nVHE's EL2, which is not traced, handles alone: they take no time,
# and the truth has none.
alone() {
	jq 'if .hypervisor == "kvm-nvhe" then
			[.rows[] | select(.exception == "trap" and .fast and .vector == null and .handler == null and .max == 0) | .exits] | add // 0
		else 0 end' "$1"
}

# check_exits [NS]: no exit is counted that no window holds, nor one as longer than it can have been
# by more than NS, as exits are dated between two timestamps; of those that EL2 handles alone no
# more than $intact has.  $exits: how many the windows hold.
check_exits() {
	local of_el2
	"$CSGUEST" exits -q --by vm --format json "${files[@]}" "${guests[@]}" "$data" >"$T/exits"
	read -r exits most < <(traced_exits)
	of_el2=$(alone "$T/exits")
	is "$what: no exit is counted that no window holds, none longer" true \
		"$(jq "([.rows[].exits] | add // 0) - $of_el2 <= $exits and ([.rows[].max] | max // 0) <= $most + ${1:-0}" "$T/exits")"
	[ "$of_el2" != 0 ] || return 0
	"$CSGUEST" exits -q --by vm --format json "${files[@]}" "${guests[@]}" "$intact" >"$T/intact-exits"
	is "$what: nor does EL2 handle more alone than in the whole" true \
		"$([ "$of_el2" -le "$(alone "$T/intact-exits")" ] && echo true)"
}

# shares SEED WINDOW PERIOD OPTION...: windows of $name, and what report --scale makes of them (man
# csguest-report, "Windows") beside the truth of the same windows and of the whole, to $T/shares:
# functions of a VM in 30 windows or more; of these, whose interval has the share of the whole; the
# overlap of all shares with those of the whole, the estimated ones, then those of the same windows
# by the truth; instructions that a function has more than by the truth, and those that are not
# decoded; how many times the whole the scaled counts are; instructions in windows.
shares() {
	make_windows "" "$1" "$2" "$3" --functions "${@:4}"
	for scale in "" --scale; do
		"$CSGUEST" report -q --by vm,dso,symbol $scale --format json "${files[@]}" "${guests[@]}" "$data" |
			jq -r '(.estimate.factor | [.] | @tsv), (.rows[] | [.vm // "?", .dso // "", .symbol // "", .instructions, .percent, .low, .high, .windows] | @tsv)' >"$T/w/rows$scale"
	done
	awk -F'\t' -v OFS='\t' '
		function smaller(a, b) { return a < b ? a : b }
		FILENAME ~ /functions$/ { function_of = $3 OFS $4 OFS $5 }
		FILENAME ~ /functions$/ && $1 == "-" { whole[function_of] += $6; all += $6; next }
		FILENAME ~ /functions$/ { part[function_of] += $6; traced += $6; next }
		FNR == 1 { factor = $1; next }
		{ function_of = $1 OFS $2 OFS $3 }
		FILENAME ~ /rows$/ { seen[function_of] += $4; decoded += $4; next }
		{ share[function_of] += $5 / 100 }
		$8 >= 30 && $1 != "?" { pairs++; truth = 100 * whole[function_of] / all; covered += $6 <= truth && truth <= $7 }
		END {
			for (f in whole) {
				estimated += smaller(share[f], whole[f] / all)
				ideal += smaller(part[f] / traced, whole[f] / all)
			}
			for (f in seen) if (f !~ /^[?]/ && seen[f] > part[f]) more += seen[f] - part[f]
			print pairs + 0, covered + 0, estimated, ideal, more + 0, traced - decoded, factor * decoded / all, traced
		}' "$T/w/truth.functions" "$T/w/rows" "$T/w/rows--scale" >"$T/shares"
}

# check_shares SEEDS WINDOW PERIOD OPTION...: of all seeds together.  No function has more than by
# the truth of the same windows; 90 to 99 percent of the intervals have the share of the whole, as
# those of 95 percent should; the estimated shares overlap with the whole's within 0.01 of the same
# windows' by the truth.  Prints a line of $SHARES, if that is set.
check_shares() {
	local seed what="$name in windows of $2 of $3 instructions${4+ (}${*:4}${4+)}"
	for seed in $1; do
		shares "$seed" "${@:2}"
		cat "$T/shares" >>"$T/all-shares"
	done
	is "$what: no function has more than by the truth" 0 "$(awk '{ n += $5 } END { print n + 0 }' "$T/all-shares")"
	is "$what: 90 to 99 percent of intervals have the share of the whole" true \
		"$(awk '{ n += $1; k += $2 } END { print (n > 100 && k >= 0.9 * n && k <= 0.99 * n) ? "true" : k + 0 " of " n + 0 }' "$T/all-shares")"
	is "$what: the estimate is as near to the whole as an ideal sample, within 0.01" true \
		"$(awk '$3 < $4 - 0.01 { bad = bad " " $3 "/" $4 } END { print bad == "" ? "true" : bad }' "$T/all-shares")"
	[ -z "${SHARES-}" ] || awk -v what="$what" -v OFS='\t' '{ n += $1; k += $2; e += $3; i += $4; l += $6 / $8; f += $7 }
		END { printf "%s\t%d\t%.1f\t%.4f\t%.4f\t%.2f\t%.2f\n", what, n, 100 * k / n, e / NR, i / NR, 100 * l / NR, f / NR }' "$T/all-shares" >>"$SHARES"
	rm "$T/all-shares"
}
