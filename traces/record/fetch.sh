#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# fetch.sh WORK: bring the packages of packages.txt to WORK/pool, check each against its SHA-256,
# and unpack them:
#   WORK/parts/amd64    QEMU 10.0.2 and its libraries, run in place
#   WORK/parts/arm64    kernel, perf, busybox, the nested VMM and their libraries: the bricks of the initramfs
#   WORK/parts/include  qemu-plugin.h, out of QEMU's source tarball: no binary package ships it
#
# Nothing is installed and the system's apt is not touched: apt works in a root of its own below
# WORK. Debian removes superseded versions from its archive. Two ways to get them then:
#   RECORD_SOURCES=FILE  a sources.list to use in place of the default, naming Debian's snapshot archive at
#                        a date when all versions were current (the date is in README.md)
#   RECORD_POOL=DIR      a folder that holds the files already, under any names; they are found by SHA-256
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:?usage: fetch.sh WORK}
mkdir -p "$work"
work=$(cd "$work" && pwd)
list=$here/packages.txt
pool=$work/pool
apt=$work/apt
key=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$pool"

# "arch package version bytes sha256" of the entries that the pool has not got yet
missing() {
	grep -v '^#' "$list" | while read -r arch name version bytes sum; do
		[ -e "$pool/$sum" ] || echo "$arch $name $version $bytes $sum"
	done
}

# Take whatever in folder $1 has a content that the list names.
adopt() {
	find "$1" -maxdepth 1 -type f -exec sha256sum {} + | while read -r sum file; do
		grep -q " $sum\$" "$list" && cp -n "$file" "$pool/$sum"
	done
	return 0
}

[ -z "${RECORD_POOL:-}" ] || adopt "$RECORD_POOL"

if [ -n "$(missing)" ]; then
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/etc/apt.conf.d" \
		"$apt/etc/preferences.d" "$apt/etc/trusted.gpg.d" "$apt/in"
	: >"$apt/state/status"
	cat >"$apt/apt.conf" <<-EOF
	Dir::State "$apt/state";
	Dir::State::status "$apt/state/status";
	Dir::Cache "$apt/cache";
	Dir::Etc "$apt/etc";
	Dir::Etc::sourcelist "$apt/etc/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	APT::Architecture "arm64";
	APT::Architectures { "arm64"; "amd64"; };
	APT::Sandbox::User "";
	Acquire::Languages "none";
	EOF
	if [ -n "${RECORD_SOURCES:-}" ]; then
		cp "$RECORD_SOURCES" "$apt/etc/sources.list"
	else
		mirror=${RECORD_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null |
			grep '/debian/*$' | head -1)}
		mirror=${mirror:?no Debian mirror among the sources of this machine: set RECORD_MIRROR}
		mirror=${mirror%/}
		for arch in amd64 arm64; do
			for suite in bookworm bookworm-backports; do
				echo "deb [arch=$arch signed-by=$key] $mirror $suite main"
			done
			echo "deb [arch=$arch signed-by=$key] $mirror-security bookworm-security main"
		done >"$apt/etc/sources.list"
		echo "deb [arch=arm64 signed-by=$key] $mirror trixie-backports main" >>"$apt/etc/sources.list"
		echo "deb-src [signed-by=$key] $mirror bookworm-backports main" >>"$apt/etc/sources.list"
	fi
	APT_CONFIG=$apt/apt.conf
	export APT_CONFIG
	apt-get -q update
	missing | while read -r arch name version bytes sum; do
		case $arch in
		source) (cd "$apt/in" && apt-get -q source --download-only --tar-only "$name=$version") ;;
		*) echo "$name:$arch=$version" >>"$apt/wanted" ;;
		esac
	done
	if [ -s "$apt/wanted" ]; then
		(cd "$apt/in" && xargs apt-get -q download <"$apt/wanted") || {
			echo "fetch.sh: the archive lacks a version of packages.txt: see RECORD_SOURCES in fetch.sh" >&2
			exit 1
		}
	fi
	adopt "$apt/in"
	rm -rf "$apt/in" "$apt/wanted"
fi
if [ -n "$(missing)" ]; then
	echo "fetch.sh: these could not be had with the content that packages.txt names:" >&2
	missing >&2
	exit 1
fi

# Unpacked once per content of the list.
stamp=$work/parts/.of-$(sha256sum "$list" | cut -c1-16)
[ ! -e "$stamp" ] || exit 0
rm -rf "$work/parts"
mkdir -p "$work/parts/amd64" "$work/parts/arm64" "$work/parts/include"
grep -v '^#' "$list" | while read -r arch name version bytes sum; do
	echo "$sum  $pool/$sum" | sha256sum --quiet -c
	case $arch in
	source) tar -xf "$pool/$sum" -C "$work/parts/include" --strip-components=3 --wildcards \
		'*/include/qemu/qemu-plugin.h' ;;
	*) dpkg -x "$pool/$sum" "$work/parts/$arch" ;;
	esac
done
: >"$stamp"
