#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each reason for which something is unknown: a recording of which it is true, and what would settle
# it. Takes 12 s.
. "$(dirname "$0")/lib.sh"
need jq
SCENARIO=$BUILD/san/scenario
[ -x "$SCENARIO" ] || skip_all "$SCENARIO is not built"

# explained STREAM INDEX: the first of these places, or of the next, is explained by $reason; $data,
# $options.
explained() {
	local at
	# A guest's kernel segment is divided at its timestamps, which the timeline does not show.
	for at in 0 1 2 dump; do
		if [ $at = dump ]; then
			at=$("$CSGUEST" dump -q "${options[@]}" "$data" 2>"$T/err" | sed -nE 's/^Idx:([0-9]+);.*/\1/p' |
				sort -nu | awk -v from="$2" '$1 > from && n++ < 8 { print $1 - from }')
		fi
		for at in $at; do
			"$CSGUEST" explain "${options[@]}" --stream "$1" "$data" $(($2 + at)) 2>&1 |
				tr '\n' ' ' | tr -s ' ' >"$T/explained"
			! grep -qF "$reason. Would" "$T/explained" || return
		done
	done
}

# settles WHAT REASON REMEDY: the first segment of $data, read with $options, that has the reason is
# explained by it.
settles() {
	local reason=$2 stream index
	echo "$reason" >>"$T/tried"
	"$CSGUEST" timeline -q "${options[@]}" --by owner --json "$data" >"$T/timeline" 2>"$T/err"
	read -r stream index < <(jq -r --arg reason "$reason" \
		'[.rows[] | select(.reason == $reason)][0] | "\(.stream // 0) \(.index // 0)"' "$T/timeline")
	explained "$stream" "$index"
	has "$1: $reason" "$(sed "s,[().],.,g" <<<"$reason")\\. Would settle it: $3" "$T/explained"
}

# unknown SCENARIO REASON REMEDY OPTION...: the same of a scenario.
unknown() {
	local name=$1 reason=$2 remedy=$3 place data options
	shift 3
	[ -d "$T/$name" ] || "$SCENARIO" --write "$T" "$TOP/tests/scenarios/$name.scn" </dev/null >"$T/written" 2>&1
	eval "options=($(sed "s|DIR|$T/$name|g" "$T/$name/options" | tr '\n' ' '))"
	for place in perf.data snapshot .; do
		[ ! -e "$T/$name/$place" ] || break
	done
	options+=("$@") data=$T/$name/$place
	settles "$name${*:+ with $*}" "$reason" "$remedy"
}

unknown snapshot-of-unknown "hypervisor kind not known (--hypervisor)" "say what the machine runs"
unknown ends-in-user-code "host or guest EL0: no evidence settles it" "trace EL2 or the guests' EL1 as well"
unknown nvhe-overflow "host or guest kernel at EL1: no evidence settles it" "record CONTEXTIDR_EL1 and the host's switch records"
unknown aarch32-guest "this world does not appear in such a trace" "--hypervisor" --hypervisor none
unknown nvhe-no-records "neither a context ID nor a switch record names the host's thread" "record with cs_etm/contextid1,contextid2/"
unknown no-context-ids "no timestamp of the trace is in the host's time there" "context IDs in the trace"
unknown vmid-agrees "the host switched threads around that time" "context IDs in the trace .*, or more timestamps"
unknown zero-context "context ID is 0: an idle thread's, or not traced" "the host's switch records"
unknown vcpu-tid-becomes-process "the thread ID may be another thread's: it came back, or records are lost" "a recording that lost no records"
unknown no-comms "only the trace shows that this process runs a VM (--vcpu)" "KVM's list of vCPUs"
unknown xen-no-vmid "no VMID is traced, and nothing else identifies a domain" "trace VMIDs"
unknown pid-namespace "perf ran in another PID namespace: its records have other thread IDs" "record in the host's PID namespace"
unknown guest-cpus-unclear "sources of evidence contradict each other" "find out which of the evidence above is wrong"
unknown guest-kernel "no sideband of the guest (--guest)" "a recording made in the guest"
unknown two-guests "the guest recorded no context switches" "a recording of the guest with --switch-events"
unknown guest-user "no switch record of the guest covers that time" "a recording of the guest that covers this time"
unknown guest-unsaid "no timestamp of the trace is in the guest's time there" "timestamps that are the guest's counter"
unknown guest-unsaid "the guest switched threads around that time" "CONTEXTIDR_EL1 in the trace"
unknown unnumbered-vcpu "no evidence shows which of the guest's CPUs this vCPU is" "give the thread that runs each vCPU"
unknown nested-no-symbols "the guest, or a guest of it: no entry by KVM's code shows which" "the host's kernel with its symbols as it ran"
unknown nested-code "no sideband of the guest's guest" "nothing yet: recordings of guests of guests are not read"
# Nothing ran there: gaps have this owner, and what is sent until a context comes.  At the gap the
# gap is the reason.
data=$T/nvhe-overflow/perf.data options=()
"$CSGUEST" dump -q "$data" >"$T/dumped" 2>"$T/err"
has "nvhe-overflow: no context since the last gap" 'gap\(overflow\); EL\?; unknown: no context since the last gap$' "$T/dumped"
at=$(sed -nE 's/^Idx:([0-9]+);.*; timestamp\(.*; unknown: no context since the last gap$/\1/p' "$T/dumped" | head -n 1)
"$CSGUEST" explain "${options[@]}" --stream 0 "$data" "$at" >"$T/explained" 2>"$T/err"
echo "no context since the last gap" >>"$T/tried"
has "at a timestamp before a context: no context since the last gap" \
	"^ +world: no context since the last gap\. +Would settle it: nothing: the next context settles what follows it" "$T/explained"
has "which has no owner" "^ +owner: +unknown: no context since the last gap$" "$T/explained"
at=$(sed -nE 's/^Idx:([0-9]+);.*; gap\(overflow\);.*/\1/p' "$T/dumped" | head -n 1)
"$CSGUEST" explain "${options[@]}" --stream 0 "$data" "$at" >"$T/explained" 2>"$T/err"
has "at the gap: overflow" "^ +everything: overflow\. +Would settle it: a larger AUX buffer" "$T/explained"

# What is missing from a recording, the host's or a guest's, is missing there alone: copies with
# less in them.
two=$T/recordings/two-guests less=$BUILD/tools/less
mkdir -p "$two"
tar -C "$two" --zstd -xf "$TRACES/two-guests/two-guests.tar.zst"
files=(--symfs "$two/symfs" --buildid-dir "$two/buildid" --guestmount "$two/guestmount")

# copy [NAME]: a copy of the host's recording is $data, and of a guest's $guest; both are given.
copy() {
	data=$T/host.data guest=$T/guest.data
	rm -rf "$data"
	cp -a "$two/${1-perf.data}" "$data"
	cp "$two/guest-136.data" "$guest"
	options=("${files[@]}" --guest "a,pid=136,perf=$guest")
}

copy
ok "switch records of the guest are lost" "$less" lost "$guest" 2 4
settles "then" "switch records of the guest are missing there" "a recording of the guest that lost no records"

copy
ok "the guest's recording does not say how its time is counted" "$less" clock "$guest"
settles "then" "the guest's recording does not say how its time is counted" "a recording of the guest by a perf that writes TIME_CONV"

copy
ok "the host's recording does not say how its time is counted" "$less" clock "$data/data"
settles "then" "the counter offset of the VM is not known" "give it with --guest NAME,offset=TICKS .*TIME_CONV"
offset=$(zstd -dcf "$two/truth" | sed -nE 's/^machine vm=136 cntvoff=([0-9]+)$/\1/p')
options=("${files[@]}" --guest "a,pid=136,perf=$guest,offset=$offset")
"$CSGUEST" timeline -q "${options[@]}" --by owner --json "$data" >"$T/timeline" 2>"$T/err"
is "said, it is known" 0 "$(jq '[.rows[] | select(.reason == "the counter offset of the VM is not known")] | length' "$T/timeline")"

copy
ok "the host's threads have no names" "$less" names "$data/data"
ok "nor were they switched" "$less" switches "$data/data"
settles "then" "no record says which process the thread belongs to" "record all processes .-a., so that COMM and FORK records name"

copy
ok "the trace has no context IDs" "$less" contexts "$data/data" "$data"
ok "and switch records of the host are lost" "$less" lost "$data/data" 2 4
settles "then" "switch records of the host are missing there" "a recording that lost no switch records"

# Without symbols the switches that the host's kernel executes do not show.
copy
ok "the trace has no context IDs" "$less" contexts "$data/data" "$data"
rm -rf "$data"/kcore_dir*
ok "and the host's switch records are of another time" "$BUILD/tools/lie" "$data/data" late 300000 1
settles "then" "the trace has contradicted the host's switch records" "find out which is wrong, trace or switch records"

# Windows that hold no switch of the guest's, and no time: several threads fit.
copy
cp "$two/truth" "$T/truth"
ok "it is cut into windows" "$BUILD/tools/windows-fast" "${files[@]}" --guest "$two/guest-136.data" 136 --guest "$two/guest-138.data" 138 \
	--seed 3 --window 1024 --period 20000 --paused "$data" "$T/truth"
ok "without timestamps" "$less" timestamps "$data/data" "$data"
options=("${files[@]}" --guest "a,pid=136,perf=$two/guest-136.data" --guest "b,pid=138,perf=$two/guest-138.data")
settles "then" "the order of the guest's switches fits several threads" "timestamps that are the guest's counter"

# Xen's list without a domain that ran.
mkdir "$T/recordings/xen"
tar -C "$T/recordings/xen" --zstd -xf "$TRACES/xen/xen.tar.zst"
cat >"$T/list" <<-'END'
	(XEN) 'q' pressed -> dumping domain info (now = 67291170080)
	(XEN) General information for domain 0:
	(XEN)     refcnt=3 dying=0 pause_count=0
	(XEN) p2m mappings for domain 0 (vmid 1):
	(XEN) Notifying guest 0:0 (virq 1, port 0)
END
data=$T/recordings/xen/snapshot options=(--hypervisor xen --buildid-dir "$T/recordings/xen/buildid" --xen-list "$T/list")
settles "a domain is not in Xen's list" "VMID of no domain in Xen's list (--xen-list)" "Xen's list of domains from when the trace was recorded"

# Of time that is not traced: e2e/untraced.  Known is none.
printf '%s\n' known "guest or host: no event of KVM's says which the thread ran" >>"$T/tried"
sed -n '/define CSG_REASONS/,/^$/s/^	X([A-Z0-9_]*, "\(.*\)").*/\1/p' "$TOP/include/csguest/owner.h" >"$T/reasons"
ok "reasons are listed" test "$(wc -l <"$T/reasons")" -gt 25
is "each reason was tried" "$(sort -u "$T/reasons")" "$(sort -u "$T/tried")"
