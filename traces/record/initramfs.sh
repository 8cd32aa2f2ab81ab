#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# initramfs.sh WORK OUT INIT [FILE=PATH...]: an initramfs with busybox, perf, the programs of
# $PAYLOADS, INIT as /init, and each FILE of this machine at PATH. A FILE that begins with "arm64:"
# is out of the arm64 packages, one that begins with "cross:" was built for arm64 here, and the
# libraries it needs come along. Nothing else: what runs inside a recording must not depend on the
# machine that makes it. The tree stays in OUT.tree: the images of the recording are taken from
# there.
set -eu
work=$1 out=$2 init=$3
shift 3
parts=$work/parts/arm64
tree=$out.tree
rm -rf "$tree"
mkdir -p "$tree/bin" "$tree/dev" "$tree/proc" "$tree/sys" "$tree/tmp" "$tree/lib/aarch64-linux-gnu" "$tree/etc"

# What the dynamic linker will look for, recursively: copied flat to /lib/aarch64-linux-gnu.
libraries() {
	aarch64-linux-gnu-readelf -dl "$1" 2>/dev/null |
		sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p; s/.*program interpreter: .*\/\(.*\)\]/\1/p' |
		while read -r name; do
			to=$tree/lib/aarch64-linux-gnu/$name
			[ "$name" != ld-linux-aarch64.so.1 ] || to=$tree/lib/$name
			[ ! -e "$to" ] || continue
			from=
			for dir in lib/aarch64-linux-gnu usr/lib/aarch64-linux-gnu lib; do
				[ ! -e "$parts/$dir/$name" ] || from=$parts/$dir/$name
			done
			[ -n "$from" ] || {
				echo "initramfs.sh: $1 needs $name, which no package of packages.txt holds" >&2
				exit 1
			}
			cp -L "$from" "$to"
			libraries "$from"
		done
}

place() { # FILE PATH
	from=$1
	case $from in
	arm64:*) from=$parts/${from#arm64:} ;;
	cross:*) from=${from#cross:} ;;
	esac
	mkdir -p "$(dirname "$tree/$2")"
	cp -L "$from" "$tree/$2"
	case $1 in arm64:* | cross:*) libraries "$from" ;; esac
}

busybox=$parts/bin/busybox
[ -e "$busybox" ] || busybox=$parts/usr/bin/busybox
cp "$busybox" "$tree/bin/busybox"
for name in sh mount sleep poweroff cat echo ls mkdir tar taskset reboot chmod dmesg ln cp kill seq ps; do
	ln -s busybox "$tree/bin/$name"
done
for name in $PAYLOADS; do
	cp "$work/payload/$name" "$tree/bin/"
done
place arm64:usr/bin/perf bin/perf
cp "$init" "$tree/init"
chmod 755 "$tree/init"
for pair; do
	place "${pair%=*}" "${pair##*=}"
done
find "$tree" -exec touch -h -d 2026-01-01 {} +
PATH=$work/parts/amd64/bin:$work/parts/amd64/usr/bin:$PATH
(cd "$tree" && find . | LC_ALL=C sort | cpio --quiet --reproducible -o -H newc -R 0:0) >"$out"
