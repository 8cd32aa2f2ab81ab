#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# usage: assemble.sh [--check] [FILE...]
# Assembles the code of scenarios (all of them by default) with binutils-aarch64-linux-gnu and
# stores labels and bytes at the end of each file, so that the tests need no cross binutils.
# --check changes nothing: it names the files whose bytes are not those of their code.
set -euo pipefail
export LC_ALL=C
check=
[ "${1-}" != --check ] || { check=1 && shift; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- "$(dirname "$0")"/*.scn "$(dirname "$0")"/base/*

bytes() { # NAME SOURCE: labels and words by offset
	aarch64-linux-gnu-as -march=armv8.2-a -o "$work/o" "$2"
	aarch64-linux-gnu-objcopy -O binary -j .text "$work/o" "$work/bin"
	echo "bytes $1"
	{
		aarch64-linux-gnu-nm "$work/o" | awk '$2 ~ /[tT]/ && $3 !~ /^\$/ { print $1, "0", $3 ":" }'
		od -An -v -w4 -tx4 "$work/bin" | awk '$1 != "00000000" { printf "%016x 1 %s\n", (NR - 1) * 4, $1 }'
	} | sort | awk '
		function flush() { if (line != "") print line; line = "" }
		{ at = $1; sub(/^0+/, "", at); if (at == "") at = "0" }
		$2 == 0 { flush(); print "\t" at "\t" $3; next }
		{
			n = NR
			if (line == "" || words == 8 || $1 != follows) { flush(); line = "\t" at "\t" $3; words = 1 }
			else { line = line " " $3; words++ }
			follows = after($1)
		}
		END { flush() }
		# The next offset, as text; files are shorter than 16 MiB.
		function after(hex,   digits, i, v) {
			digits = "0123456789abcdef"
			for (i = 11; i <= 16; i++) v = v * 16 + index(digits, substr(hex, i, 1)) - 1
			return sprintf("%016x", v + 4)
		}'
}

status=0
for file; do
	grep -q '^code ' "$file" || continue
	rm -f "$work"/*.S
	awk -v work="$work" '
		/^code / && $3 == "at" { name = $2; print name; next }
		/^[^ \t#]/ { name = "" }
		name != "" { print > (work "/" name ".S") }' "$file" >"$work/names"
	{
		awk '/^bytes / { skip = 1; next } skip && /^[ \t]/ { next } { skip = 0; print }' "$file"
		while read -r name; do
			bytes "$name" "$work/$name.S"
		done <"$work/names"
	} >"$work/new"
	cmp -s "$work/new" "$file" && continue
	if [ -n "$check" ]; then
		echo "$file: bytes are not those of its code: run tests/scenarios/assemble.sh"
		status=1
	else
		cat "$work/new" >"$file"
	fi
done
exit $status
