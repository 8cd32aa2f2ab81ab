#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/run.sh [JOB...]
#
# Runs what `make check-run` has built: the unit tests, every executable tests/e2e/*.sh and
# tests/lint/*.sh, and every fuzzer for FUZZ_SECONDS.  With LONG=1 it runs tests/long/*.sh instead
# (make check-long). JOB selects those whose names begin so (unit, e2e/report, lint/).  JOBS (2) run
# side by side.  Each writes to build/check/JOB.log, of which is shown what failed or was skipped,
# and ends by saying `N passed, N failed, N skipped`; one that says nothing of the kind, or takes
# more than JOB_SECONDS (600), counts as a failure.  At the end all that was skipped is listed with
# the command that runs it.  The last line is the sum.  Fails when something failed or when nothing
# ran.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1
export B=${B:-build} ASAN_OPTIONS=${ASAN_OPTIONS-}
TMPDIR=$(tests/scratch.sh) || exit 1
export TMPDIR
log=$B/check
count='[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
rm -rf "$log"
mkdir -p "$log"

# fuzz NAME: a libFuzzer target counts as one test: first all of its corpus, then what it makes of
# that for the rest of the seconds.  What it finds interesting is kept in build/. Long runs are done
# by children that are replaced now and then, because OpenCSD loses memory.  For that reason
# libFuzzer would look for leaks after each input of those that decode, which takes most of their
# time: LeakSanitizer does so at the end.
fuzz() {
	local corpus=$B/fuzz/corpus/$1 found=$B/fuzz/found/$1- seconds=${FUZZ_SECONDS:-5} fork= leaks=
	[ "$seconds" -le 60 ] || fork=-fork=1
	case $1 in engines | trace) leaks=-detect_leaks=0 ;; esac
	mkdir -p "$corpus" "${found%/*}"
	# shellcheck disable=SC2086
	if ASAN_OPTIONS=quarantine_size_mb=32:$ASAN_OPTIONS "$B/fuzz/$1" -seed="${FUZZ_SEED:-1}" -max_total_time="$seconds" -timeout=5 \
		-rss_limit_mb=512 $fork $leaks -artifact_prefix="$found" "$corpus" "tests/fuzz/corpus/$1"; then
		echo "fuzz/$1: 1 passed, 0 failed, 0 skipped"
	else
		echo "FAILED fuzz/$1: input kept as $found*"
		echo "fuzz/$1: 0 passed, 1 failed, 0 skipped"
		return 1
	fi
}

# one JOB: runs it, leaves its log, its result line and its seconds, those of the CPUs as well.
one() {
	local job=$1 out=$log/${1//\//-} rc start=$SECONDS
	case $job in
	unit) timeout -k 10 "${JOB_SECONDS:-600}" "$B/unit" ;;
	fuzz/*) fuzz "${job#fuzz/}" ;;
	*) timeout -k 10 "${JOB_SECONDS:-600}" "tests/$job.sh" ;;
	esac >"$out.log" 2>&1 </dev/null
	rc=$?
	[ $rc -ne 124 ] || echo "FAILED $job: took too long" >>"$out.log"
	if ! grep -Eq "$count" "$out.log" || { [ $rc -ne 0 ] && ! grep -Eq ' [1-9][0-9]* failed,' "$out.log"; }; then
		echo "FAILED $job: ended with status $rc" >>"$out.log"
		echo "$job: 0 passed, 1 failed, 0 skipped" >>"$out.log"
	fi
	grep -E "$count" "$out.log" | tail -n 1 >"$out.result"
	# Of all processes that this one has waited for.
	times >"$out.times"
	# In one write, so that the lines of two jobs do not mix.
	printf '%s\n' "$(
		details "$out"
		printf '%-28s %s  (%d s, CPU %.0f s)' "$job" "$(sed 's/^[^:]*: //' "$out.result")" $((SECONDS - start)) \
			"$(tr ms '  ' <"$out.times" | awk 'NR == 2 { print $1 * 60 + $2 + $3 * 60 + $4 }')"
	)"
}

# details LOG: what a reader of the whole run wants to see of one job.
details() {
	if grep -q ' 0 failed,' "$1.result"; then
		grep '^skip ' "$1.log"
	else
		grep -Ev "$count" "$1.log" | tail -n 60
	fi
}

# skipped: what was skipped, and how to run it where its reason does not say that: set-up may not
# have run. No command runs what is pending or a known difference.
skipped() {
	grep -hs '^skip ' "$log"/*.log >"$log/skipped" || return
	printf '\nskipped:\n'
	sed -E 's/^skip +/  /; /make |is pending|known difference/!s/^  ([^:]*): .*/&: make check'"${LONG:+-long}"' ONLY=\1/' "$log/skipped"
}

# What fails fastest comes first, then those that say they take seconds (`# Takes 40 s.`, of a CPU),
# the longest first; the fuzzers, all of the same length, fill both places up to the end.
jobs_there() {
	local f
	if [ -n "${LONG-}" ]; then
		for f in tests/long/*.sh; do [ -x "$f" ] && f=${f#tests/} && echo "${f%.sh}"; done
		return 0
	fi
	[ -x "$B/unit" ] && echo unit
	for f in tests/lint/*.sh tests/e2e/*.sh; do [ -x "$f" ] && echo "$f"; done >"$log/scripts"
	xargs -r awk 'FNR == 1 { if (name) print n + 0, name; name = FILENAME; n = 0 }
		/^# Takes [0-9]+ s\.$/ { n = $3 }
		END { if (name) print n + 0, name }' <"$log/scripts" | sort -s -k1,1nr |
		awk '$1 { late[++n] = $2; next } { print $2 } END { for (i = 1; i <= n; i++) print late[i] }' | sed 's|^tests/||;s|\.sh$||'
	for f in "$B"/fuzz/*; do [ -f "$f" ] && [ -x "$f" ] && [ -e "tests/fuzz/${f##*/}.c" ] && echo "fuzz/${f##*/}"; done
	return 0
}

wanted() {
	[ $# -eq 1 ] && return 0
	local job=$1
	shift
	for prefix; do [[ $job == "$prefix"* ]] && return 0; done
	return 1
}

# shellcheck disable=SC2046
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM
running=0
for job in $(jobs_there); do
	wanted "$job" "$@" || continue
	if [ $running -ge "${JOBS:-2}" ]; then
		wait -n
		running=$((running - 1))
	fi
	one "$job" &
	running=$((running + 1))
done
wait

skipped
cat "$log"/*.result 2>/dev/null | awk '
	{ sub(/^[^:]*: /, ""); p += $1; f += $3; s += $5 }
	END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0 }'
