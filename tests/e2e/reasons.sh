#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each reason for which something is unknown: a recording of which it is true, and what would settle it.
# Takes 12 s.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || skip_all "no jq"
SCENARIO=$BUILD/san/scenario
[ -x "$SCENARIO" ] || skip_all "$SCENARIO is not built"

# unknown SCENARIO REASON REMEDY OPTION...: the first segment that has the reason is explained by it.
unknown() {
	local name=$1 reason=$2 remedy=$3 file=$TOP/tests/scenarios/$1.scn place options
	shift 3
	[ -d "$T/$name" ] || "$SCENARIO" --write "$T" "$file" </dev/null >"$T/written" 2>&1
	eval "options=($(sed "s|DIR|$T/$name|g" "$T/$name/options" | tr '\n' ' '))"
	for place in perf.data snapshot .; do
		[ ! -e "$T/$name/$place" ] || break
	done
	"$CSGUEST" timeline -q "${options[@]}" "$@" --by owner --json "$T/$name/$place" >"$T/timeline" 2>"$T/err"
	read -r stream index < <(jq -r --arg reason "$reason" \
		'[.rows[] | select(.reason == $reason)][0] | "\(.stream) \(.index)"' "$T/timeline")
	# A guest's kernel segment is divided at its timestamps, which the timeline does not show.
	for at in 1 2 $("$CSGUEST" dump -q "${options[@]}" "$@" "$T/$name/$place" 2>"$T/err" |
		sed -nE 's/^Idx:([0-9]+);.*/\1/p' | sort -nu | awk -v from="${index:-0}" '$1 > from && n++ < 8 { print $1 - from }'); do
		"$CSGUEST" explain "${options[@]}" "$@" --stream "${stream:-0}" "$T/$name/$place" $((${index:-0} + at)) 2>&1 |
			tr '\n' ' ' | tr -s ' ' >"$T/explained"
		! grep -qF "$reason. Would" "$T/explained" || break
	done
	has "$name${*:+ with $*}: $reason" "$(sed "s,[().],.,g" <<<"$reason")\\. Would settle it: $remedy" "$T/explained"
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
unknown no-comms "nothing but the trace says that this process runs a VM (--vcpu)" "KVM's list of vCPUs"
unknown xen-no-vmid "no VMID traced, which alone names a domain" "trace VMIDs"
unknown guest-cpus-unclear "witnesses contradict each other" "find out which of the witnesses above is wrong"
unknown guest-kernel "no sideband of the guest (--guest)" "a recording made in the guest"
unknown two-guests "the guest recorded no context switches" "a recording of the guest with --switch-events"
unknown guest-user "no switch record of the guest covers that time" "a recording of the guest that covers this time"
unknown guest-unsaid "no timestamp of the trace is in the guest's time there" "timestamps that are the guest's counter"
unknown guest-unsaid "the guest switched threads around that time" "CONTEXTIDR_EL1 in the trace"
unknown unnumbered-vcpu "which of the guest's CPUs this vCPU is, nothing says" "say which thread runs which vCPU"
