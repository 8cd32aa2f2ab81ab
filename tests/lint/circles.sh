#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# No circle of modules.  A module is X.c with X.h; it depends on each module whose header it includes, and on each that
# defines a function or object it uses.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

# Folders whose circles are not dissolved yet.
known=decoder/guest

# includes: "X Y" where a file of module X includes the header of module Y, one line each.
includes() {
	grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' decoder/*/*.[ch] command/*/*.[ch] |
		sed -E 's|^([^:]+)\.[ch]:[^"]*"([^"]*)\.h".*|\1 decoder/\2\n\1 command/\2|' |
		awk 'NR == FNR { module[$1]; next } $2 in module' <(printf '%s\n' decoder/*/*.h command/*/*.h | sed 's/\.h$//') -
}

# uses: the same where module X uses what Y defines.  Objects of files that are no more do not count.
uses() {
	printf '%s\n' decoder/*/*.c command/*/*.c | sed "s|^\(.*\)\.c$|$BUILD/obj/\1.o|" | xargs nm -A |
		awk -v build="$BUILD/obj/" '
		{
			module = substr($1, length(build) + 1); sub(/\.o:.*/, "", module)
			if ($(NF - 1) == "U") { from[++n] = module; wants[n] = $NF }
			else if ($(NF - 1) ~ /^[A-Z]$/) home[$NF] = module
		}
		END { for (i = 1; i <= n; i++) if (wants[i] in home) print from[i], home[wants[i]] }'
}

# circles FOLDER...: the members of circles between modules of these folders; all folders without any.
circles() {
	awk -v only="$*" '
		function folder(module) { sub(/\/[^\/]*$/, "", module); return module }
		BEGIN { n = split(only, list); for (i = 1; i <= n; i++) wanted[list[i]] }
		$1 != $2 && (!n || (folder($1) in wanted && folder($2) in wanted))' "$T/edges" |
		tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-]\)/\1/p'
}

{ includes; uses; } | sort -u >"$T/edges"
ok "there are dependencies to judge" test "$(wc -l <"$T/edges")" -gt 1000

for folder in $(cut -d' ' -f1 "$T/edges" | sed 's|/[^/]*$||' | sort -u); do
	circles "$folder" >"$T/circle"
	case " $(echo $known) " in
	*" $folder "*) [ -s "$T/circle" ] || echo "$folder: has no circle, but is in the list of those that have" ;;
	*) [ ! -s "$T/circle" ] || { echo "$folder:" && cat "$T/circle"; } ;;
	esac
done >"$T/offenders"
none "no circle within a folder, but in those that are listed" "$T/offenders"

# Between folders: each counts as one module.
sed -E 's|/[^/ ]+( .*)/[^/]*$|\1|' "$T/edges" | awk '$1 != $2' | sort -u | tsort >/dev/null 2>"$T/offenders"
none "no circle of folders" "$T/offenders"
