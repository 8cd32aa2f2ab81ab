#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The golden script (docs/contributing.md): equal commands are equal, and no change of output,
# messages or status is lost. Takes 20 s.
. "$(dirname "$0")/lib.sh"
for program in "$BUILD/san/scenario" "$BUILD/tools/less"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
export B=$BUILD ONLY="scenario.guest-user-straight scenario.no-comms trace.vhe-one-guest"
golden() { "$TOP/tests/golden/golden.sh" "$@"; }

# changed SED [out|err [STATEMENT]]: $T/changed is csguest with its output, or its messages,
# changed; STATEMENT may change its status, rc.
changed() {
	cat >"$T/changed" <<END
#!/bin/bash
if [ "${2-out}" = out ]; then
	"$CSGUEST" "\$@" | sed -E '$1'
	rc=\${PIPESTATUS[0]}
else
	{
		"$CSGUEST" "\$@" 2>&1 >&3 | sed -E '$1' >&2
		rc=\${PIPESTATUS[0]}
	} 3>&1
fi
${3-}
exit \$rc
END
	chmod +x "$T/changed"
}

ok "a build is recorded" golden record --quick "$T/one"
ok "and once more" golden record --quick "$T/two"
same "every output is the same again" "$T/one/golden.tsv" "$T/two/golden.tsv"
is "a line has case, view, status, hash and size" 5 "$(awk -F '\t' '{ print NF }' "$T/one/golden.tsv" | sort -u)"
is "no two lines are of the same output" "$(wc -l <"$T/one/golden.tsv")" "$(cut -f1,2 "$T/one/golden.tsv" | sort -u | wc -l)"
has "variations are among them" '^scenario.no-comms\+05	fast-1.dump	' "$T/one/golden.tsv"
ok "in full as well" env ONLY=trace.vhe-one-guest KEEP=1 "$TOP/tests/golden/golden.sh" record "$T/full"
for run in fast-1 fast-2 opencsd-1 opencsd-2; do
	has "with $run" "^trace.vhe-one-guest	$run.dump.stderr	[0-9]+	" "$T/full/golden.tsv"
done
sum=$(awk -F '\t' '$1 == "trace.vhe-one-guest" && $2 == "opencsd-2.dump" { print $4 }' "$T/full/golden.tsv")
is "and outputs are kept" "$sum" "$(zstdcat "$T/full/outputs/$sum.zst" | sha256sum | cut -d' ' -f1)"
places=0
for sum in $(awk -F '\t' '$1 == "trace.vhe-one-guest" && $2 ~ /[.]explain$/ { print $4 }' "$T/full/golden.tsv"); do
	places=$((places + $(zstdcat "$T/full/outputs/$sum.zst" | grep -Ec '^## status (0|18)$')))
done
ok "200 places are explained, or nearly: $places" test $places -ge 195

ok "a command does not differ from itself" golden between --quick "$CSGUEST" "$CSGUEST"
has "which is said" 'golden: [0-9]+ cases, [0-9]+ outputs, 0 differences' "$T/out"

changed 's/no sideband of the guest/no recording of the guest/'
exits 1 "another reason is noticed" golden between --quick "$T/changed" "$CSGUEST"
has "in the report" '^trace.vhe-one-guest: report \(fast-1,fast-2\): status [0-9]+, now ' "$T/out"
has "with the line" '^    \+ .*no sideband of the guest' "$T/out"
has "and the instructions of each owner" '^ +[1-9][0-9]* +0  guest,4100,.*no recording of the guest' "$T/out"

printf '%s\t%s\t%s\n' '*' 'no recording of the guest' 'no sideband of the guest' >"$T/words"
WORDS=$T/words ok "unless the table of words says so" golden between --quick "$T/changed" "$CSGUEST"
printf '%s\t%s\t%s\n' 'report,stderr' 'no recording of the guest' 'no sideband of the guest' >"$T/words"
WORDS=$T/words exits 1 "which is said for certain views" golden between --quick "$T/changed" "$CSGUEST"
hasnt "the others are noticed" '^trace.vhe-one-guest: report ' "$T/out"

changed 's/tracing began or resumed/trace began or resumed/' err
exits 1 "another message is noticed" golden between --quick "$CSGUEST" "$T/changed"
has "as that" 'dump.stderr \(fast-1\)' "$T/out"
changed '' out '[ "$1" != exits ] || rc=1'
exits 1 "another status is noticed" golden between --quick "$CSGUEST" "$T/changed"
has "as that" '^trace.vhe-one-guest: exits \(fast-1\): status [0-9]+, now 1;' "$T/out"

# words TABLE-ROW VIEW TEXT
words() {
	printf "$1\n" >"$T/words"
	WORDS=$T/words golden words "$2" <<<"$3"
}
is "words are whole words" "eyewitness evidence, evidence_x witness2" \
	"$(words '*\twitness\tevidence' csv 'eyewitness witness, evidence_x witness2')"
is "they may hold any character" "a [b] c.d a&b axd" "$(words '*\ta.d\ta&b' csv 'a [b] c.d a.d axd')"
is "a regular expression is one" "x:7 y:8" "$(words '*\t/([a-z])=([0-9])/\t\\1:\\2' csv 'x=7 y=8')"
is "a row is for its views" "witness" "$(words 'report,dump\twitness\tevidence' csv witness)"
words 'reprot\twitness\tevidence' csv witness >"$T/out" 2>&1
is "a view that is none is refused" 2 $?
words 'csv\twitness' csv witness >"$T/out" 2>&1
is "and a row without a new word" 2 $?
exits 2 "and no cases at all" env ONLY=nonsense "$TOP/tests/golden/golden.sh" record "$T/none"
