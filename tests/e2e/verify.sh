#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest verify: undamaged recordings contradict nothing that owners rest on; hardware that breaks
# an assumption makes its line fail. Takes 70 s.
. "$(dirname "$0")/lib.sh"
need jq
SCENARIO=$BUILD/san/scenario
for tool in "$SCENARIO" "$BUILD/tools/drop" "$BUILD/tools/spoil" "$BUILD/tools/windows-fast"; do
	[ -x "$tool" ] || skip_all "$tool is not built"
done

# unpack NAME; verify NAME RECORDING OPTION...
unpack() {
	mkdir -p "$T/$1"
	ok "$1 unpacks" tar --zstd -C "$T/$1" -xf "$TRACES/$1/$1.tar.zst"
}
verify() { "$CSGUEST" verify -q --symfs "$T/$1/symfs" --buildid-dir "$T/$1/buildid" "${@:3}" "$T/$1/$2" >"$T/out" 2>"$T/err"; }

# line KEY: confirmed and contradicted, of the CSV in $T/out.  states: the keys that are confirmed.
line() { sed -n "s/^$1,\([0-9]*\),\([0-9]*\),.*/\1 \2/p" "$T/out"; }
confirmed() { sed -n 's/^\([a-z0-9-]*\),[0-9]*,[0-9]*,confirmed,.*/\1/p' "$T/out" | tr '\n' ' '; }
contradicted() { sed -n 's/^\([a-z0-9-]*\),[0-9]*,[0-9]*,contradicted,.*/\1/p' "$T/out" | tr '\n' ' '; }

vhe="exception-context timestamp-domain contextidr-el2 exit-vectors entry-eret counter-offset "
nvhe="exception-context timestamp-domain contextidr-el1 hvc-return counter-offset "
# undamaged NAME RECORDING KEYS OPTION...: these are confirmed, nothing is contradicted.
undamaged() {
	verify "$1" "$2" --format csv "${@:4}"
	is "$1, $2: a recording that is intact ends with 0" 0 $?
	is "$1, $2: what it exercises is confirmed" "$3" "$(confirmed)"
	is "$1, $2: nothing is contradicted" "" "$(contradicted)"
}
for name in two-guests nvhe kaslr kpti smp-guest tiny-guests protected xen; do
	unpack "$name"
done
for name in two-guests kaslr kpti smp-guest tiny-guests; do
	undamaged "$name" perf.data "$vhe"
done
undamaged two-guests perf-ete.data "$vhe"
undamaged two-guests perf-user.data "${vhe/entry-eret /}"
undamaged two-guests perf-bare.data "exception-context exit-vectors entry-eret "
undamaged nvhe perf.data "$nvhe"
undamaged protected perf.data "${nvhe/counter-offset /}"
cat >"$T/list" <<'XL'
(XEN) General information for domain 0:
(XEN) p2m mappings for domain 0 (vmid 1):
(XEN) General information for domain 1:
(XEN) p2m mappings for domain 1 (vmid 2):
XL
undamaged xen snapshot "exception-context vmid " --hypervisor xen --xen-list "$T/list"
use_fixture
"$CSGUEST" verify -q --format csv "$fixture/perf.data" >"$T/out" 2>"$T/err"
is "vhe-one-guest: nothing is contradicted" "" "$(contradicted)"

# The same for each engine and number of threads; every count is one of a place where an owner was
# decided.
verify two-guests perf.data --format csv
cp "$T/out" "$T/one"
verify two-guests perf.data --format csv -j 3
same "three threads find the same" "$T/one" "$T/out"
verify two-guests perf.data --format csv --engine opencsd
same "and so does OpenCSD" "$T/one" "$T/out"

# Forms.
verify two-guests perf.data --format json
cp "$T/out" "$T/json"
is "JSON says the same as CSV" "$(tail -n +2 "$T/one" | cut -d, -f1-6)" \
	"$(jq -r '.assumptions[] | [.assumption, .confirmed, .contradicted, .state, .cpu // "", .index // ""] | map(tostring) | join(",")' "$T/json")"
is "and has the trace unit" '["ETMv4.2","0x8881"]' "$(jq -c '[.trace_units[0].architecture, .trace_units[0].trcconfigr]' "$T/json")"
verify two-guests perf.data
is "text has each count" "$(tail -n +2 "$T/one" | cut -d, -f1-3 | tr , ' ')" \
	"$(sed -n 's/^\([a-z0-9-]*\) \+\([0-9]*\) \+\([0-9]*\)  [cn].*/\1 \2 \3/p' "$T/out")"
has "and one place of each that was exercised" '^ +first at CPU 0, trace byte 0x[0-9a-f]+, time 11\.3[0-9]+$' "$T/out"
# Names of the recording: comms, paths, symbols.  -q is not needed for them to be absent.
"$CSGUEST" report -q --sort comm,dso,symbol --format csv --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" \
	"$T/two-guests/perf.data" | tail -n +2 | cut -d, -f4- | tr ',"' '\n\n' | grep -E '.{5}' | grep -vxE 'vectors|guest' | sort -u >"$T/names"
is "there are names" true "$([ "$(wc -l <"$T/names")" -gt 50 ] && echo true)"
verify two-guests perf.data
cat "$T/one" "$T/json" "$T/out" >"$T/all"
grep -Fwf "$T/names" "$T/all" >"$T/found"
none "no name of the recording is in the output" "$T/found"
hasnt "nor a path" "$T|/[a-z]" "$T/all"
hasnt "nor an address of a kernel" 'ffff[0-9a-f]{8}' "$T/all"

# Who asks gets them.
mkdir "$T/damaged"
cp -r "$T/two-guests/perf.data" "$T/two-guests/damaged"
ok "256 KB of CPU 1 are lost without a mark" "$BUILD/tools/drop" "$T/two-guests/perf.data" "$T/two-guests/damaged/data" 1 65536 262144
exits 23 "what contradicts an assumption has a status of its own" \
	"$CSGUEST" verify -q --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" "$T/two-guests/damaged"
has "exit vectors are contradicted" '^exit-vectors +[0-9]+ +[1-9][0-9]* +contradicted ' "$T/out"
has "the place is of the contradiction" '^ +first at CPU 1, trace byte 0x10[0-9a-f]+, time 11\.32[0-9]+$' "$T/out"
hasnt "its addresses are left out" 'ffff8000' "$T/out"
exits 23 "--details" "$CSGUEST" verify -q --details --symfs "$T/two-guests/symfs" --buildid-dir "$T/two-guests/buildid" "$T/two-guests/damaged"
has "has what the sources say" 'a guest exits to 0xffff800080012c00, vectors of the host by their symbol' "$T/out"
has "and the path" "^recording: $T/two-guests/damaged" "$T/out"
exits 2 "which is text only" "$CSGUEST" verify --details --format csv "$T/two-guests/damaged"

cp -r "$T/nvhe/perf.data" "$T/nvhe/damaged"
ok "a bit of an address flips" "$BUILD/tools/spoil" "$T/nvhe/perf.data" "$T/nvhe/damaged/data" 1 0x12 93202 0 0x08
verify nvhe damaged --format csv
is "an HVC that does not lead back contradicts hvc-return" "hvc-return " "$(contradicted)"

# --- windows, whose code is walked to see whether all that ran is there ---

guests=() made=()
for file in "$T"/two-guests/guest-*.data; do
	guests+=(--guest "${file##*-},pid=$(basename "${file##*-}" .data),perf=$file")
	made+=(--guest "$file" "$(basename "${file##*-}" .data)")
done
for ids in "" --no-ids; do
	rm -rf "$T/two-guests/windows" "$T/two-guests/damaged"
	cp -a "$T/two-guests/perf.data" "$T/two-guests/windows"
	cp "$T/two-guests/truth" "$T/two-guests/truth-windows"
	# shellcheck disable=SC2086
	ok "windows are made ${ids:-with IDs}" "$BUILD/tools/windows-fast" --seed 8 --window 1024 --period 2048 $ids --symfs "$T/two-guests/symfs" \
		--buildid-dir "$T/two-guests/buildid" "${made[@]}" "$T/two-guests/windows" "$T/two-guests/truth-windows"
	undamaged two-guests windows "$([ -n "$ids" ] && echo "exception-context timestamp-domain exit-vectors entry-eret counter-offset path " ||
		echo "${vhe}path ")" "${guests[@]}"
	is "${ids:-with IDs}: the path is followed in each window with code" true "$(line path | awk '{ print ($1 > 1000 ? "true" : "false") }')"
	cp -a "$T/two-guests/windows" "$T/two-guests/damaged"
	ok "64 bytes of CPU 1 are lost without a mark" "$BUILD/tools/drop" "$T/two-guests/windows" "$T/two-guests/damaged/data" 1 60000 64
	verify two-guests damaged --format csv "${guests[@]}"
	is "${ids:-with IDs}: which has a status of its own" 23 $?
	is "and the path alone contradicts it" "path " "$(contradicted)"
	has "from the place on that is lost" '^path,[0-9]+,[1-9],contradicted,1,600[0-9][0-9],11\.32[0-9]+,' "$T/out"
done
# Nothing is walked of other trace.
verify two-guests perf.data --format csv "${guests[@]}"
has "without windows it is not exercised" '^path,0,0,not exercised,' "$T/out"

# --- hardware that does what csguest takes to be impossible ---

ln -s "$TOP/tests/scenarios/base" "$T/base"
# broken NAME KEYS: the scenario $T/NAME.scn is recorded; its lines KEYS are contradicted.
broken() {
	ok "$1 is recorded" "$SCENARIO" --write "$T/made" "$T/$1.scn"
	options=$(sed "s|DIR|$T/made/$1|g" "$T/made/$1/options" | tr '\n' ' ')
	eval "\"\$CSGUEST_SAN\" verify -q --format csv $options \"\$T/made/$1/perf.data\"" >"$T/out" 2>"$T/err"
	is "$1 ends with 23" 23 $?
	is "$1 contradicts what it breaks" "$2" "$(contradicted)"
}
# unbroken NAME: nothing of that scenario is contradicted.
unbroken() {
	ok "$1 is recorded" "$SCENARIO" --write "$T/made" "$T/$1.scn"
	options=$(sed "s|DIR|$T/made/$1|g" "$T/made/$1/options" | tr '\n' ' ')
	eval "\"\$CSGUEST_SAN\" verify -q --format csv $options \"\$T/made/$1/perf.data\"" >"$T/out" 2>"$T/err"
	has "$1 confirms what it can" '^timestamp-domain,[1-9][0-9]*,0,confirmed,' "$T/out"
	is "$1 contradicts nothing" "" "$(contradicted)"
}
# model SCENARIO NAME LINE...: the scenario with other lines for its trace unit.
model() {
	local from=$1 to=$2
	shift 2
	sed '/^\(owners\|expect\|goal\|stacks\)/,$d' "$TOP/tests/scenarios/$from.scn" | awk -v lines="$(printf '%s\\n' "$@")" \
		'/^cpu 0/ && !done { printf "%s", lines; done = 1 } { print }' >"$T/$to.scn"
}
mkdir "$T/made"
model guest-user no-contexts "trace: no-context-at-exceptions"
broken no-contexts "exception-context "
model guest-user no-time "trace: zero-time" "ts_source: 1"
broken no-time "timestamp-domain "
# A guest whose CNTVOFF_EL2 is 0 looks the same; what is known of the offset distinguishes them.
model guest-user physical "trace: physical-time" "ts_source: 1" "guest one is 500 records offset 875000000"
broken physical "timestamp-domain "
model guest-user no-offset "trace: physical-time" "ts_source: 1"
unbroken no-offset
model mitigated-vectors offset-0
unbroken offset-0
model guest-user unrelated "trace: unrelated-time" "ts_source: 1"
broken unrelated "timestamp-domain "
model time-goes-back no-ids "trace: zero-context"
broken no-ids "contextidr-el2 "
model nvhe-guest other-ids "thread vmm is contextidr 77"
broken other-ids "contextidr-el1 "
# What a scenario does that real KVM does not, or recordings do not show, is seen as well: a host
# process that runs with the guest's offset loaded, the guest of a VMM that nobody knows.
model counter-not-restored offset-stays
broken offset-stays "timestamp-domain "
model unknown-vmm-time other-time
broken other-time "timestamp-domain "
model vmid-comes-back vmids
broken vmids "vmid "
model two-vcpus offsets "thread init1 is cntvoff 100000000"
broken offsets "counter-offset "
cat >"$T/erets.scn" <<'SCN'
# KVM enters a guest by the ERET that, by its symbol, returns to processes.
include: base/vhe

cpu 0
	vcpu0 begins at ret_to_user
	vcpu0 runs
	vcpu0 returns to start_kernel in init
	init runs to idle
	init traps to vcpu0
	vcpu0 runs
SCN
broken erets "entry-eret "

# Every scenario contradicts what it breaks, and nothing else: a guest that reboots, vCPUs that
# move, exits through other vectors are what right machines do.  What is not known makes a line fail
# as well: a vCPU's thread that nobody names as one.
breaks() {
	case $1 in
	counter-not-restored | unknown-vmm-time) echo "timestamp-domain " ;;
	# KVM loads the offset of a guest's guest, and takes it away before any entry.
	nested-never-entered | nested-no-flush) echo "counter-offset " ;;
	pid-namespace | pid-namespace-few | pid-namespace-no-switches | pid-namespace-same-ids | zero-context) echo "contextidr-el2 " ;;
	sdei-leaves-guest | shared-eret) echo "entry-eret " ;;
	vmid-comes-back) echo "vmid " ;;
	esac
}
for file in "$TOP"/tests/scenarios/*.scn; do
	name=$(basename "$file" .scn)
	"$SCENARIO" --write "$T/made" "$file" </dev/null >"$T/written" 2>&1
	for place in perf.data snapshot .; do
		[ ! -e "$T/made/$name/$place" ] || break
	done
	eval "\"\$CSGUEST\" verify -q --format csv $(sed "s|DIR|$T/made/$name|g" "$T/made/$name/options" | tr '\n' ' ') \"\$T/made/$name/$place\"" >"$T/out" 2>"$T/err"
	has "$name is verified" '^assumption,confirmed,contradicted,' "$T/out"
	is "$name contradicts what it breaks" "$(breaks "$name")" "$(contradicted)"
	rm -rf "$T/made/$name"
done
