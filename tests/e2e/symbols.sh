#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The symbol at an address is the one that perf script names: all over the text of programs,
# libraries, the vdso and the kernel of the recordings.
. "$(dirname "$0")/lib.sh"
need_perf
command -v aarch64-linux-gnu-readelf >/dev/null || skip_all "no aarch64-linux-gnu-readelf (package binutils-aarch64-linux-gnu)"
SYMBOLS=$BUILD/tools/symbols
BASE=$((0x10000000)) # where the tool maps a file

# addresses FROM BYTES STEP [PREFIX]: one per line, hexadecimal.
addresses() { seq "$1" "$3" $(($1 + $2 - 1)) | xargs printf "${4-}%x\\n"; }

# text FILE STEP: addresses in the executable segments, but for the header of .plt: perf names it
# since 6.4.  The same goes for all of a static program's .plt and the gap after it.
text() {
	local type offset size rest plt=0 end=0 name
	read -r plt end < <(aarch64-linux-gnu-readelf -SW "$1" | sed -nE 's/.* \.plt +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/\1 \2/p')
	plt=$((0x${plt:-0})) end=$((0x${end:-0} + 64))
	aarch64-linux-gnu-readelf -SW "$1" | grep -q '\.dynsym' && end=32
	[ $plt -ne 0 ] || end=0
	aarch64-linux-gnu-readelf -lW "$1" | while read -r type offset _ _ size _ rest; do
		name=${rest% 0x*}
		[ "$type" = LOAD ] && [[ $name = *E* ]] && addresses $((BASE + offset)) $((size)) "$2"
	done | awk -v from=$((BASE + plt)) -v to=$((BASE + plt + end)) '
		function value(hex,  i, n) { for (i = 1; i <= length(hex); i++) n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return n }
		{ v = value($1) } v < from || v >= to'
}

# agree SENTENCE LEAST: perf's names in $T/perf are ours in $T/ours, and there are at least this
# many.
agree() {
	ok "$1: there is something to compare" test "$(grep -vc '\[unknown\]' "$T/perf")" -ge "$2"
	same "$1: perf and csguest name the same (<: perf, >: csguest)" "$T/perf" "$T/ours"
}
# perf 6.1 calls an entry of .plt without a name "@plt"; later ones, and csguest, by its offset.
lines() { sed -E 's/^ +//; s/ +/ /; s/ offset_0x[0-9a-f]+@plt/ @plt/'; }

# user NAME FILE STEP LEAST
user() {
	text "$2" "$3" >"$T/addresses"
	"$SYMBOLS" -w "$T/data" "$2" <"$T/addresses"
	perf --buildid-dir "$T/none" script -i "$T/data" -F ip,sym,symoff 2>"$T/log" | lines >"$T/perf"
	"$SYMBOLS" "$2" <"$T/addresses" | lines >"$T/ours"
	agree "$1" "$4"
}

# kernel NAME REFERENCE KALLSYMS_OF_BOTH
kernel() {
	"$SYMBOLS" -r "$2" -w "$T/data" '[kernel.kallsyms]' <"$T/addresses"
	perf --buildid-dir "$T/none" script -i "$T/data" --kallsyms "$3" -F ip,sym,symoff 2>"$T/log" | lines >"$T/perf"
	"$SYMBOLS" -r "$2" -s "$3" '[kernel.kallsyms]' <"$T/addresses" | lines >"$T/ours"
	agree "$1" 20000
}

if [ -e "$CAPTURES/n1sdp" ]; then
	mkdir "$T/archive"
	tar -C "$T/archive" -xjf "$CAPTURES/n1sdp/sort_single_thread/perf.data.tar.bz2"
	user "a static program" "$T"/archive/home/*/target/*/sort/*/elf 4 100000
	user "the vdso of Linux 5.18" "$T"/archive/'[vdso]'/*/vdso 4 100
else
	no_captures
fi

mkdir "$T/two-guests"
tar -C "$T/two-guests" --zstd -xf "$TRACES/two-guests/two-guests.tar.zst"
user "libc, stripped" "$T/two-guests/symfs/lib/aarch64-linux-gnu/libc.so.6" 16 25000
user "a large program, stripped" "$T/two-guests/symfs/bin/qemu-system-aarch64" 256 10000
user "a static program of ours" "$T/two-guests/symfs/bin/chat" 16 20000
# A name of its own: beside a kcore perf would take that.
cp "$T/two-guests/perf.data/kcore_dir/kallsyms" "$T/symbols"
addresses $((0x80010000)) $((0x1d80000)) 772 ffff8000 >"$T/addresses"
kernel "the kernel of a boot" _text=ffff800080000000 "$T/symbols"
addresses $((0x81210000)) $((0x1d80000)) 772 ffff8000 >"$T/addresses"
kernel "the same kernel in another boot" _text=ffff800081200000 "$T/symbols"
