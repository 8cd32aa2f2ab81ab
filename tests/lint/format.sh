#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# C code is laid out as .clang-format says.  How comments after code and the backslashes of macros
# are aligned is the author's affair.  Other releases of clang-format differ in details.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
shopt -s globstar
need clang-format-14

flat() { sed -E 's|[[:space:]]+/\*| /*|g; s|[[:space:]]+\\$| \\|'; }
find command decoder examples include tests traces -name '*.[ch]' 2>/dev/null | sort >"$T/files"
# One run tells which files differ at all.
mapfile -t files <"$T/files"
clang-format-14 --dry-run "${files[@]}" 2>&1 | sed -nE 's/^([^:]+):[0-9]+:[0-9]+: warning.*/\1/p' | sort -u >"$T/candidates"
while read -r file; do
	diff <(flat <"$file") <(clang-format-14 "$file" | flat) |
		sed -nE "s|^([0-9]+)(,[0-9]+)?[acd].*|$file:\1|p"
done <"$T/candidates" >"$T/offenders"
none "C code is formatted (clang-format-14 -i FILE, or make format)" "$T/offenders"

awk '{
	columns = 0
	n = split($0, part, "\t")
	for (i = 1; i <= n; i++)
		columns += length(part[i]) + (i < n ? 8 - (columns + length(part[i])) % 8 : 0)
	if (columns > 100)
		print FILENAME ":" FNR ": " columns " columns" }' "${files[@]}" >"$T/offenders"
none "no line of C code is longer than 100 columns" "$T/offenders"

# Comments of scripts, scenarios and the Makefile, but for tables.
git ls-files '*.sh' '*.scn' '*.awk' '*.py' Makefile .ci/* | grep -v '^perf-patches/' | xargs awk '
	FILENAME ~ /\.scn$/ && /^[ \t]/ { next } # what is expected
	/^[ \t]*# [^ \t]/ && length > 100 && !/[^ ]   +[^ ]/ && !/[^ \t]\t+[^ \t]/ && !/# (shellcheck|usage:|- )/ {
		print FILENAME ":" FNR ": " length " columns" }' >"$T/offenders"
none "comments of scripts wrap at 100 columns" "$T/offenders"

wc -l decoder/**/*.[ch] command/*/*.[ch] include/csguest/*.h | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines" }' \
	>"$T/offenders"
none "no source file of the library and the command has more than 500 lines" "$T/offenders"

# Prose: no tables, blocks of code, or long code spans.
git ls-files '*.md' | xargs awk '
	FNR == 1 { code = 0 }
	/^ *```/ { code = !code }
	!code && !/^ *\|/ && !/^(    |\t)/ && !/`[^`]*$/ && length > 100 { print FILENAME ":" FNR ": " length " columns" }' >"$T/offenders"
none "documentation wraps at 100 columns" "$T/offenders"
wc -l README.md | awk '$1 > 150' >"$T/offenders"
none "README.md has at most 150 lines" "$T/offenders"
