#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Small files that ask for much memory or time (tests/tools/bomb.c): what is bounded stays so, what
# is refused says why. Takes 16 s.
. "$(dirname "$0")/lib.sh"
bomb=$BUILD/tools/bomb
[ -x "$bomb" ] || skip_all "$bomb is not built"

# within KB COMMAND...: with no more address space than that.
within() { (ulimit -v "$1" && shift && exec "$@"); }

# Memory of a queue is given back when it was decoded: 4,000 at once would take twice as much.
ok "a recording of 4,000 queues" "$bomb" queues 4000 "$T/queues"
for words in "report -j 1" "report -j 3" "export --csv - -j 2"; do
	# shellcheck disable=SC2086
	exits 20 "$words: 4,000 queues in 900 MB" within 900000 "$CSGUEST" $words -q "$T/queues"
	is "$words: without an error" "" "$(cat "$T/err")"
done
# What goes by time opens all of them: each takes what its few bytes need.
exits 20 "summary: 4,000 queues in 220 MB" within 220000 "$CSGUEST" summary -q "$T/queues"
is "summary: without an error" "" "$(cat "$T/err")"

# What is done for each queue does not look at all others: 20,000 took over 90 s when it did, and
# take one.
ok "a recording of 20,000 queues" "$bomb" queues 20000 "$T/queues"
for words in report "export --csv -"; do
	# shellcheck disable=SC2086
	exits 20 "$words: 20,000 queues in 1,200 MB" within 1200000 "$CSGUEST" $words -j 1 -q "$T/queues"
	is "$words: without an error" "" "$(cat "$T/err")"
done
rm "$T/queues"

# A million records take 63 bytes each, compressed ones what perf makes of them at most.
ok "a recording of a million records" "$bomb" events 1000000 "$T/events"
exits 13 "a million records in 300 MB" within 300000 "$CSGUEST" info -q "$T/events"
ok "80 KB that expand to 128 MB" "$bomb" zstd 128 "$T/zstd"
exits 21 "compressed records that expand a thousand times, in 300 MB" within 300000 "$CSGUEST" info "$T/zstd"
has "file, offset and remedy are named" "^csguest: warning: $T/zstd, offset 0x[0-9a-f]+: compressed records expand to more than 128 times" "$T/err"
has "and what is used" 'remedy: what comes before is used' "$T/err"

# ELF: the code is used as ever, whatever the rest of the file says.
use_fixture
"$CSGUEST" report -q --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" "$fixture/perf.data" >"$T/plain" 2>&1
status=$?
for kind in "sections 60000000" "overlap 5000" "inflate 256" "lines 5" "ranges 60" "abbrevs 4000000" "units 400000"; do
	# shellcheck disable=SC2086
	ok "$kind: the file is made" "$bomb" $kind "$T/elf"
	rm -f "$T/sys/usr/sbin/sshd"
	ln "$T/elf" "$T/sys/usr/sbin/sshd"
	exits 19 "$kind: as a program, in 400 MB" within 400000 "$CSGUEST" script -q -j 1 --itrace=i10i -F +srcline --symfs "$T/sys" \
		--vmlinux "$fixture/host/vmlinux" "$fixture/perf.data"
	echo 10000200 | "$BUILD/tools/symbols" -l "$T/elf" >"$T/line" 2>"$T/err"
	is "$kind: an address has no line" "10000200" "$(sed 's/ .*//' "$T/line")"
	case $kind in
	inflate*) has "its section is named" "$T/elf: a compressed section expands to more than 64 times its size" "$T/err" ;;
	lines*) has "its unit is named" "$T/elf: the line program of a unit .* is longer than 4 MB" "$T/err" ;;
	ranges*) has "its units are" "$T/elf: units have more ranges of code than the file has bytes" "$T/err" ;;
	abbrevs*) has "its abbreviations are" "$T/elf: units have more abbreviations before those that they begin with" "$T/err" ;;
	units*) has "its units are" "$T/elf: the file has more units than one for each 256 bytes" "$T/err" ;;
	*) is "$kind: nothing is wrong with that" "" "$(cat "$T/err")" ;;
	esac
	rm "$T/elf"
done

# Of units that share a line program, as many have lines as the file's size warrants.
lines_of() { # UNITS: those of the first instruction of each
	"$bomb" shared "$1" "$T/elf" && seq 0 $(($1 - 1)) | awk '{ printf "%x\n", 268435456 + 120 + 4 * $1 }' >"$T/addresses" &&
		"$BUILD/tools/symbols" -l "$T/elf" <"$T/addresses" >"$T/line" 2>"$T/err"
}
ok "20 units share a line program" lines_of 20
is "each has its line" 20 "$(grep -c ' a:[0-9]*$' "$T/line")"
ok "500 units do" lines_of 500
is "as many have one as a megabyte allows" 38 "$(grep -c ' a:[0-9]*$' "$T/line")"
has "why not all is said" "$T/elf: the line programs of units, up to this offset of .debug_line, are longer than the file" "$T/err"

# What libdw cannot expand is said, once; a libdw that can has the line.
ok "a line program compressed with zstd" "$bomb" lines-zstd 10 "$T/elf"
printf '%s\n' 10000078 1000007c | "$BUILD/tools/symbols" -l "$T/elf" >"$T/line" 2>"$T/err"
if grep -q ' a:12$' "$T/line"; then
	is "its lines are found" "" "$(cat "$T/err")"
else
	has "is named with libdw's version" "^symbols: $T/elf: libdw [0-9.]+ cannot expand debug information of compression type 2 \(zstd\)" "$T/err"
	is "once" 1 "$(grep -c . "$T/err")"
fi
rm "$T/elf"
use_fixture
exits $status "the same without them" "$CSGUEST" report -q --symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" "$fixture/perf.data"
cat "$T/err" >>"$T/out"
same "reads as before" "$T/plain" "$T/out"

# Trace of a pipe is kept in --tmpdir: a disk that is full.
ok "a recording as perf record -o - writes it" "$bomb" pipe 2000 "$T/pipe"
whole() { # SIZE: --tmpdir is a disk of that size
	unshare -m bash -c 'mount -t tmpfs -o size="$1" none "$2" || exit 99
		cat "$3" | "$4" report -q --tmpdir "$2" -' - "$1" "$T/small" "$T/pipe" "$CSGUEST"
}
mkdir "$T/small"
if unshare -m mount -t tmpfs -o size=16k none "$T/small" 2>/dev/null; then
	exits 20 "trace of a pipe is kept" whole 1m
	exits 4 "a full disk for it is an error" whole 16k
	has "and the remedy is named" 'remedy: set TMPDIR to a directory with room' "$T/err"
else
	skip "no tmpfs can be mounted: a full disk for the trace of a pipe"
fi

# What may not be read is named, as a user who is not root.
cp "$fixture/perf.data" "$T/secret"
chmod 000 "$T/secret"
if [ "$(id -u)" -ne 0 ]; then
	as_user() { "$@"; }
else
	as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	chmod 755 "$T"
fi
if as_user test -r "$fixture/perf.data" 2>/dev/null && as_user "$CSGUEST" --version >/dev/null 2>&1; then
	exits 4 "a recording that may not be read" as_user "$CSGUEST" report "$T/secret"
	has "is named with the reason" "^csguest: error: $T/secret: Permission denied" "$T/err"
	as_user "$CSGUEST" report --vmlinux "$T/secret" --buildid-dir /nonexistent --symfs "$T/sys" "$fixture/perf.data" >"$T/out" 2>"$T/err"
	has "so is an image" "^csguest: warning: $T/secret: " "$T/err"
else
	skip "nobody cannot read $fixture or run $CSGUEST: files that may not be read"
fi
