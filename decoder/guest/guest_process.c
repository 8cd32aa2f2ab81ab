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

/* The guest's times of two raw timestamps of its; false: not known. */
static bool guest_times(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			uint64_t after, uint64_t before, uint64_t *from, uint64_t *to)
{
	const struct csg_offset_vm *timeline;

	if (!guest->clock.conv.valid || !after || !before)
		return false;
	if (guest->clock.host_time) {
		/* Somebody has brought its records to the host's time: so must be the timestamps. */
		timeline = csg_offsets_of(&facts->clocks.offsets, guest->vm);
		if (!timeline || timeline->count != 1 ||
		    !csg_offset_is_bounded(&timeline->pieces[0].offset))
			return false;
		after += (uint64_t)timeline->pieces[0].offset.low;
		before += (uint64_t)timeline->pieces[0].offset.high;
	}
	*from = csg_time_conv_to_ns(&guest->clock.conv, after);
	*to = csg_time_conv_to_ns(&guest->clock.conv, before);
	return *from <= *to;
}

/* Between which times of the guest the thread of the segment is wanted; false: not known. */
static bool when_it_ran(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			const struct csg_guest_span *span, const struct csg_owner *owner,
			uint64_t *from, uint64_t *to)
{
	bool inside = owner->privilege == CSG_USER && span->first;

	if (!guest_times(facts, guest, inside ? span->first : span->after,
			 inside ? span->last : span->before, from, to))
		return false;
	*from = *from > SLACK_NS ? *from - SLACK_NS : 0;
	*to += SLACK_NS;
	return true;
}

/* Nobody is switched while user code runs: two timestamps inside it with a switch in between lie. */
static bool contradicts(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			const struct csg_guest_span *span, const struct csg_owner *owner)
{
	struct csg_ran_from who;
	uint64_t from, to;

	if (owner->privilege != CSG_USER || guest->clock.host_time ||
	    !guest_times(facts, guest, span->first, span->last, &from, &to) ||
	    to - from <= 2 * SLACK_NS)
		return false;
	return csg_switches_ran(&guest->switches, cpu_of(guest, owner), false, from + SLACK_NS,
				to - SLACK_NS, &who) == CSG_RAN_SEVERAL;
}

static enum csg_ran_answer by_switches(const struct csg_facts *facts,
				       struct csg_facts_machine *guest,
				       const struct csg_guest_span *span,
				       const struct csg_owner *owner, struct csg_ran_from *who)
{
	int32_t cpu = cpu_of(guest, owner);
	uint64_t from, to;

	guest->switches_lie |= contradicts(facts, guest, span, owner);
	if (cpu < 0 || guest->switches_lie || !when_it_ran(facts, guest, span, owner, &from, &to))
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

void csg_guest_process(struct csg_facts *facts, const struct csg_guest_span *span,
		       struct csg_owner *owner)
{
	struct csg_facts_machine *guest = owner->vm > 0 && csg_facts_find(facts, owner->vm)
						  ? csg_facts_machine(facts, owner->vm)
						  : NULL;
	enum csg_ran_answer answer;
	struct csg_ran_from who;

	if (!guest) {
		unknown_thread(owner, owner->reason ? owner->reason : CSG_REASON_NO_GUEST);
		return;
	}
	check_contextidr(facts, guest, span, owner);
	answer = by_switches(facts, guest, span, owner, &who);
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
