#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of windows, made from those that were traced without a break: strobed or paused and resumed, of 128 to
# 16384 instructions, formatted and raw, with and without context IDs, timestamps after Trace On, return stack.  Nobody is
# named who was not there, nothing is decoded that did not run, and both engines say the same.
# Takes 35 s.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "no jq"
windows=$BUILD/tools/windows-fast

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

# one VARIANT SEED WINDOW PERIOD KNOWN OPTION...: at least KNOWN percent of it have a VM that is known.
one() {
	local data=$T/w/perf.data truth=$T/w/truth variant=$1 seed=$2 window=$3 period=$4 known=$5 what exits most
	shift 5
	what="$name$variant in windows of $window of $period instructions${1+ (}$*${1+)}"
	rm -rf "$T/w"
	mkdir "$T/w"
	cp -aL "$T/$name/perf$variant.data" "$data"
	cp "$T/$name/truth$variant" "$truth"
	ok "$what is made" "$windows" "${files[@]}" "${made[@]}" --seed "$seed" --window "$window" --period "$period" "$@" "$data" "$truth"
	ok "$what has windows" awk '$1 < 20 || $3 * 10 > $2 * 9 { exit 1 }' "$T/out"
	ok "$what is decoded" "$CSGUEST" score -q --json --truth "$truth" "${files[@]}" "${guests[@]}" "$data"
	is "$what: nobody is named who was not there, nothing decoded that did not run" 0 \
		"$(jq '.world.wrong + .vm.wrong + .process.wrong + .mismatches + .wrong_gaps' "$T/out")"
	is "$what: the VM of $known percent is known" true "$(jq ".vm.right * 100 >= $known * .instructions" "$T/out")"
	"$CSGUEST" exits -q --by vm --format json "${files[@]}" "${guests[@]}" "$data" >"$T/exits"
	read -r exits most < <(traced_exits)
	is "$what: no exit is counted that no window holds, none longer" true \
		"$(jq "([.rows[].exits] | add // 0) <= $exits and ([.rows[].max] | max // 0) <= $most" "$T/exits")"
	[ "$most" = 0 ] || [ "$name" = nvhe ] || [ "${*/no-ids/}" != "$*" ] || [ "$variant" = -bare ] ||
		is "$what: most are" true "$(jq "([.rows[].exits] | add // 0) * 2 >= $exits" "$T/exits")"
	for engine in fast opencsd; do
		"$CSGUEST" report -q --engine=$engine --format csv --by world,vm,vcpu,thread,el,witness,reason "${files[@]}" "${guests[@]}" \
			"$data" >"$T/w/$engine"
	done
	same "$what: the engines say the same" "$T/w/opencsd" "$T/w/fast"
}

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

unpack two-guests
one "" 1 256 5000 80 --time
one "" 2 512 5000 80 --paused
one "" 3 1024 20000 80 --paused --time --stack
one "" 4 4096 10000 80 --stack
one "" 5 500 4000 70 --no-ids
one "" 6 2048 20000 70 --no-ids --paused --time
one -ete 7 256 4000 80
one -ete 8 1000 30000 80 --paused --time
one -ete 9 16384 40000 80 --stack
one -bare 10 1024 5000 30
one -bare 11 8192 20000 30 --paused
unpack smp-guest
one "" 12 128 2000 75 --time
one "" 13 512 9000 75 --paused --stack
one "" 14 4096 50000 75 --time
one "" 15 1024 8000 70 --no-ids --time
unpack nvhe
one "" 16 1024 5000 3 --time
one "" 17 2048 20000 3 --paused --time
one "" 18 8192 20000 3 --stack
one "" 19 512 8000 0 --no-ids
one "" 20 16384 40000 3 --paused --time --stack
