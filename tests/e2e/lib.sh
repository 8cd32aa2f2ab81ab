# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# What every end-to-end test sources; see ../lib.sh for the sentences.  On top of those:
#
#	CSGUEST      the command as users get it: for comparisons and what takes long
#	CSGUEST_SAN  the same with the address and undefined-behaviour sanitizers: for hostile input
#	SCORE        the oracle (docs/truth.md): compares what csguest decodes with a truth
#	SCORE_SAN    the same with sanitizers
#	CAPTURES     folder of recordings from real hardware; need_captures skips without it
#	TRACES       the project's own recordings
#	perf         Debian's perf, whatever kernel is running; need_perf skips without it
#	use_fixture [DIR]  puts the programs of the small fixture, or of one made like it, in place; one_guest runs
#	             csguest on the fixture
#	install_stage  installs the build into a staging folder
#	pkt_lister   OpenCSD's trc_pkt_lister, of the OpenCSD that csguest is linked with

. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

CSGUEST=${CSGUEST:-$BUILD/csguest}
CSGUEST_SAN=${CSGUEST_SAN:-$BUILD/san/csguest}
SCORE=${SCORE:-$BUILD/score}
SCORE_SAN=${SCORE_SAN:-$BUILD/san/score}
CAPTURES=${CSGUEST_CAPTURES:-$TOP/../shared/captures}
TRACES=$TOP/traces
export ASAN_OPTIONS=${ASAN_OPTIONS:-exitcode=134:allocator_may_return_null=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-exitcode=134:print_stacktrace=1}
# Neither the user's build-id cache nor configuration takes part.
export HOME=$T/home
mkdir -p "$HOME"

[ -x "$CSGUEST" ] || skip_all "$CSGUEST is not built"

# no_captures [FOLDER]: skips a sentence that reads them, and says how to run it.
no_captures() { skip "no captures${1:+ of $1}: make check ONLY=$NAME CSGUEST_CAPTURES=DIR"; }
# need_captures [FOLDER]: ends the test as skipped where the captures, or that one, are absent.
need_captures() {
	[ -e "$CAPTURES/${1-}" ] && return
	no_captures "${1-}"
	exit 0
}

# The perf of Debian's linux-perf.  /usr/bin/perf may be a wrapper script that insists on the
# running kernel's version; then the binary of any version does, since files alone are read.
for PERF in "${CSGUEST_PERF:-}" /usr/bin/perf /usr/bin/perf_* /usr/lib/linux-*/tools/perf/perf ''; do
	[ -f "$PERF" ] && [ -x "$PERF" ] && [ "$(head -c 4 "$PERF" | tail -c 3)" = ELF ] && break
done
perf() { "$PERF" "$@"; }
need_perf() { [ -n "$PERF" ] || skip_all "no perf (package linux-perf)"; }

# LISTER is empty where that OpenCSD came without the program; need_lister skips then.
LISTER=trc_pkt_lister
if [ -n "${OPENCSD_LIB-}" ]; then
	for LISTER in "$OPENCSD_LIB"/../../tests/bin/builddir/trc_pkt_lister "$OPENCSD_LIB"/../bin/trc_pkt_lister ''; do
		[ -x "$LISTER" ] && break
	done
elif ! command -v trc_pkt_lister >/dev/null; then
	LISTER=
fi
pkt_lister() { LD_LIBRARY_PATH=${OPENCSD_LIB-} "$LISTER" "$@"; }
need_lister() { [ -n "$LISTER" ] || skip_all "no trc_pkt_lister of this OpenCSD"; }

# The small fixture whose sources lie beside it, traces/vhe-one-guest, as $fixture; its programs are
# put below $T/sys, and $files holds the options that bring them and both kernels.
fixture=$TRACES/vhe-one-guest
files=(--symfs "$T/sys" --vmlinux "$fixture/host/vmlinux" --guestvmlinux "$fixture/guest/vmlinux")
use_fixture() {
	mkdir -p "$T/sys/usr/bin" "$T/sys/usr/sbin"
	cp "${1-$fixture}/host/qemu-system-aarch64" "$T/sys/usr/bin"
	cp "${1-$fixture}/host/sshd" "$T/sys/usr/sbin"
}
# one_guest COMMAND OPTION...: with sanitizers, of the fixture.
one_guest() { "$CSGUEST_SAN" "$1" -q "${files[@]}" "${@:2}" "$fixture/perf.data"; }

# holds SENTENCE FILTER: of the JSON that the last command printed
holds() {
	is "$1" true "$(jq "$2" "$T/out")"
}

# chains_have SENTENCE KEY LEAST MOST: the sum of the exits' chains and of what is in none
chains_have() {
	holds "$1" "([.chains.rows[].$2] | add) + .chains.rest.$2 | . >= $3 and . <= $4"
}

# The compiler, which may be "ccache gcc".
read -ra cc <<<"${CC:-cc}"

# install_stage: a staged install of the build, below $stage, which pkg-config finds.  The build is
# done and must stay as it is, so the variables make was called with go along, and its folder by the
# same name: another is another command line, for which all is compiled again.
stage=$T/stage
install_stage() {
	case ${MAKEFLAGS-} in
	*'-- '*) MAKEFLAGS="-- ${MAKEFLAGS##*-- }" ;;
	*) MAKEFLAGS= ;;
	esac
	export MAKEFLAGS
	unset MFLAGS MAKELEVEL
	# An OpenCSD that is not the system's needs to be found by its second library, too.
	[ -z "${OPENCSD_LIB-}" ] || export LD_LIBRARY_PATH=$OPENCSD_LIB
	ok "make install works in a staging folder" make -s -C "$TOP" install "B=${B:-build}" DESTDIR="$stage"
	# After that: what is installed already was built with the system's packages.
	export PKG_CONFIG_PATH=$stage/usr/local/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage
}
