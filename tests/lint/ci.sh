#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# .ci/run with roots that are only folders: what a stage counts or fails must not get lost, and no
# root may be left.
. "$(dirname "$0")/../lib.sh"

# new_project: its .ci/root notes what it was asked, in $T/p/asked; commands in a root print
# $T/p/says/demo, check or shared and end with the status that its last line says.
new_project() {
	rm -rf "$T/p"
	mkdir -p "$T/p/csguest/.ci" "$T/p/csguest/tests/e2e" "$T/p/shared" "$T/p/says" "$T/p/tmp"
	cp "$TOP/.ci/run" "$T/p/csguest/.ci"
	echo need_captures >"$T/p/csguest/tests/e2e/reader.sh"
	printf '%s:\n\t@echo %s in place; %s\n' demo demo : check check "echo '7 passed, 0 failed, 0 skipped'" >"$T/p/csguest/Makefile"
	cat >"$T/p/csguest/.ci/root" <<-END
		#!/bin/bash
		cd "$T/p" && echo "\$*" >>asked
		say() { cat says/"\$1"; exit "\$(tail -n 1 says/"\$1" | sed -n 's/^status //p')"; }
		case "\$*" in
		make*) [ ! -e no-root ] && mkdir "\$3" ;;
		remove*) rm -r "\$2" ;;
		clone*) ;;
		*ONLY=*) say shared ;;
		*" check-arm64 WERROR=1 QUICK=1") say arm64 ;;
		*" check WERROR=1") say check ;;
		*" demo WERROR=1") say demo ;;
		esac
	END
	chmod +x "$T/p/csguest/.ci/root"
	said demo 0
	said check 0 '10 passed, 0 failed, 3 skipped'
	said arm64 0 '2 passed, 0 failed, 0 skipped'
	said shared 0 '4 passed, 0 failed, 1 skipped'
}
# said NAME STATUS LINE...
said() { { [ $# -lt 3 ] || printf '%s\n' "${@:3}"; echo "status $2"; } >"$T/p/says/$1"; }
run() { TMPDIR=$T/p/tmp bash "$T/p/csguest/.ci/run"; }
last() { tail -n 1 "$T/out"; }

new_project
ok "a good run succeeds" run
is "stages are summed up, each that does not count as one" "20 passed, 0 failed, 4 skipped" "$(last)"
has "the seconds of each are said" '^=== debian-12-check +[0-9]+ s: 10 passed, 0 failed, 3 skipped$' "$T/out"
is "in roots of both releases" "bookworm trixie" "$(sed -n 's/^make \([a-z]*\) .*/\1/p' "$T/p/asked" | xargs)"
has "what reads ../shared runs with it" "^enter .* --bind $T/p/shared /root/shared make -C csguest check WERROR=1 .*ONLY=e2e/perf.* e2e/reader" "$T/p/asked"
is "no root is left" "" "$(ls "$T/p/tmp")"
said check 0 'skip   e2e/reader: no captures' 'e2e/reader                   0 passed, 0 failed, 1 skipped  (1 s, CPU 1 s)' \
	'skip   e2e/moon: no cheese' 'e2e/moon                   1 passed, 0 failed, 1 skipped  (1 s, CPU 1 s)' '1 passed, 0 failed, 2 skipped'
said shared 0 'e2e/reader                   3 passed, 0 failed, 0 skipped  (1 s, CPU 1 s)' '3 passed, 0 failed, 0 skipped'
ok "a test that is skipped in one root" run
is "is not listed where another ran it" "skip   e2e/moon: no cheese" "$(sed -n '/^=== skipped/,/^$/{/^===/d;/^$/d;p}' "$T/out")"

new_project
rm -r "$T/p/shared"
ok "without ../shared" run
is "the rest runs" "16 passed, 0 failed, 3 skipped" "$(last)"

new_project
said check 2 '10 passed, 2 failed, 3 skipped' 'make: *** [Makefile:1: check] Error 1'
exits 1 "failed tests fail the run" run
is "and are counted" "20 passed, 2 failed, 4 skipped" "$(last)"
said check 2 '10 passed, 0 failed, 3 skipped'
exits 1 "so does a stage that fails after it counted none" run
is "which counts as one" "20 passed, 1 failed, 4 skipped" "$(last)"
said check 2
exits 1 "so does one that counts nothing" run
is "and as one failure" "10 passed, 1 failed, 1 skipped" "$(last)"
new_project
said arm64 2 '1 passed, 1 failed, 0 skipped'
exits 1 "so do those for arm64" run
is "which are counted" "19 passed, 1 failed, 4 skipped" "$(last)"
new_project
said demo 2
exits 1 "so does a demo" run
is "in each root" "18 passed, 2 failed, 4 skipped" "$(last)"

new_project
touch "$T/p/no-root"
CI=true exits 1 "in CI it is a failure that no root can be made" run
is "which is counted" "0 passed, 1 failed, 0 skipped" "$(last)"
CI='' ok "elsewhere both commands run in place" run
has "after a warning" '^warning: no bare root' "$T/out"
has "the demo as well" '^demo in place' "$T/out"
is "and count" "8 passed, 0 failed, 0 skipped" "$(last)"

# Who is told to end ends what runs in the root as well.
new_project
sed -i "s|^\*. check .*|*check*) touch running; exec sleep 1000.$$ ;;|" "$T/p/csguest/.ci/root"
TMPDIR=$T/p/tmp bash "$T/p/csguest/.ci/run" >"$T/out" 2>&1 &
for i in {1..300}; do [ ! -e "$T/p/running" ] || break; sleep 0.1; done
kill -TERM $!
wait $!
is "SIGTERM ends a run" 143 $?
is "no root is left then" "" "$(ls "$T/p/tmp")"
for i in {1..50}; do grep -qsa '^sleep.1000\.'$$ /proc/[0-9]*/cmdline || break; sleep 0.1; done
is "nor any process" "" "$(grep -lsa '^sleep.1000\.'$$ /proc/[0-9]*/cmdline)"
