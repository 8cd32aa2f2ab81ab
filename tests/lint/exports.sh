#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The public functions: what include/csguest declares, libcsguest.map lists and libcsguest.so exports
# is the same, and all of it is explained.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

read -ra cc <<<"${CC:-cc}" # may be "ccache gcc"
# The compiler says where each function is declared: "/* FILE:LINE:NC */ extern int csg_f (int);"
for header in include/csguest/*.h; do
	echo "#include \"csguest/${header##*/}\""
done >"$T/all.c"
ok "the public headers compile" "${cc[@]}" -std=c11 -Wall -Wextra -Werror -pedantic -Iinclude -aux-info "$T/aux" \
	-c -o "$T/all.o" "$T/all.c"
for header in include/csguest/*.h; do
	echo "#include \"csguest/${header##*/}\"" >"$T/one.c"
	ok "${header#include/} compiles alone" "${cc[@]}" -std=c99 -pedantic-errors -Iinclude -c -o "$T/one.o" "$T/one.c"
done
sed -nE 's|^/\* include/(csguest/[^:]+):([0-9]+):.. \*/ extern .*[ *](csg_[a-z0-9_]+) \(.*|\3 include/\1 \2|p' \
	"$T/aux" | sort -u >"$T/where"
cut -d' ' -f1 "$T/where" | sort -u >"$T/declared"

sed -n '/global:/,/local:/s/^[[:space:]]*\(csg_[a-z0-9_]*\);$/\1/p' libcsguest.map >"$T/map"
same "libcsguest.map lists the declared functions, sorted (<: declared, >: listed)" "$T/declared" "$T/map"
hasnt "libcsguest.map has no patterns but the last" '[*?].*[a-z]|[a-z][*?]' <(sed 's|/\*.*\*/||;/^ *\//d;/^ \*/d' libcsguest.map)

nm -D --defined-only "$BUILD/libcsguest.so" | awk '$2 == "T" || $2 ~ /[DBRVW]/ { sub(/@.*/, "", $3); print $3 }' |
	sort >"$T/exported"
same "libcsguest.so exports the declared functions (missing: no definition, or no visibility pragma in its header)" \
	"$T/declared" "$T/exported"
nm -D --defined-only "$BUILD/libcsguest-core.so" | awk '$2 ~ /[TDBRVW]/ { sub(/@.*/, "", $3); print $3 }' | sort >"$T/core"
ok "libcsguest-core.so exports something" test -s "$T/core"
comm -13 "$T/declared" "$T/core" >"$T/offenders"
none "libcsguest-core.so exports public functions only" "$T/offenders"

for library in libcsguest libcsguest-core; do
	nm -A --defined-only --extern-only "$BUILD/$library.a" 2>/dev/null | grep -v ' csg_[a-z0-9_]*$' >"$T/offenders"
	none "every symbol of $library.a begins with csg_" "$T/offenders"
done
ldd "$BUILD/libcsguest-core.so" | grep -E 'libelf|libdw|libzstd' >"$T/offenders"
none "libcsguest-core.so needs neither libelf nor libdw nor libzstd" "$T/offenders"

# A declaration, or the block of declarations it is in, follows a comment without a blank line.
while read -r function file line; do
	awk -v last="$line" '
		NR > last { exit }
		/^[[:space:]]*$/ || /^#/ { commented = 0 }
		/\*\/[[:space:]]*$/ { commented = 1 }
		NR == last { found = commented }
		END { exit !found }' "$file" || echo "$file:$line: $function"
done <"$T/where" >"$T/offenders"
none "every public function is explained by the comment before it" "$T/offenders"
