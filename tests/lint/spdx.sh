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

# Those that are text; an empty one is an offender.
: >"$T/offenders"
while read -r file; do
	case $file in
	LICENSE | tests/fuzz/corpus/*) continue ;;
	packaging/debian/copyright | packaging/debian/changelog | packaging/debian/source/format) continue ;; # no comments
	esac
	[ -f "$file" ] || continue
	[ -s "$file" ] || echo "$file" >>"$T/offenders"
	printf './%s\0' "$file"
done <"$T/files" >"$T/judged"
xargs -0 grep -Il '' <"$T/judged" | tr '\n' '\0' >"$T/texts"

# "LICENCE FILE" of each file that says one in its first ten lines.
xargs -0 awk 'FNR <= 10 && match($0, /SPDX-License-Identifier: [A-Z][^ ]*/) {
	print substr($0, RSTART + 25, RLENGTH - 25), FILENAME }' <"$T/texts" >"$T/licences"
cut -d' ' -f2- "$T/licences" | sort -u >"$T/licensed"
tr '\0' '\n' <"$T/texts" | sort | comm -23 - "$T/licensed" >>"$T/offenders"
ok "there are files to judge" test "$(tr -dc '\0' <"$T/texts" | wc -c)" -gt 20
none "every file names its licence in its first lines" "$T/offenders"

awk '{
	want = $2 ~ /^\.\/(decoder|include)\// ? "BSD-3-Clause" : $2 ~ /^\.\/perf-patches\// ? "GPL-2.0" : ""
	if (want != "" && index($1, want) != 1)
		print $2 ": not " want }' "$T/licences" >"$T/offenders"
none "the library is BSD-3-Clause, the patches GPL-2.0" "$T/offenders"
