#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every scenario (tests/scenarios/README.md): who executed what, and what each command prints of it.
# Takes 13 s.
. "$(dirname "$0")/lib.sh"

SCENARIO=$BUILD/san/scenario
[ -x "$SCENARIO" ] && [ -x "$CSGUEST_SAN" ] || skip_all "$SCENARIO or $CSGUEST_SAN is not built"

# sentence FILE: its name, and the comment it begins with.
sentence() {
	sed -n '2,/^[^#]/{s/^# *//p;}' "$1" | tr '\n' ' ' | sed "s|^|$(basename "$1" .scn): |;s| *$||"
}

total=0
pending=0
for file in "$TOP"/tests/scenarios/*.scn; do
	total=$((total + 1))
	"$SCENARIO" --csguest "$CSGUEST_SAN" "$file" >"$T/seen" 2>&1 </dev/null
	case $? in
	0) pass "$(sentence "$file")" ;;
	2)
		pending=$((pending + 1))
		grep -q ': ok, pending: ' "$T/seen" && pass "$(sentence "$file")"
		skip "$(basename "$file" .scn) is pending: $(sed -n 's/.*pending: //p' "$T/seen" | tail -n 1)"
		;;
	*)
		fail "$(sentence "$file")"
		sed 's|^|    |' "$T/seen"
		;;
	esac
done
echo "$total scenarios, $pending of them with something pending"
ok "there are scenarios" test $total -gt 0

# The comparison can fail.
exits 1 "a host thread that is taken for a guest's is noticed" \
	"$SCENARIO" --csguest "$CSGUEST_SAN" --accuse vcpu0 "$TOP/tests/scenarios/guest-kernel.scn"
has "and the wrong owner is shown with where, who and why" \
	'cpu 0: 0x[0-9a-f]+ at EL[02] was executed by vcpu0 .*, not by host .*(exit vector base|exception level)' "$T/out"
sed 's/^\tinit kernel [0-9]* /\tinit kernel 1 /' "$TOP/tests/scenarios/guest-kernel.scn" >"$T/other.scn"
ln -s "$TOP/tests/scenarios/base" "$T/base"
exits 1 "an expectation that is not met is noticed" "$SCENARIO" --csguest "$CSGUEST_SAN" "$T/other.scn"
has "and both lines are shown" '^    - init kernel 1 ' "$T/out"
