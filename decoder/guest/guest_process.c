/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_process.h"

/*
 * How far a timestamp may be off from what a guest's kernel read: a tick of the counter (Linux runs
 * on 1 MHz and more), and what the trace unit takes to send it.  A switch takes longer.
 */
#define SLACK_NS 200

static void unknown_thread(struct csg_owner *owner, enum csg_reason reason)
{
	owner->pid = owner->tid = CSG_PID_UNKNOWN;
	owner->witness &= ~(uint32_t)(CSG_WITNESS_CONTEXTIDR_EL1 | CSG_WITNESS_GUEST_SIDEBAND);
	owner->reason = reason;
}

/* The CPU of the guest that the vCPU is: its number, or the only one there is. */
static int32_t cpu_of(const struct csg_facts_machine *guest, const struct csg_owner *owner)
{
	if (owner->vcpu != CSG_VCPU_UNKNOWN)
		return owner->vcpu;
	return csg_switches_only_cpu(&guest->switches);
}

/* Between which times of the guest the thread of the segment is wanted; false: not known. */
static bool when_it_ran(const struct csg_facts_machine *guest, const struct csg_guest_span *span,
			const struct csg_owner *owner, uint64_t *from, uint64_t *to)
{
	bool inside = owner->privilege == CSG_USER && span->first;
	uint64_t after = inside ? span->first : span->after;
	uint64_t before = inside ? span->last : span->before;

	if (!guest->clock.conv.valid || !after || !before)
		return false;
	*from = csg_time_conv_to_ns(&guest->clock.conv, after);
	*to = csg_time_conv_to_ns(&guest->clock.conv, before);
	if (*from > *to)
		return false;
	*from = *from > SLACK_NS ? *from - SLACK_NS : 0;
	*to += SLACK_NS;
	return true;
}

static enum csg_ran_answer by_switches(const struct csg_facts_machine *guest,
				       const struct csg_guest_span *span,
				       const struct csg_owner *owner, struct csg_ran_from *who)
{
	int32_t cpu = cpu_of(guest, owner);
	uint64_t from, to;

	if (cpu < 0 || !when_it_ran(guest, span, owner, &from, &to))
		return CSG_RAN_UNKNOWN;
	return csg_switches_ran(&guest->switches, cpu, owner->privilege != CSG_USER, from, to, who);
}

/* What CONTEXTIDR_EL1 says counts if the guest knows such a thread. */
static void check_contextidr(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			     const struct csg_guest_span *span, struct csg_owner *owner)
{
	uint64_t time = CSG_TIME_LAST;

	if (owner->tid == CSG_PID_UNKNOWN)
		return;
	if (guest->clock.conv.valid && (span->before || span->last))
		time = csg_time_conv_to_ns(&guest->clock.conv,
					   span->before ? span->before : span->last);
	owner->pid = csg_facts_process(facts, owner->vm, owner->tid, time);
	if (owner->pid < 0)
		unknown_thread(owner, CSG_REASON_NO_THREAD);
}

void csg_guest_process(const struct csg_facts *facts, const struct csg_guest_span *span,
		       struct csg_owner *owner)
{
	const struct csg_facts_machine *guest =
		owner->vm > 0 ? csg_facts_find(facts, owner->vm) : NULL;
	enum csg_ran_answer answer;
	struct csg_ran_from who;

	if (!guest) {
		unknown_thread(owner, owner->reason ? owner->reason : CSG_REASON_NO_GUEST);
		return;
	}
	check_contextidr(facts, guest, span, owner);
	answer = by_switches(guest, span, owner, &who);
	if (answer != CSG_RAN_ONE || who.tid == CSG_PID_UNKNOWN) {
		if (owner->tid == CSG_PID_UNKNOWN && owner->reason == CSG_REASON_NONE)
			owner->reason = answer == CSG_RAN_SEVERAL ? CSG_REASON_SWITCH
								  : CSG_REASON_NO_SWITCH;
		return;
	}
	if ((owner->tid != CSG_PID_UNKNOWN && owner->tid != who.tid) ||
	    (owner->privilege == CSG_USER && !who.tid)) {
		unknown_thread(owner, CSG_REASON_CONFLICT);
		return;
	}
	owner->tid = who.tid;
	owner->pid = who.pid;
	owner->witness |= CSG_WITNESS_GUEST_SIDEBAND;
	owner->reason = CSG_REASON_NONE;
}
