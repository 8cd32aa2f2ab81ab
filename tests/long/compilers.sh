#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command and the libraries build without a warning with the compilers of Debian 12 and 13 and
# the options that distributions use, and every build reports the same of a recording.  Each release
# is a bare root of its own. ROOTS='bookworm:gcc-12,clang-19 trixie:gcc-14' tests less.  Needs root
# and Debian's mirrors. Takes 3000 s.
. "$(dirname "$0")/../lib.sh"
cd "$TOP" || exit 1
[ "$(id -u)" -eq 0 ] || skip_all "only root can make a bare root"

levels=(
	'-O0 -g -U_FORTIFY_SOURCE'
	'-O1 -g'
	'-O2 -g'
	'-O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3'
	'-O3 -g -flto=auto'
)
root=
trap '[ -z "$root" ] || .ci/root remove "$root"; finish' EXIT
in_root() { .ci/root enter "$root" "$@"; }

# packages_of COMPILER: with what links objects that the compiler optimizes as a whole program.
packages_of() {
	case $1 in
	clang-*) echo "$1 llvm${1#clang} llvm${1#clang}-linker-tools" ;;
	*) echo "$1" ;;
	esac
}
ar_of() {
	case $1 in
	clang-*) echo "llvm-ar${1#clang}" ;;
	*) echo "gcc-ar${1#gcc}" ;;
	esac
}

# reports: the guests' recordings are not given, which is a loss.
reports() {
	in_root csguest/build/csguest report --quiet --by world,vm,vcpu,pid,el --format csv recording/perf.data
}

# builds SUITE COMPILER LEVEL
builds() {
	local what="$1, $2 $3" level=$3
	[[ $2 != clang-* ]] || level=${level/-flto=auto/-flto} # as they are documented
	in_root rm -rf csguest/build
	ok "$what: all is built" in_root make -s -C csguest -j2 SETUP=: CC="$2" AR="$(ar_of "$2")" OPT="$level" WERROR=1 all || return
	hasnt "$what: the linker does not warn" 'warning:' "$T/err"
	ok "$what: the command reports" reports
	[ -e "$T/report" ] || cp "$T/out" "$T/report"
	same "$what: what the first build reported" "$T/report" "$T/out"
}

# release SUITE COMPILER...
release() {
	local suite=$1 compiler level packages
	shift
	root=$T/$suite
	packages=$(for compiler; do packages_of "$compiler"; done)
	# shellcheck disable=SC2086
	ok "a bare root of $suite is made, with $*" .ci/root make "$suite" "$root" git make ca-certificates $packages || return
	ok "$suite: it holds a clone of HEAD" .ci/root clone "$root"
	ok "$suite: it has the libraries" in_root csguest/.ci/setup build
	mkdir "$root/root/recording" && tar --zstd -xf traces/two-guests/two-guests.tar.zst -C "$root/root/recording"
	for compiler; do
		for level in "${levels[@]}"; do
			builds "$suite" "$compiler" "$level"
		done
	done
	.ci/root remove "$root"
	root=
}

for suite in ${ROOTS:-bookworm:gcc-12,clang-14,clang-19 trixie:gcc-14,clang-19}; do
	# shellcheck disable=SC2046
	release "${suite%%:*}" $(tr , ' ' <<<"${suite#*:}")
done
