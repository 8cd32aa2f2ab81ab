#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command is the library's first user: command/ includes public headers and its own, and the
# rooms of decoder/ that know nothing of trace: util (memory, arrays, messages) and files (what
# other programs print).
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' command/*/*.[ch] | sed -E 's|:[^"]*"([^"]*)"| \1|' |
	while read -r file header; do
		case $header in
		csguest/*) [ -e "include/$header" ] || echo "$file $header is no public header" ;;
		util/* | files/*) [ -e "decoder/$header" ] || echo "$file $header is no header" ;;
		*_page.inc) ;;
		*) [ -e "command/$header" ] || echo "$file $header" ;;
		esac
	done | sort >"$T/offenders"
none "command/ includes csguest/*.h, util/*.h, files/*.h and its own headers" "$T/offenders"

# And calls nothing but what these define and libcsguest.so exports, as any other program.
objects() { printf '%s\n' "$@" | sed "s|^|$BUILD/obj/|; s|\.c$|.o|"; }
symbols() { xargs nm -A | awk -v type="$1" '$(NF - 1) ~ type && $NF ~ /^csg_/ { print $NF }' | sort -u; }
{
	objects command/*/*.c decoder/util/*.c decoder/files/*.c | symbols '^[TDBRV]$'
	sed -n '/global:/,/local:/s/^[[:space:]]*\(csg_[a-z0-9_]*\);$/\1/p' libcsguest.map
} | sort -u >"$T/known"
objects command/*/*.c | symbols '^U$' >"$T/used"
ok "command/ uses symbols to judge" test "$(wc -l <"$T/used")" -gt 500
comm -13 "$T/known" "$T/used" >"$T/offenders"
none "command/ calls its own functions, util/, files/ and exported ones" "$T/offenders"
