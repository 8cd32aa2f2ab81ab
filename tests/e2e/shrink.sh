#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A file that becomes shorter while a command reads it is an error that names it: never a signal,
# and no output is left. A shim cuts it right after the command has mapped it or read from it. Takes
# 15 s.
. "$(dirname "$0")/lib.sh"

shim=$BUILD/shim/shrink.so
[ -e "$shim" ] || skip_all "$shim is not built"
use_fixture
mkdir -p "$T/host" "$T/guest"
cp "$fixture/host/vmlinux" "$T/host"
cp "$fixture/guest/vmlinux" "$T/guest"
cp "$fixture/perf.data" "$T"
cp "$fixture/perf.data" "$T/guest.data"
files=(--symfs "$T/sys" --vmlinux "$T/host/vmlinux" --guestvmlinux "$T/guest/vmlinux")
o=$T/work/output

# What each command writes goes to $o.
cases() {
	echo "report report"
	echo "jobs report -j 2"
	echo "lines script --itrace=i10igl -F +srcline,+insn"
	echo "explain explain --cpu 0"
	echo "exits exits"
	echo "verify verify"
	echo "flame flame"
	echo "csv export --csv $o"
	echo "chrome export --chrome $o"
	echo "uftrace export --uftrace $o"
	echo "autofdo export --autofdo $o"
	echo "sqlite export --sqlite $o"
	echo "html timeline --html $o"
	echo "inject inject -o $o"
}
# run WORD...: a command on the recording; all that it puts out is in $T/result.
run() {
	local after=() rc

	[ "$1" != explain ] || after=(1000)
	rm -rf "$T/work"
	mkdir "$T/work"
	timeout 60 "$CSGUEST" "$@" "${files[@]}" "$T/perf.data" "${after[@]}" >"$T/out" 2>"$T/err" </dev/null
	rc=$?
	{
		echo "status $rc"
		cat "$T/out" "$T/err"
		find "$T/work" -type f -exec sha256sum {} + | sort
	} >"$T/result"
	return $rc
}
# cut_at N BYTES FILE WORD...: the same, and FILE has BYTES after it was used N times.
cut_at() {
	local n=$1 bytes=$2 file=$3 rc

	shift 3
	cp "$file" "$T/kept"
	SHRINK_FILE=$file SHRINK_TO=$bytes SHRINK_AT=$n LD_PRELOAD=$shim run "$@"
	rc=$?
	cp "$T/kept" "$file"
	return $rc
}

while read -r name words; do
	read -ra words <<<"$words"
	run "${words[@]}"
	mv "$T/result" "$T/whole"
	: >"$T/offenders"
	ends=0
	for file in "$T/host/vmlinux" "$T/guest/vmlinux" "$T/sys/usr/bin/qemu-system-aarch64" "$T/sys/usr/sbin/sshd"; do
		for n in 1 2; do
			cut_at $n 0 "$file" "${words[@]}"
			rc=$?
			# What was read by then is all that was needed.
			cmp -s "$T/result" "$T/whole" && continue
			ends=$((ends + 1))
			[ $rc = 4 ] && grep -qF "csguest: error: $file: became shorter" "$T/err" && [ -z "$(ls -A "$T/work")" ] && continue
			echo "$file, use $n: status $rc, left: $(ls -A "$T/work"), $(head -n 2 "$T/err" | tr '\n' '|')"
		done
	done >"$T/offenders"
	none "$name: an image that becomes shorter ends it, and nothing is left" "$T/offenders"
	ok "$name: which happened" test $ends -gt 0
done < <(cases)

# Recordings are read and not mapped: what is missing counts as damage.
files+=(--guest "g,pid=4100,perf=$T/guest.data")
for words in report "export --csv $o" "inject -o $o" info; do
	read -ra words <<<"$words"
	[ "${words[0]}" != info ] || files=()
	for file in "$T/perf.data" "$T/guest.data"; do
		[ "${words[0]} $file" != "info $T/guest.data" ] || continue
		for n in 1 3 9; do
			for bytes in 0 4096; do
				cut_at $n $bytes "$file" "${words[@]}"
				rc=$?
				[ $rc -lt 124 ] && grep -qF "$file" "$T/err" && grep -q remedy "$T/err" && continue
				echo "${words[0]}, $file, use $n, $bytes bytes left: status $rc, $(head -n 2 "$T/err" | tr '\n' '|')"
			done
		done
	done
done >"$T/offenders"
none "a recording that becomes shorter is named, with the remedy" "$T/offenders"
