#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command is the library's first user: command/ includes public headers and its own, and the rooms of
# decoder/ that know nothing of trace: util (memory, arrays, messages) and files (what other programs print).
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
