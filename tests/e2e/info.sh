#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest info tells what a recording holds and lacks, for people and for programs.
. "$(dirname "$0")/lib.sh"
need jq

fixture=$TRACES/vhe-one-guest/perf.data
ok "the fixture is read" "$CSGUEST_SAN" info "$fixture"
cp "$T/out" "$T/text"
has "kind and reason of the hypervisor" '^  kind: +kvm-vhe$' "$T/text"
has "and why" '^  because: +CONTEXTIDR_EL2 is recorded$' "$T/text"
has "TRCCONFIGR in words" '^    traces: +timestamps, CONTEXTIDR_EL2$' "$T/text"
has "the trace unit's version" '0x10 +0 .* ETMv4\.2 ' "$T/text"
has "what timestamps are" '^    timestamps: +generic counter, virtual' "$T/text"
has "what context IDs mean" "host's thread, also while it runs a vCPU" "$T/text"
has "what is missing" '^  no sideband of guests' "$T/text"
has "and how to record it" '^    remedy: in each guest, meanwhile: csguest collect' "$T/text"

ok "JSON is printed" "$CSGUEST_SAN" info --json "$fixture"
cp "$T/out" "$T/json"
ok "and a JSON parser reads it" jq -e . "$T/json"
is "its hypervisor is that of the text" kvm-vhe "$(jq -r .hypervisor.kind "$T/json")"
is "trace adds up to the AUX areas' 15488 bytes" 15488 "$(jq '[.trace[].bytes] | add' "$T/json")"
is "two trace IDs" '[16,18]' "$(jq -c '[.sources[].id] | unique' "$T/json")"
is "guests were not excluded" false "$(jq .recorded.exclude_guest "$T/json")"
is "registers are there" '"0x8880"' "$(jq '.sources[0].trcconfigr' "$T/json")"
is "as much advice as in the text" "$(grep -c '^    remedy: ' "$T/text")" "$(jq '.advice | length' "$T/json")"
ok "the kind of hypervisor can be said" "$CSGUEST_SAN" info --json --hypervisor pkvm "$fixture"
is "and is shown" '["pkvm","given by --hypervisor"]' "$(jq -c '[.hypervisor.kind,.hypervisor.why]' "$T/out")"
is "with what contradicts it" "CONTEXTIDR_EL2 is recorded, which Linux does only where its kernel is at EL2" \
	"$(jq -r .hypervisor.contradiction "$T/out")"
is "what nothing contradicts has none" null "$(jq .hypervisor.contradiction "$T/json")"
exits 18 "no command believes it silently" "$CSGUEST_SAN" summary --hypervisor pkvm "$fixture"
has "but says so" 'warning: .*: the recording contradicts --hypervisor pkvm, which owners rest on: CONTEXTIDR_EL2' "$T/err"
for name in nvhe protected; do
	mkdir "$T/$name"
	tar -C "$T/$name" --zstd -xf "$TRACES/$name/$name.tar.zst" ./perf.data
	for kind in kvm-vhe none xen; do
		ok "$name is said to be $kind" "$CSGUEST" info --hypervisor $kind "$T/$name/perf.data"
		has "which is contradicted" '^  but: +(the kernel was recorded, EL1 ran|vCPU threads)' "$T/out"
	done
	for kind in kvm-nvhe pkvm unknown; do
		"$CSGUEST" info --hypervisor $kind "$T/$name/perf.data" >"$T/out" 2>"$T/err"
		hasnt "$name may be $kind" '^  but: ' "$T/out"
	done
done
# Sideband that contradicts itself, with the place of each record.
make_lie() { "$BUILD/tools/lie" "$1" tid 3 1 | sort | while read -r time place; do echo "$time $((place))"; done; }
mkdir "$T/lies"
tar -C "$T/lies" --zstd -xf "$TRACES/two-guests/two-guests.tar.zst" ./perf.data
ok "an intact recording" "$CSGUEST" info --json "$T/lies/perf.data"
is "has no contradiction" '[]' "$(jq -c .contradictions "$T/out")"
make_lie "$T/lies/perf.data/data" >"$T/made"
ok "one with three records that lie" "$CSGUEST" info --json "$T/lies/perf.data"
jq -r '.contradictions[] | "\(.record_time) \(.file_offset)"' "$T/out" |
	awk '{ printf "%.9f %d\n", $1, $2 }' | sort >"$T/listed"
same "has three, with their times and places" "$T/made" "$T/listed"
is "each in its interval" true "$(jq '[.contradictions[] | .begin_time <= .record_time and .record_time <= .end_time] | all' "$T/out")"
ok "as text" "$CSGUEST" info "$T/lies/perf.data"
has "what contradicts what, and where" '^  switch records, CPU [01], record at [0-9.]+, file offset 0x[0-9a-f]+: thread 99999 is' "$T/out"
has "and what is not used" '^    not used: from [0-9.]+ to [0-9.]+$' "$T/out"

ok "standard input is a recording, too" bash -c "'$CSGUEST_SAN' info --json -i - <'$fixture' | jq -e '.sources | length > 0'"

# What perf itself says of the same file.
if [ -n "$PERF" ]; then
	perf report -D -i "$fixture" 2>/dev/null | sed -nE 's/^[[:space:]]*TRCIDR1[[:space:]]+([0-9a-f]+)$/"0x\1"/p' | sort -u >"$T/perf"
	jq '.sources[].trcidr1' "$T/json" | sort -u >"$T/ours"
	same "TRCIDR1 is what perf reads" "$T/perf" "$T/ours"
fi

# A guest's own recording, or a host's without trace units: what is there is reported all the same.
tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst" ./guest-136.data
exits 13 "a recording of sideband alone has no trace" "$CSGUEST_SAN" info "$T/guest-136.data"
has "which is reported" 'guest-136.data: no trace: sideband alone' "$T/err"
has "with what it does hold" '^  context switches: +yes$' "$T/out"
has "and what it is good for" '^    remedy: if it is a guest.s, it is whole: .* --guest NAME,perf=FILE' "$T/out"
hasnt "nothing is said of a trace that is not there" 'without guests|TRCCONFIGR|^Trace' "$T/out"
exits 13 "as JSON it has the same" "$CSGUEST_SAN" info --json "$T/guest-136.data"
is "and nothing of how a trace was recorded" '[null,true,1]' "$(jq -c '[.recorded,.sideband.time_conv,(.advice|length)]' "$T/out")"
exits 13 "no other command takes it" "$CSGUEST_SAN" report "$T/guest-136.data"
has "but tells what for" 'goes with the host.s, by --guest NAME,perf=FILE' "$T/err"

# Damage: what is there is reported, then the error.
head -c 12000 "$fixture" >"$T/cut"
exits 14 "a recording that is cut" "$CSGUEST_SAN" info "$T/cut"
has "is reported as far as it goes" '^Recording$' "$T/out"
has "with the damage" '^  damage: +file ends early' "$T/out"
has "the advice" 'the recording ends early' "$T/out"
has "and the place" 'cut, offset 0x[0-9a-f]+: ' "$T/err"
exits 10 "a text file is no recording" "$CSGUEST_SAN" info "$TOP/Makefile"
has "which is reported with a remedy" 'remedy: ' "$T/err"
exits 5 "a file that is not there" "$CSGUEST_SAN" info "$T/none"

# put BYTES OFFSET: over those of the attr of cs_etm, the first one.
put() { printf "$1" | dd of="$T/windows" bs=1 seek=$(($(od -An -tu8 -j24 -N8 "$T/windows") + $2)) conv=notrunc status=none; }
cp "$fixture" "$T/windows"
put '\x34\x12' 68
ok "trace units that a configuration programs" "$CSGUEST_SAN" info "$T/windows"
has "are reported" '^  windows: +as configuration 0x1234, preset 0, has them$' "$T/out"
put '\x00\x00' 68
put '\x06' 116
ok "trace that events pause and resume" "$CSGUEST_SAN" info "$T/windows"
has "is reported" '^  windows: +paused and resumed by events \(aux-action\)$' "$T/out"
has "with what that costs" 'they hold more exits and entries of guests than the whole does' "$T/out"
put '\x00' 116
put '\x10' 113
ok "samples with trace" "$CSGUEST_SAN" info --json "$T/windows"
is "are reported" "samples of events (--aux-sample)" "$(jq -r .recorded.windows "$T/out")"
is "all of the trace has none" null "$("$CSGUEST_SAN" info --json "$fixture" | jq .recorded.windows)"

ok "two guests unpack" tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
ok "a recording without those of its guests" "$CSGUEST" info "$T/perf.data"
has "needs them" 'no sideband of guests' "$T/out"
ok "with one" "$CSGUEST" info --guest "g136,pid=136,perf=$T/guest-136.data" "$T/perf.data"
hasnt "it does not" 'no sideband of guests' "$T/out"

need_captures
ok "a snapshot" "$CSGUEST_SAN" info "$CAPTURES/opencsd/snapshots/juno_r1_1"
has "has sources that are not decoded" '0x20 +- +- +other +not decoded +STM_12$' "$T/out"
has "and no kind of hypervisor" 'remedy: give it with --hypervisor' "$T/out"
ok "an ETE" "$CSGUEST_SAN" info "$CAPTURES/opencsd/snapshots-ete/ts_marker"
has "has its version from TRCDEVARCH" 'ETEv1\.[0-9]' "$T/out"
ok "a real recording of user code alone" "$CSGUEST_SAN" info --json "$CAPTURES/n1sdp/sort_single_thread/perf.data"
is "that guests were excluded" true "$(jq .recorded.exclude_guest "$T/out")"
is "is reported, and how to record them" 1 \
	"$(jq '[.advice[] | select(.lack | test("exclude_guest")) | select(.remedy | test("cs_etm//GH"))] | length' "$T/out")"
is "its timestamps are the CoreSight counter's" -1 "$(jq '[.sources[].ts_source] | unique | .[]' "$T/out")"
ok "simpleperf's recording" "$CSGUEST_SAN" info --json "$CAPTURES/simpleperf/perf_etm.data"
is "is known as such" "perf.data of simpleperf" "$(jq -r .recording.kind "$T/out")"
exits 13 "a recording without trace" "$CSGUEST_SAN" info "$CAPTURES/simpleperf/perf_with_missing_aux_data.data"
for ini in "$CAPTURES"/opencsd/snapshots*/*/snapshot.ini; do
	"$CSGUEST" info --json "${ini%/*}" 2>>"$T/errors" | jq -e '.sources | length > 0' >/dev/null || echo "$ini"
done >"$T/offenders"
none "every snapshot has sources" "$T/offenders"
