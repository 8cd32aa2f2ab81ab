# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What build.sh, tree.sh and generate.sh share: finding the base of a series and making a tree of it.
#
#	KERNEL_SRC     folder of a kernel's sources to take instead; it is only read
#	CSGUEST_SHARED folder with perf-base/ (../shared)
#	KERNEL_MIRROR  where releases are downloaded from (https://cdn.kernel.org/pub/linux/kernel)
#	LINUX_SOURCE   the kernel packed by Debian (/usr/src/linux-source-SERIES.tar.xz)
#	SETUP          what installs Debian's linux-source-SERIES where no other base is found (.ci/setup); unset: nothing does
#	B              the build folder (build), where the part of Debian's kernel that perf needs is kept

set -u
export LC_ALL=C
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(dirname "$HERE")
SHARED=${CSGUEST_SHARED:-$TOP/../shared}
MIRROR=${KERNEL_MIRROR:-https://cdn.kernel.org/pub/linux/kernel}
NO_BASE=3 # exit status

say() { printf 'perf: %s\n' "$*" >&2; }
die() {
	say "$@"
	exit 1
}

# choose SERIES: sets SERIES and, from the table of bases, MADE_FOR (the release), TREE and FOLDER.
choose() {
	SERIES=$1
	read -r _ MADE_FOR TREE FOLDER < <(grep "^$SERIES " "$HERE/bases") ||
		die "there is no series '$SERIES'; PERF_BASE is one of: $(awk '!/^#/ { printf "%s ", $1 }' "$HERE/bases")"
}

# Git that knows of no repository around the folder it works in, and of no settings of the user's.
lone_git() { GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null git -c core.autocrlf=false -c gc.auto=0 "$@"; }

# library_version: of libcsguest, as its header has it.
library_version() { sed -nE 's/^#define CSG_VERSION_(MAJOR|MINOR|PATCH) //p' "$TOP/include/csguest/version.h" | paste -sd.; }

# The patches of the series in order: all of its folder, or what its list (SERIES/series) names, of whichever folder.
patches() {
	if [ -f "$HERE/$SERIES/series" ]; then
		sed "/^#/d;s|^|$HERE/|" "$HERE/$SERIES/series"
	else
		ls "$HERE/$SERIES"/[0-9]*.patch | grep -v '/0000-'
	fi
}

# tree_of DIR: the SHA-256 of the tree in DIR, but for the version file that is added to it.
tree_of() {
	local git
	git=$(mktemp -d) || return 1
	lone_git init -q --object-format=sha256 "$git" &&
		lone_git --git-dir="$git/.git" --work-tree="$1" add -Af . &&
		lone_git --git-dir="$git/.git" --work-tree="$1" rm -q --cached --ignore-unmatch PERF-VERSION-FILE &&
		lone_git --git-dir="$git/.git" write-tree
	local rc=$?
	rm -rf "$git"
	return $rc
}

# copy_tree FROM DIR: what the kernel's own MANIFEST lists.
copy_tree() {
	(cd "$1" && grep -v '^#' tools/perf/MANIFEST | while read -r path; do
		# shellcheck disable=SC2086
		ls -d $path 2>/dev/null
	done | tar -cf - -T -) | tar -xf - -C "$2"
}

# unpack_tree TARBALL DIR: the same from a whole, packed kernel; sets RELEASE to its version.
unpack_tree() {
	local all="$2.all"
	rm -rf "$all"
	mkdir -p "$all" && tar -xf "$1" -C "$all" --strip-components=1 --wildcards \
		'*/tools' '*/scripts' '*/kernel/bpf' '*/arch/*/include/uapi/asm/bpf_perf_event.h' '*/arch/arm64/tools' \
		'*/include/uapi' '*/Makefile' 2>/dev/null
	[ -f "$all/tools/perf/MANIFEST" ] && copy_tree "$all" "$2"
	local rc=$?
	[ ! -f "$all/Makefile" ] || RELEASE=$(version_of "$all/Makefile")
	rm -rf "$all"
	return $rc
}

version_of() { awk '$1 == "VERSION" { v = $3 } $1 == "PATCHLEVEL" { p = $3 } $1 == "SUBLEVEL" { s = $3 } END { print v "." p "." s }' "$1"; }

# fits DIR: whether the whole series applies to the tree in DIR, without fuzz.
fits() {
	local scratch rc
	scratch=$(mktemp -d) || return 1
	cp -a "$1/." "$scratch" && apply "$scratch" 2>"$scratch.log"
	rc=$?
	[ $rc -eq 0 ] || sed 's/^/perf:   /' "$scratch.log" >&2
	rm -rf "$scratch" "$scratch.log"
	return $rc
}

# apply DIR [PATCH...]: the series, or those patches.  Git does not see the repository around.
apply() {
	local dir=$1
	shift
	# shellcheck disable=SC2046
	[ $# -gt 0 ] || set -- $(patches)
	(cd "$dir" && GIT_CEILING_DIRECTORIES=$(dirname "$PWD") lone_git apply --whitespace=nowarn "$@")
}

from_kernel_src() {
	[ -f "$KERNEL_SRC/tools/perf/MANIFEST" ] || die "KERNEL_SRC=$KERNEL_SRC holds no tools/perf/MANIFEST: no kernel source"
	WHENCE=$KERNEL_SRC
	copy_tree "$KERNEL_SRC" "$1"
	[ ! -f "$KERNEL_SRC/Makefile" ] || RELEASE=$(version_of "$KERNEL_SRC/Makefile")
}

from_shared() {
	local file=linux-$MADE_FOR-tools-perf.tar.xz
	WHENCE=$SHARED/perf-base/$file
	[ -f "$WHENCE" ] || return 1
	(cd "$SHARED/perf-base" && grep -F " $file" SHA256SUMS | sha256sum -c --quiet --strict) >&2 ||
		die "$WHENCE is damaged: not the SHA-256 that SHA256SUMS says"
	tar -xf "$WHENCE" -C "$1" --strip-components=1
}

from_network() {
	local file=$2/linux-$MADE_FOR.tar.xz error
	WHENCE=$MIRROR/$FOLDER/linux-$MADE_FOR.tar.xz
	command -v curl >/dev/null || return 1
	say "downloading $WHENCE"
	error=$(curl -fsSL --retry 2 --connect-timeout 20 -o "$file" "$WHENCE" 2>&1) && unpack_tree "$file" "$1"
	local rc=$?
	rm -f "$file"
	[ $rc -eq 0 ] || { say "${error:-it is no packed kernel}" && return 1; }
	[ "$(tree_of "$1")" = "$TREE" ] || die "$WHENCE is not the release that the series is for (perf-patches/bases): refused"
}

# cached_tree TARBALL DIR: unpack_tree, once for each tarball: unpacking Debian's takes ten seconds and more.
cached_tree() {
	local kept name
	name=$(basename "$1" .tar.xz)
	kept=${B:-$TOP/build}/perf-build/$name-$(stat -Lc %s-%Y "$1").tar
	if [ -f "$kept" ] && tar -xf "$kept" -C "$2"; then
		RELEASE=$(<"$2/RELEASE")
	else
		unpack_tree "$1" "$2" || return
		echo "$RELEASE" >"$2/RELEASE"
		mkdir -p "${kept%/*}" && rm -f "${kept%/*}/$name"-*.tar &&
			tar -C "$2" -cf "$kept.$$" . && mv "$kept.$$" "$kept" || rm -f "$kept.$$"
	fi
	rm -f "$2/RELEASE"
}

from_package() {
	WHENCE=${LINUX_SOURCE:-/usr/src/linux-source-$SERIES.tar.xz}
	[ -f "$WHENCE" ] || [ -z "${SETUP-}" ] || (cd "$TOP" && $SETUP "linux-source-$SERIES")
	[ -f "$WHENCE" ] && cached_tree "$WHENCE" "$1"
}

no_base() {
	say "no base for the $SERIES series: $(ways)"
	exit $NO_BASE
}

# base_into DIR: the series' base, from where it is to be had; sets WHENCE and RELEASE.  Ends with NO_BASE where there is none.
base_into() {
	local dir=$1 work
	RELEASE=$MADE_FOR
	rm -rf "$dir"
	mkdir -p "$dir" || exit 1
	work=$(dirname "$dir")
	if [ -n "${KERNEL_SRC-}" ]; then
		from_kernel_src "$dir"
	else
		from_shared "$dir" || from_package "$dir" || from_network "$dir" "$work" || no_base
	fi
	[ -f "$dir/tools/perf/Makefile" ] || die "$WHENCE holds no whole tools/perf"
	fits "$dir" || die "the $SERIES series is made for Linux $MADE_FOR and does not apply to $RELEASE of $WHENCE: $(ways)"
	# Without a whole kernel around, perf takes its version from here.
	echo "#define PERF_VERSION \"$RELEASE\"" >"$dir/PERF-VERSION-FILE"
	say "base: $WHENCE"
}

ways() {
	cat <<-END
		the ways that do:
		perf:   make perf PERF_BASE=$SERIES KERNEL_SRC=DIR     DIR: sources of Linux $MADE_FOR
		perf:   a folder ../shared/perf-base (or CSGUEST_SHARED=DIR) with linux-$MADE_FOR-tools-perf.tar.xz and its SHA256SUMS
		perf:   a network in which $MIRROR/$FOLDER/linux-$MADE_FOR.tar.xz is reached (needs curl)
		perf:   apt-get install linux-source-$SERIES, if it is no newer than the series
	END
}
