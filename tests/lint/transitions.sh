#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/scenarios/README.md names a scenario for every transition that the tables in decoder/stack
# list, and no other transition.
. "$(dirname "$0")/../lib.sh"

# rows FILE: the first line of each row of its table, without what becomes of the stack.  A row of
# frames.h is known by its outcome, which begins with a name, others by their second column.
rows() {
	awk '
		function trim(s) { gsub(/^ +| +$/, "", s); return s }
		/^ \*   .*  the stack( that r.*)?$/ {
			table = 1
			frames = /goes to/
			# Where the columns begin.
			second = frames ? index($0, "goes to") : index($0, "the stack that r")
			third = frames ? index($0, "the stack") : 0
			next
		}
		!/^ \*   / { table = 0 }
		!table { next }
		{
			a = trim(substr($0, 6, second - 6))
			b = trim(substr($0, second, (third ? third : length($0) + 1) - second))
			if (!frames) {
				if (a ~ /^\.\.\./) print head " " a
				else if (a != "" && b ~ /^[A-Z]|^(stays|ends|that thread|the runner|what ran)/) print head = a
				next
			}
			c = trim(substr($0, third))
			if (a != "") head = a
			if (c ~ /^(stays|[A-Z_]+($|[ :,]))/) print head " -> " b
		}' "$1"
}

# The transitions in the table of a README, and the scenarios it names that do not say stacks.
named() { sed -n 's/^| `\([^`]*\)` | .*stack-.*$/\1/p' "$1"; }
missing() {
	sed -n 's/^| `[^`]*` | \(stack-[^|]*\) |$/\1/p' "$1" | tr -s ', ' '\n' | sort -u |
		while read -r name; do
			[ -z "$name" ] || grep -q '^stacks:' "$TOP/tests/scenarios/$name.scn" || echo "$name"
		done
}
compare() {
	for header in frames stack thread_switch; do
		rows "$TOP/decoder/stack/$header.h"
	done | sort -u >"$T/rows"
	named "$1" | sort >"$T/named"
	diff "$T/rows" "$T/named"
}

README=$TOP/tests/scenarios/README.md
ok "every transition of the stacks is played by a scenario" compare "$README"
ok "there are as many as there were, at least" test "$(wc -l <"$T/rows")" -ge 37
is "and each of these scenarios says stacks" "" "$(missing "$README" 2>&1)"
grep -v '^| `RET -> anywhere else` ' "$README" >"$T/less.md"
fails "a transition that none plays is noticed" compare "$T/less.md"
sed 's/ stack-cold / stack-warm /' "$README" >"$T/other.md"
ok "and so is a scenario that is not there" test -n "$(missing "$T/other.md" 2>/dev/null)"
