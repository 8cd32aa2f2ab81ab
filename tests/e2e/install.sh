#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What `make install` leaves is usable by others, and `make uninstall` takes all of it away.
. "$(dirname "$0")/lib.sh"
need pkg-config

install_stage
# GNU make 4.3 reads some files with their last newline, by how its memory lies (Makefile,
# remember).
b=$T/b
for _ in {1..40}; do
	b=${b}b
	make -s -C "$TOP" "B=$b" help >"$T/out" && flags=$(stat -c %y "$b/flags") && make -s -C "$TOP" "B=$b" help >"$T/out"
	[ "$flags" = "$(stat -c %y "$b/flags")" ] || echo "$b"
done >"$T/changed"
none "make does not take the compiler's command line for another" "$T/changed"
ok "the command is installed and runs" "$stage/usr/local/bin/csguest" --version
for page in man1/csguest.1 man3/libcsguest.3 man3/csguest_session.3 man7/csguest-attribution.7; do
	ok "$page is installed" test -s "$stage/usr/local/share/man/$page"
done

cat >"$T/user.c" <<'END'
#include <stdio.h>
#include <csguest/error.h>
int main(void)
{
	return puts(csg_strerror(CSG_E_OK)) < 0;
}
END
for library in csguest csguest-core; do
	ok "pkg-config knows $library" pkg-config --exists --print-errors "$library"
	# shellcheck disable=SC2046
	ok "a program is built with $library" "${cc[@]}" -o "$T/user" "$T/user.c" $(pkg-config --cflags --libs "$library")
	ok "and runs with the shared library" env LD_LIBRARY_PATH="$stage/usr/local/lib:${LD_LIBRARY_PATH-}" "$T/user"
	is "and uses it" success "$(cat "$T/out")"
	ldd "$T/user" >"$T/needed"
	has "the program needs the library by its soname" "lib$library\.so\.0 " "$T/needed"
	# shellcheck disable=SC2046
	ok "a program is linked with the static $library" "${cc[@]}" -o "$T/user" "$T/user.c" $(pkg-config --cflags "$library") \
		"$stage/usr/local/lib/lib$library.a" -L"${OPENCSD_LIB:-/usr/lib}" $(pkg-config --static --libs-only-l "$library" | sed "s/-l$library//")
	ok "and runs alone" "$T/user"
done

ok "make uninstall works" env -u PKG_CONFIG_PATH -u PKG_CONFIG_SYSROOT_DIR make -s -C "$TOP" uninstall DESTDIR="$stage"
find "$stage" ! -type d >"$T/left"
none "make uninstall leaves no file" "$T/left"
