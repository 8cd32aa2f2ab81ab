#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The public functions: what include/csguest declares, libcsguest.map lists and libcsguest.so
# exports is the same, and all of it is explained.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

read -ra cc <<<"${CC:-cc}" # may be "ccache gcc"
# Programs in C11 and C++17 include all of them, and use their constants, without a warning.
{
	for header in include/csguest/*.h; do
		echo "#include \"csguest/${header##*/}\""
	done
	echo 'void use_constants(void);'
	echo 'void use_constants(void)'
	echo '{'
	sed -nE 's/^#define (CSG_[A-Z0-9_]+)[[:space:]].*/	(void)(\1);/p' include/csguest/*.h
	echo '}'
} >"$T/all.c"
has "constants are found" 'CSG_OWNER_UNKNOWN' "$T/all.c"
strict=(-Wall -Wextra -Wundef -Werror -pedantic -Iinclude -c -o "$T/all.o")
# The compiler says where each function is declared: "/* FILE:LINE:NC */ extern int csg_f (int);"
ok "the public headers compile as C11" "${cc[@]}" -std=c11 "${strict[@]}" -aux-info "$T/aux" "$T/all.c"
ok "the public headers compile as C11, clang" clang -std=c11 "${strict[@]}" "$T/all.c"
for compiler in g++ clang++; do
	ok "the public headers compile as C++17, $compiler" "$compiler" -std=c++17 -x c++ "${strict[@]}" "$T/all.c"
done
cat >"$T/values.c" <<'C'
#include <stdio.h>
#include "csguest/context.h"
#include "csguest/owner.h"
int main(void)
{
	static struct csg_owner owner = CSG_OWNER_UNKNOWN; /* its padding is 0 */
	struct csg_context context = CSG_CONTEXT_UNKNOWN;

	fwrite(&owner, sizeof(owner), 1, stdout);
	return printf("%d %d %d %d %d %u %u", context.el, context.security, context.aarch64, context.has_contextidr,
		      context.has_vctx, context.contextidr_el1, context.vctx) < 0;
}
C
ok "constants are built as C" "${cc[@]}" -Iinclude -o "$T/values" "$T/values.c"
ok "constants are built as C++" g++ -Iinclude -o "$T/values++" -x c++ "$T/values.c"
"$T/values" | od -An -tx1 >"$T/c"
"$T/values++" | od -An -tx1 >"$T/c++"
same "constants have the same value in C and C++" "$T/c" "$T/c++"
for header in include/csguest/*.h; do
	echo "#include \"csguest/${header##*/}\"" >"$T/one.c"
	ok "${header#include/} compiles alone" "${cc[@]}" -std=c99 -Wall -Wextra -Werror -pedantic-errors -Iinclude -c -o "$T/one.o" "$T/one.c"
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

# Files are read as little-endian 64-bit machines lay out memory.
for elsewhere in -U__LP64__ '-U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__'; do
	# shellcheck disable=SC2086
	fails "a build for a machine as by $elsewhere ends" "${cc[@]}" $elsewhere -D_GNU_SOURCE -DCSG_VERSION='""' -Iinclude -Idecoder \
		-fsyntax-only decoder/api/version.c
	has "in words" 'error.*csguest needs a little-endian 64-bit machine' "$T/err"
done
