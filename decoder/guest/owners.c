/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/owners.h"

#include <inttypes.h>
#include <stdio.h>

#include "guest/guest_process.h"
#include "guest/levels.h"
#include "guest/resident.h"
#include "guest/slices/guest_time_slices.h"
#include "guest/why_nobody.h"

/* A timestamp and a record of the same moment; both clocks are rounded. */
#define SLACK_NS UINT64_C(1000)

/* The process of a host thread while it ran, or CSG_PID_UNKNOWN or CSG_PID_SEVERAL. */
static int32_t process_of(const struct csg_facts *facts, int32_t tid, const struct csg_when *when,
			  bool user)
{
	uint64_t from = when->from > SLACK_NS ? when->from - SLACK_NS : CSG_TIME_FIRST;
	uint64_t until = when->until ? when->until + SLACK_NS : CSG_TIME_LAST;

	return csg_facts_process(facts, CSG_VM_HOST, tid, from, until, user);
}

/* Its PID, where several processes had that. */
static int32_t pid_of(const struct csg_facts *facts, int32_t tid, const struct csg_when *when,
		      bool user)
{
	uint64_t from = when->from > SLACK_NS ? when->from - SLACK_NS : CSG_TIME_FIRST;
	uint64_t until = when->until ? when->until + SLACK_NS : CSG_TIME_LAST;

	return csg_facts_pid(facts, tid, from, until, user);
}

bool csg_owner_has_several(const struct csg_facts *facts, const struct csg_when *when,
			   const struct csg_owner *owner)
{
	bool user = owner->privilege == CSG_USER || owner->world == CSG_WORLD_GUEST;

	return owner->host_tid > 0 &&
	       process_of(facts, owner->host_tid, when, user) == CSG_PID_SEVERAL;
}

/* Why the process of a thread is not known. */
static uint8_t why_no_process(int32_t pid)
{
	return pid == CSG_PID_SEVERAL ? CSG_REASON_REUSED_ID : CSG_REASON_NO_THREAD;
}

/* Whether a host thread, or another of its process, is known to run a vCPU. */
static bool is_vmms(const struct csg_facts *facts, int32_t tid, const struct csg_when *when)
{
	int32_t pid = process_of(facts, tid, when, true);

	return pid < 0 || csg_vcpus_find(&facts->vcpus, pid, tid) ||
	       csg_vcpus_is_vmm(&facts->vcpus, pid);
}

/*
 * EL0 without evidence is the host's by default where no guest shows in the recording, or of a
 * thread that has nothing to do with a VM.  Of any other it is as likely the guest's: nobody's
 * then.
 */
static bool may_be_guests(const struct csg_facts *facts, const struct csg_when *when,
			  const struct csg_owner *owner)
{
	if (owner->privilege != CSG_USER || !(owner->evidence & CSG_EVIDENCE_POLICY_DEFAULT) ||
	    !facts->guests_show)
		return false;
	return !(owner->evidence & (CSG_EVIDENCE_CONTEXTIDR_EL2 | CSG_EVIDENCE_RESIDENCY |
				    CSG_EVIDENCE_SWITCH_ORDER)) ||
	       owner->host_tid == CSG_PID_UNKNOWN || is_vmms(facts, owner->host_tid, when);
}

static void leave_open(struct csg_owner *owner)
{
	owner->world = CSG_WORLD_UNKNOWN;
	owner->reason = CSG_REASON_EL0_OPEN;
	owner->evidence &= ~(uint32_t)CSG_EVIDENCE_POLICY_DEFAULT;
	owner->vm = CSG_VM_UNKNOWN;
	owner->pid = owner->tid = CSG_PID_UNKNOWN;
}

static void complete_host(const struct csg_facts *facts, const struct csg_when *when,
			  struct csg_owner *owner)
{
	int32_t pid;

	if (owner->tid == CSG_PID_UNKNOWN && when->piece->tid > 0) {
		/* The recording follows this thread only. */
		owner->tid = owner->host_tid = when->piece->tid;
		owner->pid = when->piece->pid > 0 ? when->piece->pid : CSG_PID_UNKNOWN;
		owner->evidence |= CSG_EVIDENCE_RECORDING;
		owner->reason = CSG_REASON_NONE;
	}
	if (owner->reason == CSG_REASON_NO_CONTEXT_ID)
		owner->reason = (uint8_t)csg_why_nobody(facts, when, owner);
	if (owner->tid == CSG_PID_UNKNOWN || owner->pid != CSG_PID_UNKNOWN)
		return;
	pid = process_of(facts, owner->tid, when, owner->privilege == CSG_USER);
	if (pid == CSG_PID_SEVERAL) {
		owner->host_process = pid;
		pid = pid_of(facts, owner->tid, when, owner->privilege == CSG_USER);
	}
	if (pid < 0)
		owner->reason = why_no_process(pid);
	owner->pid = pid < 0 ? CSG_PID_UNKNOWN : pid;
}

/* What sources say of a vCPU thread is not what its process, the VMM, says, or what they say
 * themselves. */
static bool contradicts(const struct csg_vcpu_entry *vcpu, int32_t vmm)
{
	if (vcpu->source == CSG_VCPU_BY_USER)
		return false;
	return vcpu->vm == CSG_VM_UNKNOWN || (vmm >= 0 && vcpu->vm != vmm);
}

/* Whether a source other than the trace says that the process is a VMM: one of a vCPU, or of its
 * guest. */
static bool is_named(const struct csg_facts *facts, int32_t vmm)
{
	return vmm > 0 && (csg_vcpus_names_vmm(&facts->vcpus, vmm) || csg_facts_find(facts, vmm));
}

/* The vCPU table has the VM, and says that this thread runs none. */
static bool runs_none(const struct csg_facts *facts, const struct csg_owner *owner, int32_t vmm)
{
	return csg_vcpus_names_vmm(&facts->vcpus, vmm) &&
	       csg_vcpus_vm_of(&facts->vcpus, vmm, owner->host_tid) == CSG_VM_HOST;
}

/* An ERET that enters guests may enter processes as well: EL0 needs one who knows the VMM. */
static bool rests_on_eret(const struct csg_owner *owner)
{
	return owner->privilege == CSG_USER && (owner->evidence & CSG_EVIDENCE_ENTRY_ERET) &&
	       !(owner->evidence & (CSG_EVIDENCE_NEIGHBOUR_EL | CSG_EVIDENCE_VECTOR_BASE));
}

/* CONTEXTIDR_EL2 names a thread in a guest, of which the vCPU table knows whether it runs a
 * vCPU. */
static void compare_vcpu(const struct csg_when *when, const struct csg_owner *owner, bool runs)
{
	if (owner->evidence & CSG_EVIDENCE_CONTEXTIDR_EL2)
		csg_found(when->finder, CSG_ASSUMPTION_CONTEXTIDR_EL2, runs, when->index);
}

static int dispute_vcpu(struct csg_facts *facts, const struct csg_when *when,
			struct csg_owner *owner, int32_t vmm)
{
	struct csg_contradiction one = csg_when_contradiction(when, CSG_CONTRADICTION_VCPU);
	char number[CSG_VM_TEXT_SIZE];

	csg_vm_text(vmm, number, sizeof(number));
	snprintf(one.text, sizeof(one.text),
		 "a guest in thread %" PRId32 " of VMM %s, which runs no vCPU by the vCPU table",
		 owner->host_tid, number);
	compare_vcpu(when, owner, false);
	owner->reason = CSG_REASON_CONFLICT;
	return csg_contradictions_add(&facts->contradictions, &one);
}

/* The trace shows a guest in a thread of vmm. */
static int add_vcpu(struct csg_facts *facts, int32_t tid, int32_t vmm)
{
	return csg_vcpus_add(&facts->vcpus, &(struct csg_vcpu_entry){
						    .tid = tid,
						    .vm = vmm,
						    .vcpu = CSG_VCPU_UNKNOWN,
						    .source = CSG_VCPU_BY_TRACE,
					    });
}

/* What the trace alone says of a thread that no source names: that it may run a vCPU. */
static int suspect(struct csg_facts *facts, struct csg_owner *owner, int32_t vmm)
{
	owner->reason = vmm < 0 ? why_no_process(vmm) : CSG_REASON_NO_VMM;
	if (vmm >= 0 && rests_on_eret(owner)) {
		leave_open(owner);
		return 0;
	}
	return vmm < 0 ? 0 : add_vcpu(facts, owner->host_tid, vmm);
}

static void name_vcpu(const struct csg_vcpu_entry *vcpu, struct csg_owner *owner)
{
	owner->vm = vcpu->vm;
	owner->vcpu = vcpu->vcpu;
	if (vcpu->contradicted)
		owner->reason = CSG_REASON_CONFLICT;
	if (vcpu->source == CSG_VCPU_BY_USER)
		owner->evidence |= CSG_EVIDENCE_USER_SAID;
}

/*
 * CONTEXTIDR_EL2 names the thread that entered the guest: its process is the VMM.  The vCPU table
 * knows its number; where it names another VM, sources of evidence contradict each other.  That the
 * process is a VMM takes another source than the trace: after a silent loss any process may seem to
 * run a guest.
 */
static int find_vm(struct csg_facts *facts, const struct csg_when *when, struct csg_owner *owner)
{
	const struct csg_vcpu_entry *vcpu;
	int32_t vmm;

	facts->guests_show = true;
	if (owner->vm != CSG_VM_UNKNOWN) {
		csg_domains_check(&facts->domains, owner); /* Xen's */
		if (facts->domains.count && owner->reason != CSG_REASON_NO_DOMAIN)
			csg_found(when->finder, CSG_ASSUMPTION_VMID,
				  owner->reason != CSG_REASON_CONFLICT, when->index);
		return 0;
	}
	if (owner->host_tid == CSG_PID_UNKNOWN) {
		if (owner->reason != CSG_REASON_CONFLICT)
			owner->reason = (uint8_t)csg_why_nobody(facts, when, owner);
		return 0;
	}
	/* The guest ran: its thread, in KVM_RUN, had not ended. */
	vmm = process_of(facts, owner->host_tid, when, true);
	vcpu = csg_vcpus_find(&facts->vcpus, vmm, owner->host_tid);
	if (vcpu && contradicts(vcpu, vmm)) {
		owner->reason = CSG_REASON_CONFLICT;
		return 0;
	}
	if (vcpu && vcpu->source != CSG_VCPU_BY_TRACE) {
		compare_vcpu(when, owner, true);
		name_vcpu(vcpu, owner);
		return 0;
	}
	if (!is_named(facts, vmm))
		return suspect(facts, owner, vmm);
	if (runs_none(facts, owner, vmm))
		return dispute_vcpu(facts, when, owner, vmm);
	owner->vm = vmm;
	return vcpu ? 0 : add_vcpu(facts, owner->host_tid, vmm);
}

/* VMIDs check what other evidence has proved (guest/facts/vmids.h). */
static void check_vmid(struct csg_facts *facts, const struct csg_when *when,
		       struct csg_owner *owner)
{
	struct csg_vmid disputed;

	if (!when->vmids || owner->vm <= 0 || owner->reason == CSG_REASON_CONFLICT ||
	    (owner->level == CSG_LEVEL_UNKNOWN && csg_facts_nests(facts, owner->vm)))
		return;
	switch (csg_vmids_prove(when->vmids, when->vmid, owner->vm, owner->level, &disputed)) {
	case CSG_VMID_NOTHING:
		break;
	case CSG_VMID_AGREES:
		csg_found(when->finder, CSG_ASSUMPTION_VMID, true, when->index);
		owner->evidence |= CSG_EVIDENCE_VMID;
		break;
	case CSG_VMID_CONTRADICTS:
		csg_found(when->finder, CSG_ASSUMPTION_VMID, false, when->index);
		facts->disputed_vmid = disputed;
		owner->evidence |= CSG_EVIDENCE_VMID;
		owner->reason = CSG_REASON_CONFLICT;
		owner->vm = CSG_VM_UNKNOWN;
		owner->vcpu = CSG_VCPU_UNKNOWN;
		owner->host_tid = owner->guest_tid = CSG_PID_UNKNOWN;
		owner->level = CSG_LEVEL_UNKNOWN;
		owner->nested = CSG_VM_UNKNOWN;
		break;
	}
}

/*
 * Without VHE host and guests change places where trace is lost silently (world/stretch.h).
 * CONTEXTIDR_EL1 is of the one or the other: this one is of another thread than the switch
 * records', or, where nothing else says who runs, of none of the machine's.
 */
static bool is_strangers(const struct csg_owner *owner, uint32_t evidence)
{
	if (!(evidence & CSG_EVIDENCE_HVC_RETURN))
		return false;
	if (owner->reason == CSG_REASON_NO_THREAD)
		return !(evidence & CSG_EVIDENCE_RESIDENCY);
	return owner->reason == CSG_REASON_CONFLICT && owner->tid == CSG_PID_UNKNOWN;
}

void csg_owner_leave_world(struct csg_owner *owner)
{
	owner->world = CSG_WORLD_UNKNOWN;
	owner->vm = CSG_VM_UNKNOWN;
	owner->vcpu = CSG_VCPU_UNKNOWN;
	owner->pid = owner->tid = owner->host_tid = CSG_PID_UNKNOWN;
}

/*
 * Whether its owner is, or may be, found by who was on the CPU.  An EL2 that is not known to be the
 * host's is a hypervisor's.
 */
static bool asks_who(const struct csg_owner *owner)
{
	if (owner->world == CSG_WORLD_UNKNOWN)
		return owner->reason != CSG_REASON_NO_CONTEXT && owner->el != CSG_EL2;
	return owner->world == CSG_WORLD_HOST || owner->world == CSG_WORLD_GUEST;
}

/* named: the trace itself names the host's thread.  A survey has not all of it. */
static void read_holes(struct csg_facts *facts, const struct csg_when *when,
		       const struct csg_owner *owner, bool named)
{
	const struct csg_hole_part part = {
		.cpu = when->cpu,
		.from = when->from,
		.until = when->until ? when->until : UINT64_MAX,
		.ended = when->before ? when->ended : when->piece->end_time,
		.last = !when->before,
		.named = named || (when->zero_id && owner->host_tid == 0),
	};

	if (facts->holes.count && when->finder && when->finder->found && asks_who(owner))
		csg_holes_read(&facts->holes, &part, &facts->contradictions);
}

/* Up to here its process is known by the number. */
static void name_process(struct csg_owner *owner)
{
	if (owner->world != CSG_WORLD_HOST || owner->host_process == CSG_PID_SEVERAL)
		owner->host_process = CSG_PID_UNKNOWN;
	else if (owner->host_process <= 0)
		owner->host_process = owner->pid;
	if (owner->world == CSG_WORLD_HOST)
		owner->pid = csg_vm_pid(owner->pid);
}

/* --- the list --- */

/* An owner that is being found. */
struct resolution {
	struct csg_facts *facts;
	const struct csg_when *when;
	const struct csg_guest_span *span;
	struct csg_owner *owner;
	uint32_t evidence;   /* that the trace itself gave */
	bool named;	     /* the trace itself names the host's thread */
	bool foreign_thread; /* its threads are not the guest's, or may not be */
};

static int by_time_slices(struct resolution *r)
{
	return csg_owner_by_order(r->facts, r->when, r->owner);
}

static int by_on_cpu_intervals(struct resolution *r)
{
	int err = csg_owner_by_residency(r->facts, r->when, r->owner);

	read_holes(r->facts, r->when, r->owner, r->named);
	return err;
}

static int without_default(struct resolution *r)
{
	if (may_be_guests(r->facts, r->when, r->owner))
		leave_open(r->owner);
	return 0;
}

static int by_host_records(struct resolution *r)
{
	complete_host(r->facts, r->when, r->owner);
	return 0;
}

static int by_vcpu_table(struct resolution *r)
{
	return find_vm(r->facts, r->when, r->owner);
}

static int by_vmid(struct resolution *r)
{
	check_vmid(r->facts, r->when, r->owner);
	return 0;
}

static int by_level(struct resolution *r)
{
	r->foreign_thread = !csg_owner_by_level(r->facts, r->when, r->owner);
	return 0;
}

static int by_guest_records(struct resolution *r)
{
	return r->foreign_thread ? 0 : csg_guest_process(r->facts, r->when, r->span, r->owner);
}

static int by_guest_time_slices(struct resolution *r)
{
	if (!r->foreign_thread)
		csg_owner_by_guest_time_slice(r->facts, r->when, r->owner);
	return 0;
}

#define ANY (1u << CSG_WORLD_COUNT)
#define HOST (1u << CSG_WORLD_HOST)
#define GUEST (1u << CSG_WORLD_GUEST)
#define PROCESS (CSG_PART_VM | CSG_PART_VCPU | CSG_PART_THREAD)

/* In this order.  apply is NULL where world/ has settled it already, packet by packet. */
static const struct {
	uint32_t worlds; /* that the owner may be of by now */
	int (*apply)(struct resolution *r);
	struct csg_owner_sources sources;
} rules[] = {
	{ANY, NULL, {CSG_EVIDENCE_POLICY_DEFAULT, CSG_PART_WORLD}},
	{ANY, NULL, {CSG_EVIDENCE_EXCEPTION_LEVEL, CSG_PART_WORLD}},
	{ANY, NULL, {CSG_EVIDENCE_SECURITY_STATE, CSG_PART_WORLD}},
	{ANY, NULL, {CSG_EVIDENCE_NEIGHBOUR_EL, CSG_PART_WORLD}},
	{ANY, NULL, {CSG_EVIDENCE_VECTOR_BASE, CSG_PART_WORLD}},
	{ANY, NULL, {CSG_EVIDENCE_ENTRY_ERET, CSG_PART_WORLD}},
	{ANY, NULL, {CSG_EVIDENCE_HVC_RETURN, CSG_PART_WORLD}},
	{ANY, NULL, {CSG_EVIDENCE_CONTEXTIDR_EL1, PROCESS}},
	{ANY, NULL, {CSG_EVIDENCE_CONTEXTIDR_EL2, PROCESS}},
	{ANY, by_time_slices, {CSG_EVIDENCE_SWITCH_ORDER | CSG_EVIDENCE_KVM_EVENTS, PROCESS}},
	{ANY,
	 by_on_cpu_intervals,
	 {CSG_EVIDENCE_RESIDENCY | CSG_EVIDENCE_TIMESTAMP_DOMAIN, PROCESS}},
	{HOST, without_default, {0, 0}},
	{HOST, by_host_records, {CSG_EVIDENCE_RECORDING, CSG_PART_THREAD}},
	{GUEST, by_vcpu_table, {CSG_EVIDENCE_USER_SAID, CSG_PART_VM | CSG_PART_VCPU}},
	{GUEST, by_level, {CSG_EVIDENCE_NESTED_ENTRY, CSG_PART_LEVEL}},
	{GUEST, by_vmid, {CSG_EVIDENCE_VMID, CSG_PART_VM}},
	{GUEST,
	 by_guest_records,
	 {CSG_EVIDENCE_GUEST_SIDEBAND | CSG_EVIDENCE_GUEST_CPU, CSG_PART_THREAD}},
	{GUEST, by_guest_time_slices, {CSG_EVIDENCE_GUEST_SWITCH_ORDER, CSG_PART_THREAD}},
};

const struct csg_owner_sources *csg_owner_sources(size_t number)
{
	return number < sizeof(rules) / sizeof(rules[0]) ? &rules[number].sources : NULL;
}

int csg_owner_complete(struct csg_facts *facts, const struct csg_when *when,
		       const struct csg_guest_span *span, struct csg_owner *owner)
{
	struct resolution r = {
		.facts = facts,
		.when = when,
		.span = span,
		.owner = owner,
		.evidence = owner->evidence,
		.named = owner->host_tid != CSG_PID_UNKNOWN,
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].apply && rules[i].worlds & (ANY | 1u << owner->world))
			err = rules[i].apply(&r);
	if (is_strangers(owner, r.evidence))
		csg_owner_leave_world(owner);
	if (facts->nests && owner->world == CSG_WORLD_HOST)
		csg_owner_at_level(owner, CSG_LEVEL_HOST);
	name_process(owner);
	return err;
}
