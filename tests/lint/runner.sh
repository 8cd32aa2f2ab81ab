#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/run.sh and tests/lib.sh themselves: a failure must not get lost.
. "$(dirname "$0")/../lib.sh"

# new_project: an empty one below $T/p.
new_project() {
	rm -rf "$T/p"
	mkdir -p "$T/p/tests/e2e" "$T/p/tests/lint" "$T/p/build"
	cp "$TOP/tests/run.sh" "$TOP/tests/lib.sh" "$TOP/tests/scratch.sh" "$T/p/tests"
}
# new_test NAME < BODY
new_test() {
	{ echo '#!/bin/bash'; echo '. "$(dirname "$0")/../lib.sh"'; cat; } >"$T/p/tests/e2e/$1.sh"
	chmod +x "$T/p/tests/e2e/$1.sh"
}
last() { tail -n 1 "$T/out"; }
# What a test that is killed leaves goes away with this one's.
run() { TMPDIR=$T B=build "$T/p/tests/run.sh" "$@"; }

new_project
exits 1 "a run without any test fails" run
is "and says so" "0 passed, 0 failed, 0 skipped" "$(last)"

new_test good <<<'ok a true; ok b true; skip "c is not here"'
ok "good tests pass" run
is "sentences are counted" "2 passed, 0 failed, 1 skipped" "$(last)"
has "what was skipped is shown" 'skip .*c is not here' "$T/out"
has "and listed at the end with the command that runs it" '^  e2e/good: c is not here: make check ONLY=e2e/good$' "$T/out"
new_test bad <<<'ok a true; ok "the moon is cheese" false'
exits 1 "a failed sentence fails the run" run
is "and is counted" "3 passed, 1 failed, 1 skipped" "$(last)"
has "and is shown" 'FAILED e2e/bad: the moon is cheese' "$T/out"
exits 1 "a failed sentence fails the test that is run alone" "$T/p/tests/e2e/bad.sh"
new_test bad <<<'ok "the moon is cheese" false; ok a true'
exits 1 "though the last sentence holds" "$T/p/tests/e2e/bad.sh"
ok "a test alone whose sentences hold passes" "$T/p/tests/e2e/good.sh"
ok "jobs can be chosen" run e2e/good
exits 1 "a choice that fits no job fails" run e2e/nothing

new_project
for name in along:2 b longest:30 short; do
	new_test "${name%:*}" <<END
$([[ $name != *:* ]] || echo "# Takes ${name#*:} s.")
ok a true
END
done
JOBS=1 ok "jobs that take long" run
is "come last, the longest first" "e2e/b e2e/short e2e/longest e2e/along" "$(awk '/^e2e/ { print $1 }' "$T/out" | xargs)"

new_project
new_test good <<<'ok a true'
mkdir "$T/p/tests/long"
mv "$T/p/tests/e2e/good.sh" "$T/p/tests/long/hours.sh"
new_test good <<<'ok a true; ok b true'
ok "a run leaves the long tests out" run
is "all of them" "2 passed, 0 failed, 0 skipped" "$(last)"
LONG=1 ok "unless they are wanted" run
is "and then runs only them" "1 passed, 0 failed, 0 skipped" "$(last)"

new_project
new_test dies <<<'ok a true; exit 7'
exits 1 "a test that ends early fails" run
is "and counts once" "1 passed, 1 failed, 0 skipped" "$(last)"
new_test dies <<<'ok a true; kill -KILL $$'
exits 1 "a test that is killed fails" run
is "and counts once too" "0 passed, 1 failed, 0 skipped" "$(last)"
new_test dies <<<'ok a true; sleep 30'
export JOB_SECONDS=1
exits 1 "a test that hangs fails" run
unset JOB_SECONDS
has "and is said to have taken too long" 'too long' "$T/out"
new_test dies <<<':'
exits 1 "a test without sentences fails" run
new_test dies <<<'skip_all "nothing here"; ok never false'
exits 1 "a run in which everything was skipped fails" run
is "though it counts no failure" "0 passed, 0 failed, 1 skipped" "$(last)"

new_project
new_test helpers <<'END'
fails "a missing command is no clean failure" no-such-command
fails "success is no failure" true
fails "a signal is no clean failure" bash -c 'kill -SEGV $$'
exits 3 "another status" bash -c 'exit 4'
same "nothing equals nothing" /dev/null /dev/null
has "a line that is not there" xyz /dev/null
hasnt "a line that is there" root /etc/passwd
is "two strings" a b
none "an empty list" /etc/passwd
END
exits 1 "each helper can fail" run
is "all of them did" "0 passed, 9 failed, 0 skipped" "$(last)"
