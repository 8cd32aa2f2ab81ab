#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The committed recordings agree with their truth, and the comparison notices when they do not.
# Takes 23 s.
. "$(dirname "$0")/lib.sh"

# With sanitizers whatever is committed, without them the many changes to the trace of one.
fixcheck=$BUILD/record/fixcheck fast=$BUILD/record/fixcheck-fast
ok "the comparison is built" make -s -j2 -C "$TRACES/record" WORK="$BUILD/record" "$fixcheck" "$fast"
[ -x "$fixcheck" ] && [ -x "$fast" ] || exit 1

# spoil SENTENCE SED: a truth changed so is distinguished from the trace.
spoil() {
	sed -E "$2" "$T/truth" >"$T/rec/truth"
	cmp -s "$T/truth" "$T/rec/truth" && fail "$1: nothing changed"
	exits 1 "$1" "$fixcheck" "$T/rec"
	cp "$T/truth" "$T/rec/truth"
}

for recording in "$TRACES"/*/*.tar.zst; do
	name=$(basename "$recording" .tar.zst)
	rm -rf "$T/rec"
	mkdir "$T/rec"
	ok "$name: unpacks" tar --zstd -C "$T/rec" -xf "$recording"
	ok "$name: holds what its MANIFEST says" \
		bash -c "cd '$T/rec' && grep -v -e '^#' -e raw.zst '$(dirname "$recording")/MANIFEST' | sha256sum --quiet -c"
	ok "$name: decodes to the truth's instructions, levels, threads and times" "$fixcheck" "$T/rec"
	has "$name: every instruction is there" '0 differences' "$T/out"
	for variant in "$T/rec"/truth-*; do
		variant=${variant##*/truth-}
		[ -e "$T/rec/truth-$variant" ] || continue
		ok "$name: so does its variant $variant" "$fixcheck" "$T/rec" "$variant"
	done
	[ "$name" = two-guests ] || continue

	cp "$T/rec/truth" "$T/truth"
	spoil "$name: a run of another address is noticed" '0,/^run 5 /s/^run 5 ([0-9]+) ([0-9a-f]+)/run 5 \1 1\2/'
	spoil "$name: a run of another length is noticed" '0,/^run 6 [0-9]+ /s//run 6 9999 /'
	spoil "$name: a guest user for its kernel is noticed" '0,/^run 5 /s//run 4 /'
	spoil "$name: another counter offset is noticed" 's/cntvoff=[0-9]+/cntvoff=1/'
	spoil "$name: another exception level is noticed" 's/^(owner 5 .*) el=1/\1 el=2/'
	spoil "$name: another vCPU thread is noticed" 's/^(owner 4 .*host_tid=)[0-9]+/\11/'

	# Every eighth timestamp in which many bits are sent, because a vCPU was loaded or put,
	# later or earlier by half a millisecond.  Residencies last less.
	"$CSGUEST" dump --packets -q "$T/rec/perf.data" >"$T/packets"
	awk '/^# stream/ { split($5, a, ","); q = a[1]; split($7, a, ","); id = a[1]; last = ""; next }
		/I_TIMESTAMP/ { match($0, /Idx:[0-9]+/); i = substr($0, RSTART + 4, RLENGTH - 4)
			match($0, /0x[0-9A-Fa-f]+/); v = substr($0, RSTART, RLENGTH - 6)
			if (last != "" && v != last && ++n % 8 == 0) print q, id, i
			last = v }' "$T/packets" >"$T/times"
	is "$name: timestamps jump often" true "$([ "$(wc -l <"$T/times")" -gt 10 ] && echo true)"
	cp "$T/rec/perf.data/data" "$T/data"
	while read -r queue id index; do
		ok "$name: the timestamp at $index can be changed" \
			"$BUILD/tools/spoil" "$T/rec/perf.data" "$T/rec/perf.data/data" "$queue" "$id" "$index" 3 2
		exits 1 "$name: the timestamp at $index, shifted, is noticed" "$fast" "$T/rec"
		has "$name: as a time" 'lies outside of' "$T/out"
		cp "$T/data" "$T/rec/perf.data/data"
	done <"$T/times"

	# Return addresses of exceptions, of each kind and form of packet: each decides how far the
	# code before it ran. Where an exception comes at a branch's target before anything ran
	# there ("Match Prev"), no instruction is other.
	awk '/^# stream/ { split($5, a, ","); q = a[1]; split($7, a, ","); id = a[1]; next }
		/I_EXCEPT :/ { form = $0; sub(/.*Exception\.; */, "", form); sub(/;\)$/, "", form); next }
		form && /I_ADDR/ { match($0, /Idx:[0-9]+/); i = substr($0, RSTART + 4, RLENGTH - 4)
			match($0, /I_ADDR_[A-Z0-9_]+/)
			if (n[form = form " " substr($0, RSTART, RLENGTH)]++ % 60 == 1) print q, id, i, form ~ /Match Prev/ ? 0 : 1 }
		{ form = "" }' "$T/packets" >"$T/returns"
	is "$name: there are exceptions of many kinds" true "$([ "$(wc -l <"$T/returns")" -ge 15 ] && echo true)"
	is "$name: at branch targets as well" true "$(grep -q ' 0$' "$T/returns" && echo true)"
	while read -r queue id index matters; do
		ok "$name: the return address at $index can be changed" \
			"$BUILD/tools/spoil" "$T/rec/perf.data" "$T/rec/perf.data/data" "$queue" "$id" "$index" 1 2
		exits "$matters" "$name: changed, that is noticed where something ran ($matters)" "$fast" "$T/rec"
		cp "$T/data" "$T/rec/perf.data/data"
	done <"$T/returns"

	# One bit in the middle of the first AUX area.
	size=$(stat -c %s "$T/rec/perf.data/data")
	byte=$(od -An -tu1 -j $((size / 3)) -N1 "$T/rec/perf.data/data")
	printf '%b' "\\0$(printf %o $((byte ^ 4)))" |
		dd of="$T/rec/perf.data/data" bs=1 seek=$((size / 3)) conv=notrunc status=none
	exits 1 "$name: a changed bit of the trace is noticed" "$fixcheck" "$T/rec"
done
