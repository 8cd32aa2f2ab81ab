#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every file names its licence.  Binary fixtures and fuzzers' corpora cannot: traces/README.md and
# LICENSE speak for them.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

if git ls-files --error-unmatch Makefile >/dev/null 2>&1; then
	git ls-files -co --exclude-standard
else
	find . -path ./build -prune -o -type f -printf '%P\n'
fi | sort -u >"$T/files"

total=0
: >"$T/offenders"
while read -r file; do
	case $file in
	LICENSE | tests/fuzz/corpus/*) continue ;;
	esac
	[ -f "$file" ] || continue
	[ -s "$file" ] && ! grep -Iq . "$file" && continue # binary
	total=$((total + 1))
	head -n 10 "$file" | grep -q 'SPDX-License-Identifier: [A-Z]' || echo "$file" >>"$T/offenders"
done <"$T/files"
ok "there are files to judge" test $total -gt 20
none "every file names its licence in its first lines" "$T/offenders"

while read -r file; do
	want=
	case $file in
	decoder/* | include/*) want=BSD-3-Clause ;;
	perf-patches/*) want=GPL-2.0 ;;
	esac
	[ -z "$want" ] || [ ! -f "$file" ] || head -n 10 "$file" | grep -q "Identifier: $want" || echo "$file: not $want"
done <"$T/files" >"$T/offenders"
none "the library is BSD-3-Clause, the patches GPL-2.0" "$T/offenders"
