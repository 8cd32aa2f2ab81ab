#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What users and developers read has the words of docs/glossary.md: "Plain words", and no term of
# 0.1.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
shopt -s globstar

plain='told|behind|so many|at hand|(held|hold|holds) against'
old='witness|on-CPU stay|leg|crew|road'

# strings FILE...: FILE:LINE:"TEXT", one line for each; what is included is no text.
strings() { grep -HnoE '"([^"\\]|\\.)*"' "$@" | grep -vE ':"[a-z_/0-9]+\.(h|inc)"$'; }
strings decoder/**/*.[ch] command/*/*.[ch] include/csguest/*.h >"$T/strings"
ok "there are texts to judge" test "$(wc -l <"$T/strings")" -gt 3000
# Keys of 0.1 that are taken for a version, and a word of perf's own.
grep -wiE "$plain|$old" "$T/strings" |
	grep -vE '"witness"$|"crew"$' >"$T/offenders"
none "messages, help and other texts of the program have the glossary's words" "$T/offenders"

# prose FILE...: its lines with the old words; "told to do" is plain English.
prose() { grep -HnwiE "$plain" "$@" | grep -viE '\btold (to|otherwise)\b'; }
git ls-files '*.md' 'docs/man/*' 'examples/*' 'python/*' | grep -vE '^(docs/glossary.md|CHANGELOG.md|perf-patches/)' |
	xargs grep -HnwiE "$plain" | grep -viE '\btold (to|otherwise)\b' >"$T/offenders"
none "documentation has them" "$T/offenders"
prose decoder/**/*.[ch] command/*/*.[ch] include/csguest/*.h | grep -E '/\*|^[^:]*:[0-9]*:[[:space:]]*\* ' >"$T/offenders"
none "comments have them" "$T/offenders"

# In names, in whatever else code says, and in the tests and their sentences; "told to do" is plain
# English here, too.
git ls-files 'decoder/*.[ch]' 'command/*.[ch]' 'include/*.h' 'tests/*.[ch]' 'tests/*.sh' 'tests/*.scn' 'traces/*.[ch]' 'traces/*.sh' |
	grep -vE '^tests/(lint/words|long/watch|watch-lib)\.sh$' | xargs grep -HniE '(behind|told|so many)' |
	grep -viE '\btold (to|otherwise)\b' >"$T/offenders"
none "names and tests have them" "$T/offenders"
