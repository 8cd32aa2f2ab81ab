#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Emulated recordings without context IDs, without timestamps, or with few of them: guests'
# processes are named by the order of their switches, at least 99 % of the guests' user code (99.5 %
# with few timestamps), and none wrongly. Takes 30 s.
. "$(dirname "$0")/lib.sh"
need jq
less=$BUILD/tools/less

# score OPTION...: of $data, as JSON in $T/out.
score() {
	"$SCORE" -q --json --truth "$T/$name/truth$variant" --symfs "$T/$name/symfs" --buildid-dir "$T/$name/buildid" \
		--guestmount "$T/$name/guestmount" "${guests[@]}" "$@" "$data"
}

for name in two-guests smp-guest; do
	mkdir "$T/$name"
	ok "$name unpacks" tar --zstd -C "$T/$name" -xf "$TRACES/$name/$name.tar.zst"
	guests=()
	for file in "$T/$name"/guest-*.data; do
		guests+=(--guest "${file##*-},pid=$(basename "${file##*-}" .data),perf=$file")
	done
	for variant in '' -ete; do
		[ -e "$T/$name/perf$variant.data" ] || continue
		for what in contexts timestamps "often 2" "often 20"; do
			left=0.99 words=($what)
			[ ${#words[@]} = 1 ] || left=0.995
			data=$T/$name/less.data
			rm -rf "$data"
			cp -a "$T/$name/perf$variant.data" "$data"
			ok "$name$variant has $what" "$less" "${words[0]}" "$data/data" "$data" "${words[@]:1}"
			ok "$name$variant without $what is decoded" score
			is "$name$variant without $what: nobody is named who was not there, nothing decoded that did not run" 0 \
				"$(jq '.world.wrong + .vm.wrong + .process.wrong + .mismatches + .wrong_gaps' "$T/out")"
			is "$name$variant without $what: of the guests' user code $left and more have their process" true \
				"$(jq "[.owners[] | select(.owner.world == \"guest\" and .owner.el == 0)] | length > 0 and
					([.[].process.right] | add) >= $left * ([.[].instructions] | add)" "$T/out")"
		done
	done
	rm -rf "${T:?}/$name"
done
