#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The thread sanitizer finds nothing in any view, whichever number of threads decodes.
# Takes 180 s.
. "$(dirname "$0")/../e2e/lib.sh"

CSGUEST_TSAN=${CSGUEST_TSAN:-$BUILD/tsan/csguest}
export TSAN_OPTIONS=exitcode=66:halt_on_error=1
[ -x "$CSGUEST_TSAN" ] || skip_all "$CSGUEST_TSAN is not built"
# The sanitizer wants addresses where it expects them.
tsan() { setarch -R "$CSGUEST_TSAN" "$@"; }
tsan --version >"$T/out" 2>&1 || skip_all "the thread sanitizer does not run here"

# recording NAME: unpacks it, and sets images.
recording() {
	recording=$T/$1
	mkdir "$recording"
	tar --zstd -C "$recording" -xf "$TRACES/$1/$1.tar.zst"
	images=(--symfs "$recording/symfs" --buildid-dir "$recording/buildid")
}

for name in tiny-guests two-guests; do
	recording "$name"
	for command in "report --by world,vm,vcpu,process,symbol" "script" "dump" "summary" "timeline" "exits" \
		"export --csv -" "flame --format folded"; do
		for jobs in 2 3 16; do
			# shellcheck disable=SC2086
			tsan $command -q --engine=fast -j $jobs "${images[@]}" "$recording/perf.data" >"$T/out" 2>"$T/err"
			status=$?
			if [ $status -eq 0 ]; then
				pass "$name: no race in csguest $command with $jobs threads"
			else
				fail "$name: csguest $command with $jobs threads ends with $status" "$T/err"
			fi
		done
	done
done
# What is missing is reported by several threads.
tsan report --strict --engine=fast -j 3 "$recording/perf.data" >"$T/out" 2>"$T/err"
is "no race where code is missing" 18 $?
