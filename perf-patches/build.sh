#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# usage: perf-patches/build.sh [--find | --stock | --tests | --each] [SERIES]
#
# Builds perf with the patches of SERIES (PERF_BASE, else 6.12), linked with libcsguest-core of this
# tree, which `make` has built, and leaves it as build/perf and build/perf-SERIES.  lib.sh says where
# the base comes from.  --stock builds it without the patches as well: build/perf-SERIES-stock; --tests
# also with them but without the library: build/perf-SERIES-alone.  --each builds after every single
# patch.  What is there already and made of the same is not built again.  --find builds nothing: it finds the
# base and checks that the series applies to it.  The exit status is 3 where there is no base.
#
#	B      the build folder (build)
#	CC     the compiler
#	EXTRA  more variables for perf's make, such as EXTRA_CFLAGS=-fsanitize=address
#	QUICK  1: for tests, built in half the time: -O1, no debug information, no tables of PMU events, no browser,
#	       no LLVM; what was built without it will do as well
#	NO_LIBCSGUEST
#	       1: without the library: build/perf-SERIES-alone, or every single patch
#	SANITIZE  address: all of perf with that sanitizer; libcsguest-core in B is to have it as well

. "$(dirname "$0")/lib.sh"
mode=patched
case ${1-} in
--find | --stock | --tests | --each)
	mode=${1#--}
	shift
	;;
-*)
	sed -n '4,23s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac
choose "${1:-${PERF_BASE:-6.12}}"
B=${B:-build}
[[ $B = /* ]] || B=$TOP/$B
work=$B/perf-build/$SERIES
mkdir -p "$work"
# Sources and objects: where only the binary is wanted, in memory, if there is plenty.
tree=$work
if [ -n "${QUICK-}" ]; then
	tree=$(mktemp -d "$("$TOP/tests/scratch.sh")/csguest-perf.XXXXXX") || exit 1
	trap 'rm -rf "$tree"' EXIT
	trap 'exit 130' INT TERM
fi

missing=()
for program in git make gcc flex bison pkg-config xz bc; do command -v $program >/dev/null || missing+=("$program"); done
[ ${#missing[@]} -eq 0 ] || die "not installed: ${missing[*]} (.ci/setup perf installs all that is needed)"
if [ $mode = find ]; then
	base_into "$tree/src"
	rm -rf "$tree/src"
	exit
fi
[ -f "$B/libcsguest-core.a" ] || die "$B/libcsguest-core.a is not built: make libs"

# perf is linked with the static library alone, so that build/perf runs wherever it is copied to.
stage() {
	rm -rf "$tree/stage"
	mkdir -p "$tree/stage/lib/pkgconfig" "$tree/stage/include/csguest"
	cp "$B/libcsguest-core.a" "$tree/stage/lib"
	cp "$TOP"/include/csguest/*.h "$tree/stage/include/csguest"
	sed "s|@PREFIX@|$tree/stage|;s|@LIBDIR@|$tree/stage/lib|;s|@INCLUDEDIR@|$tree/stage/include|;s|@VERSION@|$(library_version)|" \
		"$TOP/csguest-core.pc.in" >"$tree/stage/lib/pkgconfig/csguest-core.pc"
}

# What the patched perf has in common with the stock one is compiled once: ccache, where it is installed,
# keeps it in the build folder.
if [[ ${CC:-cc} =~ ^g?cc$ && -x /usr/lib/ccache/$BASH_REMATCH ]]; then
	CC=/usr/lib/ccache/$BASH_REMATCH
	export CCACHE_DIR=$B/perf-build/ccache CCACHE_MAXSIZE=500M CCACHE_BASEDIR=$tree
	[ -z "${QUICK-}" ] || export CCACHE_DEPEND=1
fi

# quick_cc STOCK: a compiler with flags that come after perf's own.  A sanitizer's reports want lines.
# That ccache knows a file again by its command line, stock and patched perf get the same ones: what patched perf says of
# libcsguest comes last, where stock perf, none of whose files asks for it, gets the same.  Options for the
# preprocessor (-Wp) are said to the compiler: of those ccache knows nothing, and has each file preprocessed.
quick_cc() {
	local define=-DHAVE_LIBCSGUEST_SUPPORT include=-I$tree/stage/include debug=0
	[ -z "${SANITIZE-}" ] || debug=1
	cat >"$tree/cc" <<-END
		#!/bin/sh
		define=${1:+$define} include=${1:+$include}
		for a; do
			shift
			case \$a in
			-Wp,-MD,*) set -- "\$@" -MD -MF "\${a#-Wp,-MD,}" ;;
			-Wp,-MT,*) set -- "\$@" -MT "\${a#-Wp,-MT,}" ;;
			$define) define=\$a ;;
			$include) include=\$a ;;
			*) set -- "\$@" "\$a" ;;
			esac
		done
		exec ${CC:-gcc} "\$@" \$define \$include -O1 -g$debug
	END
	chmod +x "$tree/cc"
	echo "$tree/cc"
}

jobs() { case ${MAKEFLAGS-} in *-j* | *jobserver*) ;; *) echo "-j$(nproc)" ;; esac }

# make_perf SRC OUT LOG [STOCK]: the binary is OUT/perf.
make_perf() {
	local opencsd=() cc=${CC:-gcc} quick=() sanitize=() alone=() stock=${4-}
	[ -z "${QUICK-}" ] || quick=(NO_JEVENTS=1 NO_SLANG=1 NO_LIBLLVM=1) cc=$(quick_cc "$stock")
	# Where __SANITIZE_ADDRESS__ is defined, perf checks its reference counts (rc_check.h) and loads no kcore.
	[ -z "${SANITIZE-}" ] || sanitize=("EXTRA_CFLAGS=-fsanitize=$SANITIZE -fno-omit-frame-pointer -U__SANITIZE_ADDRESS__")
	[ -z "${NO_LIBCSGUEST-}" ] || alone=(NO_LIBCSGUEST=1)
	[ -z "${OPENCSD_LIB-}" ] || opencsd=("CSLIBS=$OPENCSD_LIB" "CSINCLUDES=${OPENCSD_INC-}"
		"LDFLAGS=-Wl,--disable-new-dtags,-rpath,$OPENCSD_LIB")
	mkdir -p "$2"
	# shellcheck disable=SC2046,SC2086
	PKG_CONFIG_PATH=$tree/stage/lib/pkgconfig make -C "$1/tools/perf" O="$2" CC="$cc" $(jobs) \
		CORESIGHT=1 NO_LIBPERL=1 NO_LIBPYTHON=1 NO_JVMTI=1 NO_LIBNUMA=1 NO_LIBUNWIND=1 NO_LIBCRYPTO=1 \
		NO_LIBBABELTRACE=1 NO_LIBCAP=1 NO_LIBPFM4=1 NO_LIBDEBUGINFOD=1 NO_BPF_SKEL=1 BUILD_BPF_SKEL=0 \
		NO_SDT=1 NO_SHELLCHECK=1 NO_RUST=1 WERROR=0 "${quick[@]}" "${alone[@]}" "${sanitize[@]}" "${opencsd[@]}" ${EXTRA-} >"$3" 2>&1 && return
	grep -E 'error|Error|\*\*\*' "$3" | head -n 20 >&2
	die "the build failed: $3"
}

# What the binaries are made of; another base, patch, library or compiler makes another.
identity() {
	{
		echo "$base"
		cat "$HERE/build.sh"
		"${CC%% *}" --version 2>/dev/null
		echo "${CC-} ${EXTRA-} ${OPENCSD_LIB-}${SANITIZE:+ $SANITIZE}"
		[ "$1" = stock ] || cat $(patches)
		[ "$1" != patched ] || cat "$B/libcsguest-core.a" "$TOP"/include/csguest/*.h
	} | sha256sum | cut -d' ' -f1
}

# made NAME ID: whether build/NAME is there and made of what is at hand, in the way asked for or slower.
made() {
	local id quick
	[ -x "$B/$1" ] && read -r id quick 2>/dev/null <"$work/$1.id" && [ "$id" = "$2" ] &&
		[ -z "$quick" -o -n "${QUICK-}" ]
}

# Whatever was looked for by a quick build stays: it is looked for by all of them in the same way.
build() {
	local name=$1 id=$2 stock=
	say "building $name (log: $work/$name.log)"
	mkdir -p "$tree/out"
	find "$tree/out" -mindepth 1 -maxdepth 1 ! -name "${QUICK:+feature}" -exec rm -rf {} +
	[[ $name != *-stock ]] || stock=yes
	make_perf "$tree/src" "$tree/out" "$work/$name.log" $stock
	install -m 755 "$tree/out/perf" "$B/$name"
	echo "$id${QUICK:+ quick}" >"$work/$name.id"
}

patch_base() {
	[ -n "$applied" ] || apply "$tree/src" || die "the patches do not apply"
	applied=yes
}

# Whether the patch may change what perf's build looks for, or finds.
changes_features() { grep -qE '^diff --git a/tools/(build/|perf/Makefile)' "$1"; }

# tell_features FILE: what was found.  Perf's own list leaves out what is not looked for by default.
tell_features() {
	local feature
	cp "$tree/out/FEATURE-DUMP" "$1"
	for feature in libopencsd libcsguest; do
		! "$tree/out/perf" check feature -q $feature >/dev/null 2>&1 || echo "feature-$feature=1" >>"$1"
	done
}

# What is looked for takes longer than what most patches change: it is looked for at first, and after each patch
# that may change it, and otherwise taken from FEATURES_DUMP, as perf's own tests/make does.
each() {
	local patch n=0 known=
	[ -n "${NO_LIBCSGUEST-}" ] || stage
	for patch in $(patches); do
		n=$((n + 1))
		apply "$tree/src" "$patch" || die "$patch does not apply"
		! changes_features "$patch" || known=
		EXTRA="${EXTRA-} ${known:+FEATURES_DUMP=$known}" make_perf "$tree/src" "$tree/out" "$work/each-$n.log"
		"$tree/out/perf" version >/dev/null || die "the perf after $patch does not run"
		[ -n "$known" ] || tell_features "${known:=$work/each-features}"
		printf 'builds: %s\n' "${patch##*/}"
	done
	[ -n "${NO_LIBCSGUEST-}" ] || "$tree/out/perf" check feature -q libcsguest || die "the last one is without libcsguest-core"
	printf '%d of %d patches build one after the other%s\n' $n "$(patches | wc -l)" "${NO_LIBCSGUEST:+, without libcsguest-core}"
}

base_into "$tree/src"
if [ $mode = each ]; then
	rm -rf "$tree/out"
	each
	exit
fi
applied=
base=$(cd "$tree/src" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
patched=$(identity patched)
alone=$(identity alone)
if [ $mode != patched ]; then
	id=$(identity stock)
	made "perf-$SERIES-stock" "$id" || build "perf-$SERIES-stock" "$id"
fi
if [ $mode = tests -o -n "${NO_LIBCSGUEST-}" ] && ! made "perf-$SERIES-alone" "$alone"; then
	patch_base
	NO_LIBCSGUEST=1 build "perf-$SERIES-alone" "$alone"
fi
if [ -n "${NO_LIBCSGUEST-}" ]; then
	say "$B/perf-$SERIES-alone has the $SERIES series, but not libcsguest-core"
	exit
fi
if ! made "perf-$SERIES" "$patched"; then
	patch_base
	stage
	build "perf-$SERIES" "$patched"
	! grep -q 'test-libcsguest\.c' $(patches) || "$B/perf-$SERIES" check feature libcsguest >/dev/null || die "perf was built without libcsguest: see $work/perf-$SERIES.log"
fi
ln -sf "perf-$SERIES" "$B/perf"
say "$B/perf is perf $("$B/perf" version | sed 's/perf version //') with the $SERIES series"
