#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# No circle of modules.  A module is X.c with X.h; it depends on each module whose header it
# includes, and on each that defines a function or object it uses.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
shopt -s globstar

# includes: "X Y" where a file of module X includes the header of module Y, one line each.
includes() {
	grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' decoder/**/*.[ch] command/*/*.[ch] |
		sed -E 's|^([^:]+)\.[ch]:[^"]*"([^"]*)\.h".*|\1 decoder/\2\n\1 command/\2|' |
		awk 'NR == FNR { module[$1]; next } $2 in module' <(printf '%s\n' decoder/**/*.h command/*/*.h | sed 's/\.h$//') -
}

# uses: the same where module X uses what Y defines.  Objects of files that are no more do not
# count.
uses() {
	printf '%s\n' decoder/**/*.c command/*/*.c | sed "s|^\(.*\)\.c$|$BUILD/obj/\1.o|" | xargs nm -A |
		awk -v build="$BUILD/obj/" '
		{
			module = substr($1, length(build) + 1); sub(/\.o:.*/, "", module)
			if ($(NF - 1) == "U") { from[++n] = module; wants[n] = $NF }
			else if ($(NF - 1) ~ /^[A-Z]$/) home[$NF] = module
		}
		END { for (i = 1; i <= n; i++) if (wants[i] in home) print from[i], home[wants[i]] }'
}

{ includes; uses; } | sort -u >"$T/edges"
ok "there are dependencies to judge" test "$(wc -l <"$T/edges")" -gt 1000

awk '$1 != $2' "$T/edges" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-]\)/\1/p' >"$T/offenders"
none "no circle of modules" "$T/offenders"

# Between folders: each counts as one module.
sed -E 's|/[^/ ]+( .*)/[^/]*$|\1|' "$T/edges" | awk '$1 != $2' | sort -u | tsort >/dev/null 2>"$T/offenders"
none "no circle of folders" "$T/offenders"
