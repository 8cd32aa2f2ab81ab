#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/abi/dump.sh OUTPUT
#
# Writes the ABI that include/csguest declares, every function and every type, as abidw (package
# abigail-tools) prints it.  abidw reads a library of stubs: one for each declared function, and one
# that uses each type.  The debug information of the built library depends on the build's options,
# and lacks types that no function takes or returns, such as struct csg_code.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
output=$(realpath "$1")
dir=$(mktemp -d "${TMPDIR:-/tmp}/csguest.XXXXXX")
trap 'rm -rf "$dir"' EXIT

for header in include/csguest/*.h; do
	echo "#include \"csguest/${header##*/}\""
done >"$dir/csguest.c"
# "/* FILE:LINE:NC */ extern int csg_f (int);"
gcc -std=gnu11 -Iinclude -fsyntax-only -aux-info "$dir/declared" "$dir/csguest.c"
{
	sed -nE 's|^/\* include/csguest/.* \*/ extern (.*[ *]csg_[a-z0-9_]+ \(.*\));$|\1 { __builtin_trap(); }|p' "$dir/declared" |
		sort -u
	echo 'void csg_types(void)'
	echo '{'
	sed -nE 's/^((struct|enum) csg_[a-z0-9_]+) \{$/\1/p' include/csguest/*.h | sort | awk '{ print $0 " *t" NR " = 0; (void)t" NR ";" }'
	echo '}'
} >>"$dir/csguest.c"
gcc -std=gnu11 -Iinclude -g -O0 -fPIC -shared -o "$dir/libcsguest.so" "$dir/csguest.c"
abidw --load-all-types --type-id-style hash --no-corpus-path --no-comp-dir-path --no-elf-needed --no-show-locs \
	--no-parameter-names --out-file "$dir/abi" "$dir/libcsguest.so"
# A licence for the file: abidiff takes nothing before the first line.
sed -e 's| path=.[^ ]*/csguest\.c.| path="csguest.c"|' \
	-e '1a <!-- SPDX-License-Identifier: BSD-3-Clause; make abi writes this file -->' "$dir/abi" >"$output"
