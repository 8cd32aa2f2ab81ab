#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command is the library's first user: command/ includes public headers and its own, and the rooms of
# decoder/ that know nothing of trace: util (memory, arrays, messages) and files (what other programs print).  Other includes that are left are listed in
# command-internal.txt; the list may only get shorter.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

listed=tests/lint/command-internal.txt
grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' command/*/*.[ch] | sed -E 's|:[^"]*"([^"]*)"| \1|' |
	while read -r file header; do
		case $header in
		csguest/*) [ -e "include/$header" ] || echo "$file $header is no public header" ;;
		util/* | files/*) [ -e "decoder/$header" ] || echo "$file $header is no header" ;;
		*_page.inc) ;;
		*) [ -e "command/$header" ] || echo "$file $header" ;;
		esac
	done | sort >"$T/internal"
grep -v '^#' "$listed" | sort >"$T/listed"
comm -23 "$T/internal" "$T/listed" >"$T/offenders"
none "command/ includes csguest/*.h, util/*.h, files/*.h and its own headers, but for what $listed lists" "$T/offenders"
comm -13 "$T/internal" "$T/listed" >"$T/offenders"
none "$listed lists nothing that is gone" "$T/offenders"
