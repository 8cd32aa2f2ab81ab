/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/resident.h"

#include "guest/turns.h"

struct vcpu_threads {
	const struct csg_vcpus *vcpus;
	const struct csg_when *when;
	const struct csg_stay *only;
};

/*
 * Whether a thread may have run the guest of which nobody knows that its process is a VMM.  The idle
 * thread is none, and between the records of a switch only the kernel runs.
 */
static bool is_stranger(const struct vcpu_threads *v, const struct csg_stay *stay)
{
	return stay->tid && stay->from <= v->when->until && stay->until >= v->when->from &&
	       !csg_vcpus_is_vmm(v->vcpus, stay->pid);
}

static bool visit(void *arg, const struct csg_stay *stay)
{
	struct vcpu_threads *v = arg;

	if (is_stranger(v, stay))
		return false;
	if (!csg_vcpus_may_run(v->vcpus, stay->pid, stay->tid, CSG_VM_UNKNOWN) ||
	    (v->only && v->only->tid == stay->tid))
		return true;
	if (v->only)
		return false;
	v->only = stay;
	return true;
}

/* The only vCPU thread that was there, if no other can be one; or NULL. */
static const struct csg_stay *vcpu_thread(const struct csg_facts *facts,
					  const struct csg_when *when)
{
	struct vcpu_threads threads = {.vcpus = &facts->vcpus, .when = when};

	if (!csg_residency_among(&facts->residency, when->cpu, when->from, when->until, visit,
				 &threads) ||
	    !threads.only || !csg_vcpus_find(&facts->vcpus, threads.only->tid))
		return NULL;
	return threads.only;
}

/* A thread was there all the time, and it is not the one that the trace names. */
static void contradict(struct csg_facts *facts, struct csg_owner *owner)
{
	facts->residency_lies = true;
	owner->witness |= CSG_WITNESS_RESIDENCY;
	owner->reason = CSG_REASON_CONFLICT;
	owner->host_tid = CSG_PID_UNKNOWN;
	if (owner->world == CSG_WORLD_HOST)
		owner->pid = owner->tid = CSG_PID_UNKNOWN;
}

static void name(struct csg_owner *owner, int32_t pid, int32_t tid, enum csg_witness witness)
{
	owner->host_tid = tid;
	owner->witness |= witness;
	if (owner->world == CSG_WORLD_GUEST)
		return;
	owner->tid = tid;
	owner->pid = pid < 0 ? CSG_PID_UNKNOWN : pid;
	owner->reason = owner->pid == CSG_PID_UNKNOWN ? CSG_REASON_NO_THREAD : CSG_REASON_NONE;
}

static bool note_idle(void *arg, const struct csg_stay *stay)
{
	bool *idle = arg;

	*idle |= !stay->tid;
	return true;
}

/* Linux gives no thread the ID 0 but each CPU's idle thread. */
static void name_idle(struct csg_facts *facts, const struct csg_when *when, struct csg_owner *owner)
{
	bool idle = false;

	if (!csg_residency_among(&facts->residency, when->cpu, when->from, when->until, note_idle,
				 &idle))
		return;
	if (!idle) {
		contradict(facts, owner);
		return;
	}
	name(owner, 0, 0, CSG_WITNESS_RESIDENCY);
	owner->witness |= when->zero_id;
}

void csg_owner_by_residency(struct csg_facts *facts, const struct csg_when *when,
			    struct csg_owner *owner)
{
	bool guest = owner->world == CSG_WORLD_GUEST;
	const struct csg_stay *stay;

	if ((!guest && owner->world != CSG_WORLD_HOST) || !when->from || !when->until)
		return;
	stay = csg_residency_at(&facts->residency, when->cpu, when->from, when->until);
	if (owner->host_tid != CSG_PID_UNKNOWN) {
		if (stay && stay->tid != owner->host_tid)
			contradict(facts, owner);
		return;
	}
	if (facts->residency_lies || (guest && !facts->vcpus.count))
		return;
	if (when->zero_id && !guest && owner->privilege == CSG_KERNEL) {
		name_idle(facts, when, owner);
		return;
	}
	if (guest && stay &&
	    !csg_vcpus_may_run(&facts->vcpus, stay->pid, stay->tid, CSG_VM_UNKNOWN)) {
		/* A guest in a thread that runs none: one of the two is wrong. */
		contradict(facts, owner);
		return;
	}
	if (guest)
		stay = vcpu_thread(facts, when);
	if (stay)
		name(owner, stay->pid, stay->tid, CSG_WITNESS_RESIDENCY);
}

/* The kernel switches threads at EL2, nobody does elsewhere: there the end must be known, too. */
static uint64_t end_of(const struct csg_when *when, const struct csg_owner *owner)
{
	return owner->el < CSG_EL2 ? when->index + 1 : when->end;
}

void csg_owner_by_turn(struct csg_facts *facts, const struct csg_when *when,
		       struct csg_owner *owner)
{
	bool guest = owner->world == CSG_WORLD_GUEST;
	uint64_t end = end_of(when, owner);
	const struct csg_attribution_turn *turn;

	if ((!guest && owner->world != CSG_WORLD_HOST) || owner->host_tid != CSG_PID_UNKNOWN ||
	    !end || facts->residency_lies)
		return;
	turn = csg_turns_find(when->piece->turns, when->piece->turn_count, when->index, end);
	if (turn && turn->events == CSG_TURN_EVENTS_CONTRADICT) {
		owner->witness |= CSG_WITNESS_KVM_EVENTS;
		owner->reason = CSG_REASON_CONFLICT;
	}
	if (!turn || turn->tid == CSG_PID_UNKNOWN)
		return;
	if (turn->events == CSG_TURN_EVENTS_AGREE)
		owner->witness |= CSG_WITNESS_KVM_EVENTS;
	if (guest && facts->vcpus.count &&
	    !csg_vcpus_may_run(&facts->vcpus, turn->pid, turn->tid, CSG_VM_UNKNOWN))
		contradict(facts, owner);
	else
		name(owner, turn->pid, turn->tid, CSG_WITNESS_SWITCH_ORDER);
}
