# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Damaged recordings, for tests/e2e/locality.sh and tests/long/locality.sh: source e2e/lib.sh
# before.

# unpack NAME: the recording, with $files and $guests for tests/tools/locality, and $made for
# tests/tools/windows.
unpack() {
	local file
	name=$1
	mkdir "$T/$name"
	ok "$name unpacks" tar --zstd -C "$T/$name" -xf "$TRACES/$name/$name.tar.zst"
	files=(--symfs "$T/$name/symfs" --buildid-dir "$T/$name/buildid")
	[ ! -d "$T/$name/guestmount" ] || files+=(--guestmount "$T/$name/guestmount")
	guests=() made=()
	for file in "$T/$name"/guest-*.data; do
		[ -e "$file" ] || continue
		guests+=(--guest "${file##*-},pid=$(basename "${file##*-}" .data),perf=$file")
		made+=(--guest "$file" "$(basename "${file##*-}" .data)")
	done
}

# synchronise VARIANT: perf-VARIANT-sync.data, the same recording with an A-Sync every 4096 bytes
# (TRCSYNCPR), and its truth. The recordings of traces/ have one each: after a marked loss no
# decoder can go on there.
synchronise() {
	local data=$T/$name/perf$1-sync.data
	mkdir "$data"
	cp "$T/$name/perf$1.data/data" "$data"
	(cd "$data" && ln -s ../perf.data/kcore_dir* .)
	cp "$T/$name/truth$1" "$T/$name/truth$1-sync"
	ok "$name$1 gets periodic A-Syncs" "$BUILD/tools/windows-fast" --whole --sync 4096 "${files[@]}" "${made[@]}" "$data" "$T/$name/truth$1-sync"
}

# in_windows VARIANT OPTION...: perf-VARIANT-windows.data, windows of the same recording, and their
# truth.
in_windows() {
	local data=$T/$name/perf$1-windows.data
	rm -rf "$data"
	cp -a "$T/$name/perf$1.data" "$data"
	cp "$T/$name/truth$1" "$T/$name/truth$1-windows"
	ok "$name$1 is cut into windows" "$BUILD/tools/windows-fast" "${@:2}" "${files[@]}" "${made[@]}" "$data" "$T/$name/truth$1-windows"
}

# without_ids VARIANT: perf-VARIANT-no-ids.data, the same recording as a core without context IDs
# would trace it, and its truth.
without_ids() {
	local data=$T/$name/perf$1-no-ids.data
	cp -a "$T/$name/perf$1.data" "$data"
	cp "$T/$name/truth$1" "$T/$name/truth$1-no-ids"
	ok "$name$1 loses its context IDs" "$BUILD/tools/less" contexts "$data/data" "$T/$name/perf$1.data"
}

# locality VARIANT: damages the recording as the lines of $T/plan say; the results are $T/out.
locality() {
	rm -rf "$T/$name/damaged"
	cp -a "$T/$name/perf$1.data" "$T/$name/damaged"
	ok "$name$1 is damaged in one place after the other" "$BUILD/tools/locality-fast" --truth "$T/$name/truth$1" \
		--damaged "$T/$name/damaged" --data data --tools "$BUILD/tools" --plan "$T/plan" "${files[@]}" "${guests[@]}" \
		"$T/$name/perf$1.data"
	is "$name$1: every place has a result" "$(grep -c . "$T/plan")" "$(grep -c . "$T/out")"
}

# Columns of a result; "silent" damage is not marked, of "trace" or sideband. Sideband that stays
# consistent with itself ("lie whole", "skipped" and "late") is a class of its own: it is counted,
# and nothing is claimed of it.
#	1 plan  2 queue  3 byte  4 beyond  5 lost  6 less known  7 wrong  8 wrong, not reported  9 reported  10 wrong inside
#	11 contradictions

# wrong_beyond FILE: places where an instruction beyond the damage is wrong and csguest does not say
# that sources contradict each other.
wrong_beyond() { awk -F'\t' "$claimed"' && $8 > 0' "$1"; }
claimed='$1 !~ /^lie (whole|skipped|late)/'

# wrong_at_all FILE: places of damage that is marked, or of sideband, where an instruction is wrong,
# inside included.
wrong_at_all() { awk -F'\t' "$claimed"' && ($1 ~ /^trace lost/ || $1 !~ /^trace/) && $7 + $10 > 0' "$1"; }

# reported FILE: the shares of the instructions beyond that lie in reported contradictions, in
# percent, sorted.
reported() { awk -F'\t' "$claimed"' && $4 { printf "%.4f\n", 100 * $9 / $4 }' "$1" | sort -n; }

# median: of sorted numbers.
median() { awk '{ n[NR] = $1 } END { print NR ? n[int((NR + 1) / 2)] : 0 }'; }
