#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Where `make perf` takes its base from, and what it says of one that does not fit.
# Takes 12 s.
. "$(dirname "$0")/lib.sh"
patches=$TOP/perf-patches

# base SERIES: the base alone, as build.sh takes it.  THIS_TREE stands for the hash in the table of
# bases.
cat >"$T/base.sh" <<'END'
. "$1/lib.sh"
choose "$2"
TREE=${THIS_TREE-$TREE}
base_into "$3"
END
tree_of() { bash -c '. "$1/lib.sh"; tree_of "$2"' - "$patches" "$1"; }
base() { bash "$T/base.sh" "$patches" "$1" "$T/base"; }

# The series' own test for perf test, where perf was built: it brings all that it needs.
own_test() {
	local perf=$BUILD/perf-$series
	if [ ! -x "$perf" ] || ! "$perf" check feature -q libcsguest >"$T/out" 2>&1; then
		skip "$series: its test: no perf with libcsguest"
		return
	fi
	mkdir -p "$T/bin.$series"
	ln -sf "$perf" "$T/bin.$series/perf"
	PATH=$T/bin.$series:$PATH ok "$series: its own test passes" bash "$T/$series/tools/perf/tests/shell/test_cs_etm_guest.sh"
}

# The recording that it brings is one that the scenario still plays: whoever changes that makes it
# anew.
own_recording() {
	if [ ! -x "$BUILD/san/scenario" ]; then
		skip "$series: its recording: $BUILD/san/scenario is not built"
		return
	fi
	mkdir -p "$T/brought.$series"
	sed '1,/^exit \$err$/d' "$T/$series/tools/perf/tests/shell/test_cs_etm_guest.sh" | base64 -d | tar -xzf - -C "$T/brought.$series"
	ok "$series: the recording of its own test is played" "$patches/recording.sh" "$T/played.$series"
	diff -r "$T/played.$series" "$T/brought.$series" >"$T/offenders" 2>&1
	none "$series: which its test brings as it is (perf-patches/recording.sh)" "$T/offenders"
}

for series in 6.12 7.3; do
	"$patches/tree.sh" $series "$T/$series" >"$T/out" 2>"$T/err"
	case $? in
	0) pass "$series: the series makes a git repository" ;;
	3)
		skip "no base of the $series series: make check ONLY=e2e/perf-base CSGUEST_SHARED=DIR (perf-patches/README.md)"
		continue
		;;
	*)
		fail "$series: the series makes a git repository" "$T/err"
		continue
		;;
	esac
	ok "$series: of which the patches are written again" "$patches/generate.sh" $series "$T/$series" "$T/$series.out"
	diff -r "$patches/$series" "$T/$series.out" >"$T/offenders" 2>&1
	none "$series: as they are: nobody edited them by hand" "$T/offenders"
	own_recording
	own_test
	git -C "$T/$series" checkout -q base
	[ ! -d "${CSGUEST_SHARED:-$TOP/../shared}/perf-base" ] ||
		is "$series: the table of bases has the release's hash" "$(awk -v series=$series '$1 == series { print $3 }' "$patches/bases")" "$(tree_of "$T/$series")"
done
[ -d "$T/6.12/tools" ] || exit 0

KERNEL_SRC=$T/6.12 ok "sources of the user's are taken" base 6.12
has "and named" "base: $T/6.12" "$T/err"
none "and left as they are" <(git -C "$T/6.12" status --porcelain)
cp -a "$T/6.12" "$T/newer"
sed -i 's/\<etmq\>/queue/' "$T/newer/tools/perf/util/cs-etm.c"
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 999\n' >"$T/newer/Makefile"
exits 1 "sources that the series does not apply to are refused" env KERNEL_SRC="$T/newer" bash "$T/base.sh" "$patches" 6.12 "$T/base"
has "by the file that differs" 'cs-etm\.c' "$T/err"
has "with both versions" 'made for Linux 6\.12\.117 and does not apply to 6\.12\.999 of ' "$T/err"
has "with the ways that do" 'KERNEL_SRC=DIR .*sources of Linux 6\.12\.' "$T/err"
exits 1 "a folder that is no kernel is refused" env KERNEL_SRC="$T" bash "$T/base.sh" "$patches" 6.12 "$T/base"
exits 1 "a series that is not there is refused" base 5.4
has "with those that are" '6\.12 7\.3' "$T/err"

# pack FOLDER NAME: a packed kernel.
export CSGUEST_SHARED=$T/nowhere KERNEL_MIRROR=file://$T/mirror LINUX_SOURCE=$T/nothing B=$T/build
pack() { tar -C "$1" --exclude .git --exclude PERF-VERSION-FILE --transform "s|^\.|$2|" -cf - . | xz -0; }

# Debian's package of them, and a newer one.
pack "$T/6.12" linux-source-6.12 >"$T/linux-source-6.12.tar.xz"
LINUX_SOURCE=$T/linux-source-6.12.tar.xz ok "Debian's sources are taken" base 6.12
cp -a "$T/base" "$T/first"
LINUX_SOURCE=$T/linux-source-6.12.tar.xz ok "and a second time" base 6.12
diff -r "$T/first" "$T/base" >"$T/offenders" 2>&1
none "which gives the same" "$T/offenders"
pack "$T/newer" linux-source-6.12 >"$T/linux-source-6.12.tar.xz"
for time in first second; do
	LINUX_SOURCE=$T/linux-source-6.12.tar.xz exits 1 "newer ones that the series does not apply to are refused the $time time" base 6.12
	has "with both versions, the $time time" 'made for Linux 6\.12\.117 and does not apply to 6\.12\.999 of .*linux-source-6\.12\.tar\.xz' "$T/err"
done

# What make says installs them.
cat >"$T/setup" <<END
#!/bin/bash
echo "\$*" >"$T/asked"
cp "$T/linux-source.kept" "$T/installed.tar.xz"
END
chmod +x "$T/setup"
pack "$T/6.12" linux-source-6.12 >"$T/linux-source.kept"
SETUP=$T/setup LINUX_SOURCE=$T/installed.tar.xz ok "set-up installs them" base 6.12
is "as Debian calls them" linux-source-6.12 "$(cat "$T/asked")"
rm "$T/asked"
SETUP=$T/setup KERNEL_SRC=$T/6.12 ok "where no others are found" base 6.12
ok "and not else" [ ! -e "$T/asked" ]

# The release as kernel.org has it, and one that is not what it says.
mkdir -p "$T/mirror/v6.x"
release=$T/mirror/v6.x/linux-6.12.117.tar.xz
pack "$T/6.12" linux-6.12.117 >"$release"
THIS_TREE=$(tree_of "$T/6.12") ok "a release is downloaded" base 6.12
echo >>"$T/6.12/tools/perf/perf.c"
pack "$T/6.12" linux-6.12.117 >"$release"
exits 1 "and refused where it is not the one that is meant" base 6.12
has "as its hash says" 'is not the release' "$T/err"
rm -r "$T/mirror"
exits 3 "without any base" base 6.12
has "the ways to one are said" 'apt-get install linux-source-6\.12' "$T/err"
has "and why kernel.org's is not taken" 'curl: \(37\)' "$T/err"
exits 3 "nor is anything built" "$patches/build.sh" --find 6.12
