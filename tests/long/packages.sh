#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages are built as Debian builds them, lintian finds no error in them, and in a bare
# root they are installed, do their work and are purged.  Needs root, debhelper, lintian and
# dpkg-dev; the root needs Debian's mirrors. Takes 600 s.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
for program in lintian dpkg-checkbuilddeps; do
	command -v $program >/dev/null || skip_all "no $program (Debian packages lintian, dpkg-dev)"
done
wanted=$(dpkg-checkbuilddeps packaging/debian/control 2>&1) || skip_all "${wanted#dpkg-checkbuilddeps: error: }"
[ "$(id -u)" -eq 0 ] || skip_all "only root can make a bare root"

ok "make deb builds the packages of HEAD" make -s deb B="$T/build"
debs=$T/build/deb
ok "lintian has no error" lintian --allow-root --fail-on error "$debs"/*.changes
ok "make dist makes a tarball" make -s dist B="$T/one"
ok "another time as well" make -s dist B="$T/two"
ok "with the same bytes" cmp "$T"/one/*.tar.xz "$T"/two/*.tar.xz
tar -tf "$T"/one/*.tar.xz | grep -E '/traces/[^/]+/$' | grep -vE '/(record|two-guests|vhe-one-guest)/$' >"$T/offenders"
none "with no other recording than those of make demo" "$T/offenders"

root=$T/root
ok "a bare root of Debian 12 is made" .ci/root make bookworm "$root" || exit 1
remove_root() { .ci/root remove "$root"; }
trap 'remove_root; finish' EXIT
in_root() { .ci/root enter "$root" "$@"; }
mkdir "$root/root/debs" && cp "$debs"/*.deb "$root/root/debs" && rm -f "$root"/root/debs/*-dbgsym_*
tar -C "$root/root" -xf "$T"/one/*.tar.xz
mv "$root"/root/csguest-* "$root/root/csguest"
ok "the packages are installed" in_root sh -c 'apt-get -q -y update && apt-get -q -y install --no-install-recommends ./debs/*.deb gcc libc6-dev pkg-config zstd'
ok "the installed command and library do their work" in_root sh -c 'cd csguest && packaging/debian/tests/installed'
has "the examples agree with the report" 'the report and the examples agree' "$T/out"
ok "the manual is there" in_root test -e /usr/share/man/man1/csguest.1.gz
ok "the packages are purged" in_root apt-get -q -y purge csguest libcsguest0 libcsguest-dev python3-csguest
in_root find / -xdev -path '*csguest*' -not -path '/root/*' -not -path '/proc/*' -not -path '/var/log/*' >"$T/offenders"
none "and leave nothing" "$T/offenders"
