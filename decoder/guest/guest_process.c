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

/*
 * Whether the trace's timestamps are this guest's counter while its vCPU is loaded, and not the
 * physical one, as
 * they would be if the trace unit was set otherwise than the driver says: the trace has shown them to jump
 * (clock/stamps.h), or the user says that there is no offset.
 */
static bool has_guests_counter(const struct csg_facts *facts, int32_t vm)
{
	const struct csg_offset_vm *timeline = csg_offsets_of(&facts->clocks.offsets, vm);

	for (size_t i = 0; timeline && i < timeline->count; i++) {
		const struct csg_offset_piece *piece = &timeline->pieces[i];
		bool jumps = piece->offset.low > 0 || piece->offset.high < 0;

		if (piece->contradicted || !(jumps || (piece->sources & CSG_OFFSET_BY_USER)))
			return false;
	}
	return timeline && timeline->count;
}

/* Between which times of the guest's records a raw timestamp of its was sent; false: not known. */
static bool guest_time(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		       uint64_t timestamp, uint64_t *low, uint64_t *high)
{
	struct csg_offset offset = {0, 0};

	if (!guest->clock.conv.valid || !timestamp)
		return false;
	/* Somebody has brought its records to the host's time: so must be the timestamps. */
	if (guest->clock.host_time ? !csg_facts_offset(facts, guest->vm, &offset)
				   : !has_guests_counter(facts, guest->vm))
		return false;
	*low = csg_time_conv_to_ns(&guest->clock.conv, timestamp + (uint64_t)offset.low);
	*high = csg_time_conv_to_ns(&guest->clock.conv, timestamp + (uint64_t)offset.high);
	return true;
}

/* Between which times of the guest the thread of the segment is wanted; false: not known. */
static bool when_it_ran(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			const struct csg_guest_span *span, const struct csg_owner *owner,
			uint64_t *from, uint64_t *to)
{
	bool inside = owner->privilege == CSG_USER && span->first;
	uint64_t unused;

	if (!guest_time(facts, guest, inside ? span->first : span->after, from, &unused) ||
	    !guest_time(facts, guest, inside ? span->last : span->before, &unused, to) ||
	    *from > *to)
		return false;
	*from = *from > SLACK_NS ? *from - SLACK_NS : 0;
	*to += SLACK_NS;
	return true;
}

/* Nobody is switched while user code runs: two timestamps inside it with a switch in between lie. */
static bool contradicts(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			const struct csg_guest_span *span, const struct csg_owner *owner,
			int32_t cpu)
{
	uint64_t from, to, unused;
	struct csg_ran_from who;

	if (owner->privilege != CSG_USER ||
	    !guest_time(facts, guest, span->first, &unused, &from) ||
	    !guest_time(facts, guest, span->last, &to, &unused) || to <= from + 2 * SLACK_NS)
		return false;
	return csg_switches_ran(&guest->switches, cpu, false, from + SLACK_NS, to - SLACK_NS,
				&who) == CSG_RAN_SEVERAL;
}

static enum csg_ran_answer by_switches(const struct csg_facts *facts,
				       struct csg_facts_machine *guest,
				       const struct csg_guest_span *span,
				       const struct csg_owner *owner, int32_t cpu,
				       struct csg_ran_from *who)
{
	uint64_t from, to;

	if (cpu < 0)
		return CSG_RAN_UNKNOWN;
	guest->switches_lie |= contradicts(facts, guest, span, owner, cpu);
	if (guest->switches_lie || !when_it_ran(facts, guest, span, owner, &from, &to))
		return CSG_RAN_UNKNOWN;
	return csg_switches_ran(&guest->switches, cpu, owner->privilege != CSG_USER, from, to, who);
}

/* What CONTEXTIDR_EL1 says counts if the guest knows such a thread. */
static void check_contextidr(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			     const struct csg_guest_span *span, struct csg_owner *owner)
{
	uint64_t time, unused;

	if (owner->tid == CSG_PID_UNKNOWN)
		return;
	if (guest->switches_lie ||
	    !guest_time(facts, guest, span->before ? span->before : span->last, &unused, &time))
		time = CSG_TIME_LAST;
	owner->pid = csg_facts_process(facts, owner->vm, owner->tid, time);
	if (owner->pid < 0)
		unknown_thread(owner, CSG_REASON_NO_THREAD);
}

static enum csg_reason reason_of(enum csg_ran_answer answer, enum csg_guest_cpu_is is)
{
	if (is == CSG_GUEST_CPU_CONFLICT)
		return CSG_REASON_CONFLICT;
	return answer == CSG_RAN_SEVERAL ? CSG_REASON_SWITCH : CSG_REASON_NO_SWITCH;
}

int csg_guest_process(struct csg_facts *facts, const struct csg_guest_span *span,
		      struct csg_owner *owner)
{
	struct csg_facts_machine *guest = owner->vm > 0 && csg_facts_find(facts, owner->vm)
						  ? csg_facts_machine(facts, owner->vm)
						  : NULL;
	enum csg_ran_answer answer;
	enum csg_guest_cpu_is is;
	struct csg_ran_from who;
	int32_t cpu;
	int err;

	if (!guest) {
		unknown_thread(owner, owner->reason ? owner->reason : CSG_REASON_NO_GUEST);
		return 0;
	}
	err = csg_guest_cpus_look(facts, guest);
	if (err)
		return err;
	check_contextidr(facts, guest, span, owner);
	is = csg_guest_cpu_of(guest, owner->host_tid, owner->vcpu, &cpu);
	answer = by_switches(facts, guest, span, owner, cpu, &who);
	if (answer != CSG_RAN_ONE || who.tid == CSG_PID_UNKNOWN) {
		if (owner->tid == CSG_PID_UNKNOWN && owner->reason == CSG_REASON_NONE)
			owner->reason = (uint8_t)reason_of(answer, is);
		return 0;
	}
	if ((owner->tid != CSG_PID_UNKNOWN && owner->tid != who.tid) ||
	    (owner->privilege == CSG_USER && !who.tid)) {
		unknown_thread(owner, CSG_REASON_CONFLICT);
		return 0;
	}
	owner->tid = who.tid;
	owner->pid = who.pid;
	owner->witness |= CSG_WITNESS_GUEST_SIDEBAND;
	if (is == CSG_GUEST_CPU_FITS)
		owner->witness |= CSG_WITNESS_GUEST_CPU;
	owner->reason = CSG_REASON_NONE;
	return 0;
}
