# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# What every shell test sources (tests/e2e/*.sh through tests/e2e/lib.sh, tests/lint/*.sh directly).
# A test is a bash script that states sentences:
#
#	. "$(dirname "$0")/lib.sh"
#	ok "it says its version" "$CSGUEST" --version
#	exits 10 "a text file is refused" "$CSGUEST" info /etc/passwd
#	has "file, offset and remedy are named" 'remedy' "$T/err"
#	skip "there is no perf"
#
# A sentence that does not hold is printed with what was seen and counted; the test goes on.  At its
# end it prints `N passed, N failed, N skipped` and exits with 1 when something failed or nothing
# ran. It runs in no particular directory, alone or beside others, by itself or through
# tests/run.sh, which puts those that take long in order by what they say of it: `# Takes 40 s.`
#
# Variables: TOP the project's folder, BUILD its build folder, T a folder of the test's own that
# goes away with it, NAME such as e2e/report.  After ok, exits and fails the command's output is in
# $T/out and $T/err.

set -u
export LC_ALL=C
unset PERF_CONFIG XDG_CONFIG_HOME DEBUGINFOD_URLS
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${B:-build}
[[ $BUILD = /* ]] || BUILD=$TOP/$BUILD
NAME=$(basename "$(dirname "$0")")/$(basename "$0" .sh)
T=$(mktemp -d "${TMPDIR:-/tmp}/csguest.XXXXXX") || exit 1
passed=0 failed=0 skipped=0

finish() {
	local rc=$?
	rm -rf "$T"
	if [ $rc -ne 0 ] && [ $failed -eq 0 ]; then
		echo "FAILED $NAME: ended early with status $rc"
		failed=1
	fi
	echo "$NAME: $passed passed, $failed failed, $skipped skipped"
	[ $failed -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
	# In a trap, exit alone would end with the status from before the trap.
	exit $?
}
trap finish EXIT
trap 'exit 130' INT TERM

pass() {
	passed=$((passed + 1))
	[ -z "${VERBOSE-}" ] || echo "ok     $NAME: $1"
}

# fail SENTENCE [FILE...]: the sentence does not hold; shows the first lines of the files.
fail() {
	failed=$((failed + 1))
	echo "FAILED $NAME: $1"
	shift
	for file; do
		[ -s "$file" ] && head -n 20 "$file" | cut -c1-300 | sed "s|^|    |"
	done
	return 0
}

skip() {
	skipped=$((skipped + 1))
	echo "skip   $NAME: $1"
}

# skip_all WHY: ends the test; what it had to say counts as one skipped sentence.
skip_all() {
	skip "$1"
	exit 0
}

# need PROGRAM...: ends the test as skipped where one is not installed.
need() {
	local program
	for program; do command -v "$program" >/dev/null || skip_all "no $program"; done
}

# exits STATUS SENTENCE COMMAND...: holds when the command ends with that status.
exits() {
	local want=$1 sentence=$2 rc
	shift 2
	"$@" >"$T/out" 2>"$T/err" </dev/null
	rc=$?
	if [ $rc -eq "$want" ]; then
		pass "$sentence"
	else
		echo "    $* ended with $rc, not $want" >"$T/why"
		fail "$sentence" "$T/why" "$T/err" "$T/out"
		return 1
	fi
}

# ok SENTENCE COMMAND...: holds when the command succeeds.
ok() { exits 0 "$@"; }

# fails SENTENCE COMMAND...: holds when the command ends with a status from 1 to 99: neither success
# nor a signal, an unknown command or a sanitizer's finding.
fails() {
	local sentence=$1 rc
	shift
	"$@" >"$T/out" 2>"$T/err" </dev/null
	rc=$?
	if [ $rc -ge 1 ] && [ $rc -le 99 ]; then
		pass "$sentence"
	else
		echo "    $* ended with $rc" >"$T/why"
		fail "$sentence" "$T/why" "$T/err" "$T/out"
		return 1
	fi
}

# same SENTENCE EXPECTED SEEN: holds when the two files are equal; EXPECTED may not be empty.
same() {
	if [ ! -s "$2" ]; then
		echo "    nothing to compare with: $2 is empty or absent" >"$T/why"
		fail "$1" "$T/why"
	elif diff "$2" "$3" >"$T/diff" 2>&1; then
		pass "$1"
		return 0
	else
		fail "$1" "$T/diff"
	fi
	return 1
}

# has SENTENCE REGEX FILE: holds when a line of the file matches the extended regular expression.
has() {
	if grep -Eq -e "$2" "$3"; then
		pass "$1"
	else
		echo "    no line matches: $2" >"$T/why"
		fail "$1" "$T/why" "$3"
		return 1
	fi
}

# hasnt SENTENCE REGEX FILE: holds when no line of the file matches.
hasnt() {
	if grep -En -e "$2" "$3" >"$T/why"; then
		fail "$1" "$T/why"
		return 1
	fi
	pass "$1"
}

# is SENTENCE EXPECTED SEEN: holds when the two strings are equal.
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		printf '    expected %s\n    seen     %s\n' "$2" "$3" >"$T/why"
		fail "$1" "$T/why"
		return 1
	fi
}

# none SENTENCE FILE: holds when the file or pipe, a list of offenders, is empty.
none() {
	local list=$T/.none
	# A pipe has no size.
	cat "$2" >"$list"
	if [ -s "$list" ]; then
		fail "$1" "$list"
		return 1
	fi
	pass "$1"
}
