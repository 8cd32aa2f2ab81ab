#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Time that is not traced, and who had the CPU then by the host's records: under protected KVM,
# which traces no guest.
. "$(dirname "$0")/lib.sh"
need jq
. "$TOP/tests/windows-lib.sh"
less=$BUILD/tools/less

# untraced VARIANT VM WORLD OPTION...: of guests' time that is not traced, how many percent have
# their VM at least, and are known to be a guest's.
untraced() {
	what="$name$1 (${*:4})"
	make_windows "$1" 1 1000 10000 "${@:4}"
	score
	is "$what: at least $2 percent of the guests' untraced time have their VM" true \
		"$(jq "[.untraced.guest | (.time - .traced - .still, .vm.right)] | .[1] * 100 >= $2 * .[0] and .[0] > 1000000" "$T/out")"
	is "$what: at least $3 percent are known to be a guest's" true \
		"$(jq "[.untraced.guest | (.time - .traced - .still, .world.right)] | .[1] * 100 >= $3 * .[0]" "$T/out")"
}

# No guest is traced.
unpack nvhe
untraced "" 99 99 --host
untraced "" 99 99 --host --no-ids
untraced "" 99 99 --host --time --stack
unpack two-guests
untraced "" 99 90 --host
untraced -ete 99 90 --host
untraced -ete 99 90 --host --no-ids --time
unpack protected
"$SCORE" -q --json --truth "$T/protected/truth" --whole "$T/protected/truth" "${files[@]}" "$T/protected/perf.data" >"$T/out" 2>"$T/err"
is "protected: no untraced time is another's" 0 "$(jq '[.untraced[] | .vm.wrong + .world.wrong] | add' "$T/out")"

"$CSGUEST" timeline -q --json "${files[@]}" "$T/protected/perf.data" >"$T/json" 2>"$T/err"
has "timeline names the VM and vCPU that ran" "guest VM 142 vCPU 0, not traced" \
	<("$CSGUEST" timeline -q "${files[@]}" "$T/protected/perf.data")
has "and EL2, which is excluded" "hypervisor \\(EL2\\), not traced" <("$CSGUEST" timeline -q "${files[@]}" "$T/protected/perf.data")
for view in "report --by vm" exits; do
	# shellcheck disable=SC2086
	has "$view: EL2 is not traced" '^# not traced: [0-9.]+ us, hypervisor \(EL2\)$' <("$CSGUEST" $view -q "${files[@]}" "$T/protected/perf.data")
done
is "no instruction is invented" 0 "$(jq '[.rows[] | select(.lost) | .instructions] | add' "$T/json")"
is "both guests have time" '[140,142]' "$(jq -c '[.rows[] | select(.lost and .world == "guest" and .end > .begin) | .vm] | unique' "$T/json")"
"$CSGUEST" timeline -q --json --by owner "${files[@]}" "$T/protected/perf.data" >"$T/owners" 2>"$T/err"
is "its evidence is records" '["residency, KVM'"'"'s events"]' "$(jq -c '[.rows[] | select(.lost and .world == "guest") | .evidence] | unique' "$T/owners")"
is "EL2 that was called is the hypervisor's" true "$(jq '[.rows[] | select(.lost and .world == "hypervisor")] | length > 50' "$T/json")"
is "filters find it" "$(jq -c '[.rows[] | select(.vm == 140) | .end - .begin] | add' "$T/json")" \
	"$("$CSGUEST" timeline -q --json --vm 140 "${files[@]}" "$T/protected/perf.data" 2>/dev/null | jq '[.rows[] | .end - .begin] | add')"
"$CSGUEST" timeline -q --html - "${files[@]}" "$T/protected/perf.data" >"$T/page" 2>"$T/err"
has "the page has it" '"w":"guest",.*"vm":142,"vcpu":0,.*"lost":"(trace on|guest untraced)"' "$T/page"

# Of events that were sampled two that follow each other are no visit of the guest.
cp -r "$T/protected/perf.data" "$T/sampled.data"
ok "protected has samples of KVM's events" "$less" sampled "$T/sampled.data/data"
"$SCORE" -q --json --truth "$T/protected/truth" --whole "$T/protected/truth" "${files[@]}" "$T/sampled.data" >"$T/out" 2>"$T/err"
is "sampled: no untraced time is another's" 0 "$(jq '[.untraced[] | .vm.wrong + .world.wrong] | add' "$T/out")"
"$CSGUEST" timeline -q --json "${files[@]}" "$T/sampled.data" >"$T/sampled.json" 2>"$T/err"
is "sampled: the VM is known, that the guest ran is not" '[140,142,"unknown"]' \
	"$(jq -c '[.rows[] | select(.lost and .vm > 0 and .end > .begin) | .world, .vm] | unique' "$T/sampled.json")"

# Every view has the same times.
timeline=$(jq -c '[.rows[] | select(.lost) | .end - .begin] | add' "$T/json")
vms=$(jq -c '[.rows[] | select(.lost and .world == "guest")] | group_by(.vm) | map([.[0].vm, (map(.end - .begin) | add)])' "$T/json")
for view in "report --by vm" exits; do
	# shellcheck disable=SC2086
	"$CSGUEST" $view -q --format json "${files[@]}" "$T/protected/perf.data" >"$T/view" 2>"$T/err"
	is "$view: as much is not traced as in timeline" "$timeline" "$(jq '.traced | .time - .traced' "$T/view")"
	is "$view: and as much is each guest's" "$vms" \
		"$(jq -c '[.traced.untraced[] | select(.world == "guest") | [.vm, .time]] | sort' "$T/view")"
	# shellcheck disable=SC2086
	has "$view says so" '^# not traced: [0-9.]+ us, guest VM 142$' <("$CSGUEST" $view -q "${files[@]}" "$T/protected/perf.data" 2>"$T/err")
done
hasnt "with a filter of time the lines, which are of all time, are not there" '^# not traced: ' \
	<("$CSGUEST" report -q --time 10%/2 "${files[@]}" "$T/protected/perf.data" 2>"$T/err")
"$CSGUEST" summary -q --format json "${files[@]}" "$T/protected/perf.data" >"$T/view" 2>"$T/err"
is "summary: as much is not traced as in timeline" "$timeline" "$(jq '[.groups[] | if .kind == "lost" then .time else .untraced end] | add' "$T/view")"
is "summary: VM 142 has its guest's time" true \
	"$(jq --argjson vms "$vms" '[.groups[] | select(.vm == 142) | .untraced][0] >= $vms[1][1]' "$T/view")"
has "summary shows it" '^VM 142 .* [1-9][0-9.]*%$' <("$CSGUEST" summary -q "${files[@]}" "$T/protected/perf.data" 2>"$T/err")

# A copy of the recording with less in it.
copy() {
	rm -rf "$T/less"
	cp -a "$T/protected/perf.data" "$T/less"
	ok "$*" "$BUILD/tools/less" "$@" "$T/less/data"
	"$CSGUEST" timeline -q --json "${files[@]}" "$T/less" >"$T/json" 2>"$T/err"
}

copy events
is "without KVM's events no untraced time is a guest's" 0 "$(jq '[.rows[] | select(.lost and .world == "guest")] | length' "$T/json")"
is "but its VM and thread are known" '[[140,0,147],[142,0,148]]' \
	"$(jq -c '[.rows[] | select(.lost and .world == "unknown" and .vm) | [.vm, .vcpu, .host_tid]] | unique' "$T/json")"
is "and why not more" '["guest or host: no event of KVM'"'"'s says which the thread ran"]' \
	"$(jq -c '[.rows[] | select(.lost and .world == "unknown" and .vm) | .reason] | unique' "$T/json")"
copy switches
is "without switch records it is nobody's" 0 "$(jq '[.rows[] | select(.lost and .world)] | length' "$T/json")"
