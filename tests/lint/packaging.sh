#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# include/csguest/version.h says the version; what packagers and readers see agrees with it.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1

part() { sed -n "s/^#define CSG_VERSION_$1 //p" include/csguest/version.h; }
version=$(part MAJOR).$(part MINOR).$(part PATCH)
next=$(part MAJOR).$(($(part MINOR) + 1))
node=$(sed -nE 's/^(CSGUEST_[0-9.]+) \{$/\1/p' libcsguest.map)

is "CHANGELOG.md begins with this version" "$version" "$(sed -nE 's/^## ([0-9.]+).*/\1/p' CHANGELOG.md | head -n 1)"
is "so does Debian's changelog" "$version" "$(sed -nE '1s/^csguest \(([^)]*)\).*/\1/p' packaging/debian/changelog)"
symbols=packaging/debian/libcsguest0.symbols
is "each library's symbols are those of libcsguest.map, of this version" "$node $version $node $version" \
	"$(sed -nE 's/^ \(symver\)(.*)$/\1/p' $symbols | xargs)"
is "programs ask for this minor version, since the next one may break the ABI" "<< $next~ << $next~" \
	"$(sed -nE 's/^libcsguest.*\((<< .*)\)$/\1/p' $symbols | xargs)"
is "perf is built with a library of this version" "$version" "$(bash -c '. perf-patches/lib.sh && library_version')"
