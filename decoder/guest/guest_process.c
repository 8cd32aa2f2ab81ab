/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_process.h"

#include <inttypes.h>
#include <stdio.h>

#include "guest/facts/guest_fit.h"
#include "guest/facts/guest_cpus.h"
#include "guest/losses.h"
#include "guest/time_blocks.h"

#define DISPUTES 4 /* switches of one guest that may be wrong before all are */
#define LONE 2	   /* switches that one wrong record makes */

/*
 * How far a timestamp may be off from what a guest's kernel read: a tick of the counter (Linux runs
 * on 1 MHz and more), and what the trace unit takes to send it.  A switch takes longer.
 */
#define SLACK_NS 200

static void unknown_thread(struct csg_owner *owner, enum csg_reason reason)
{
	owner->pid = owner->tid = CSG_PID_UNKNOWN;
	owner->evidence &= ~(uint32_t)(CSG_EVIDENCE_CONTEXTIDR_EL1 | CSG_EVIDENCE_GUEST_SIDEBAND);
	owner->reason = reason;
}

/*
 * Whether the trace's timestamps are this guest's counter while its vCPU is loaded, and not the
 * physical one, as they would be if the trace unit was set otherwise than the driver says: the
 * trace has shown them to jump (clock/stamps.h), or the user says that there is no offset.
 */
static bool has_guests_counter(const struct csg_facts *facts, int32_t vm)
{
	const struct csg_offset_vm *timeline = csg_offsets_of(&facts->clocks.offsets, vm);

	for (size_t i = 0; timeline && i < timeline->count; i++) {
		const struct csg_offset_period *period = &timeline->periods[i];
		bool jumps = period->offset.low > 0 || period->offset.high < 0;

		if (period->contradicted || !(jumps || (period->sources & CSG_OFFSET_BY_USER)))
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

/*
 * Nobody is switched while user code runs: two timestamps inside it with a switch in between lie.
 * *from and *to get the time between them, in the guest's time.
 */
static bool contradicts(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			const struct csg_guest_span *span, const struct csg_owner *owner,
			int32_t cpu, uint64_t *from, uint64_t *to)
{
	uint64_t unused;
	struct csg_ran_from who;

	if (owner->privilege != CSG_USER || guest->switches_lie || cpu < 0 || span->late ||
	    !guest_time(facts, guest, span->first, &unused, from) ||
	    !guest_time(facts, guest, span->last, to, &unused) || *to <= *from + 2 * SLACK_NS)
		return false;
	*from += SLACK_NS;
	*to -= SLACK_NS;
	return csg_switches_ran(&guest->switches, cpu, false, *from, *to, &who) == CSG_RAN_SEVERAL;
}

/*
 * A guest whose other records happened while its vCPUs ran is the right one, and so is its clock: a
 * record is wrong there.  Else, or where that comes again and again, none of them counts.
 */
static int judge_switches(struct csg_facts *facts, struct csg_facts_machine *guest)
{
	enum csg_guest_fits fits = CSG_GUEST_FIT_UNKNOWN;
	int err = 0;

	if (guest->disputes++ < DISPUTES)
		err = csg_guest_fit(facts, guest->vm, &guest->clock, &guest->switches, &fits);
	guest->switches_lie = fits != CSG_GUEST_FITS;
	return err;
}

static int dispute_records(struct csg_facts *facts, struct csg_facts_machine *guest, int32_t cpu,
			   uint64_t from, uint64_t to)
{
	struct csg_contradiction one = {
		.kind = CSG_CONTRADICTION_GUEST_SWITCHES,
		.cpu = -1,
		.vm = guest->vm,
		.begin = CSG_NO_INDEX,
		.end = CSG_NO_INDEX,
		.begin_time = from,
		.end_time = to,
	};

	csg_switches_lose(&guest->switches, cpu, from, to);
	snprintf(one.text, sizeof(one.text),
		 "user code runs on in the trace while the records of its CPU %" PRId32
		 " switch threads%s",
		 cpu, guest->switches_lie ? ": none of this guest's counts any more" : "");
	return csg_contradictions_add(&facts->contradictions, &one);
}

/*
 * More switches than one wrong record makes: it is the trace that goes on across what was lost
 * silently. The records stay in use.
 */
static int dispute_trace(struct csg_facts *facts, const struct csg_facts_machine *guest,
			 const struct csg_when *when, size_t switches)
{
	struct csg_contradiction one =
		csg_when_contradiction(when, CSG_CONTRADICTION_GUEST_SWITCHES);

	snprintf(one.text, sizeof(one.text),
		 "user code runs on while the records of VM %" PRId32 " switch threads %zu times",
		 guest->vm, switches);
	return csg_contradictions_add(&facts->contradictions, &one);
}

/* User code that the guest's records switch between these times.  1: nobody is named; 0, or an
 * error. */
static int dispute(struct csg_facts *facts, struct csg_facts_machine *guest,
		   const struct csg_when *when, int32_t cpu, uint64_t from, uint64_t to)
{
	size_t switches = csg_switches_between(&guest->switches, cpu, from, to);
	int err = judge_switches(facts, guest);

	if (err || guest->switches_lie || switches <= LONE)
		return err ? err : dispute_records(facts, guest, cpu, from, to);
	err = dispute_trace(facts, guest, when, switches);
	return err ? err : 1;
}

/* The segment is two, with trace missing between them. */
static int dispute_path(struct csg_facts *facts, const struct csg_when *when,
			const struct csg_attribution_loss *loss)
{
	struct csg_contradiction one = {
		.kind = CSG_CONTRADICTION_PATH,
		.cpu = when->cpu,
		.begin = loss->begin,
		.end = loss->end,
		.begin_time = when->from,
		.end_time = when->until,
	};

	snprintf(one.text, sizeof(one.text),
		 "what is traced of a guest is not where its code leads: trace is missing");
	return csg_contradictions_add(&facts->contradictions, &one);
}

/* Why the time at which a segment ran is not known. */
static enum csg_reason why_no_time(const struct csg_facts *facts,
				   const struct csg_facts_machine *guest,
				   const struct csg_guest_span *span)
{
	uint64_t low, high, any = span->after ? span->after : span->first;

	if (!guest->clock.conv.valid)
		return CSG_REASON_NO_GUEST_CLOCK;
	any = any ? any : span->before;
	return any && !guest_time(facts, guest, any, &low, &high) ? CSG_REASON_NO_OFFSET
								  : CSG_REASON_NO_TIME;
}

/* Whom the switches of cpu name; another reason than NONE: nobody. */
static enum csg_reason by_switches_at(const struct csg_facts *facts,
				      const struct csg_facts_machine *guest,
				      const struct csg_guest_span *span,
				      const struct csg_owner *owner, int32_t cpu,
				      struct csg_ran_from *who)
{
	uint64_t from, to;

	if (guest->switches_lie)
		return CSG_REASON_CONFLICT;
	if (!when_it_ran(facts, guest, span, owner, &from, &to))
		return why_no_time(facts, guest, span);
	if (!csg_switches_cover(&guest->switches, cpu, from, to))
		return CSG_REASON_NO_SWITCH;
	switch (csg_switches_ran(&guest->switches, cpu, owner->privilege != CSG_USER, from, to,
				 who)) {
	case CSG_RAN_ONE:
		return who->tid == CSG_PID_UNKNOWN ? CSG_REASON_LOST_SWITCH : CSG_REASON_NONE;
	case CSG_RAN_SEVERAL:
		return CSG_REASON_SWITCH;
	case CSG_RAN_UNKNOWN:
		break;
	}
	return CSG_REASON_LOST_SWITCH;
}

/* The timestamps may be later by as many blocks: does another thread run user code then? */
static bool ran_later(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		      const struct csg_guest_span *span, const struct csg_owner *owner, int32_t cpu,
		      int32_t tid)
{
	struct csg_guest_span later = *span;
	struct csg_ran_from who;

	for (uint16_t i = 0; i < span->late; i++) {
		later.first += UINT64_C(1) << CSG_STAMP_BLOCK_BITS;
		later.last += UINT64_C(1) << CSG_STAMP_BLOCK_BITS;
		if (by_switches_at(facts, guest, &later, owner, cpu, &who) != CSG_REASON_NONE ||
		    (who.tid && who.tid != tid))
			return true;
	}
	return false;
}

static enum csg_reason by_switches(const struct csg_facts *facts,
				   const struct csg_facts_machine *guest,
				   const struct csg_guest_span *span, const struct csg_owner *owner,
				   int32_t cpu, struct csg_ran_from *who)
{
	enum csg_reason reason = by_switches_at(facts, guest, span, owner, cpu, who);

	if (reason == CSG_REASON_NONE && ran_later(facts, guest, span, owner, cpu, who->tid))
		return CSG_REASON_SWITCH;
	return reason;
}

/* The same where the switches of that vCPU have to be found first. */
static enum csg_reason by_vcpus_switches(const struct csg_facts *facts,
					 const struct csg_facts_machine *guest,
					 const struct csg_guest_span *span,
					 const struct csg_owner *owner, enum csg_guest_cpu_is is,
					 int32_t cpu, struct csg_ran_from *who)
{
	if (!guest->switches.count)
		return CSG_REASON_NO_SWITCHES;
	if (is == CSG_GUEST_CPU_CONFLICT)
		return CSG_REASON_CONFLICT;
	return cpu < 0 ? CSG_REASON_NO_GUEST_CPU : by_switches(facts, guest, span, owner, cpu, who);
}

enum csg_reason csg_guest_thread_at(const struct csg_facts *facts, int32_t vm, int32_t host_tid,
				    uint64_t timestamp, struct csg_ran_from *who)
{
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);
	const struct csg_vcpu_entry *vcpu = csg_vcpus_find(&facts->vcpus, vm, host_tid);
	const struct csg_guest_span at = {.after = timestamp, .before = timestamp};
	const struct csg_owner kernel = {.privilege = CSG_KERNEL};
	enum csg_guest_cpu_is is;
	int32_t cpu;

	if (!guest)
		return CSG_REASON_NO_GUEST;
	is = csg_guest_cpu_of(&guest->cpus, host_tid, vcpu ? vcpu->vcpu : CSG_VCPU_UNKNOWN, &cpu);
	return by_vcpus_switches(facts, guest, &at, &kernel, is, cpu, who);
}

/* What CONTEXTIDR_EL1 says counts if the guest knows such a thread. */
static void check_contextidr(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			     const struct csg_guest_span *span, struct csg_owner *owner)
{
	uint64_t from = CSG_TIME_FIRST, until = CSG_TIME_LAST, unused;
	bool user = owner->privilege == CSG_USER;
	int32_t pid;

	if (owner->tid == CSG_PID_UNKNOWN)
		return;
	if (guest->switches_lie ||
	    !guest_time(facts, guest, span->before ? span->before : span->last, &unused, &until))
		until = CSG_TIME_LAST;
	if (until == CSG_TIME_LAST ||
	    !guest_time(facts, guest, span->after ? span->after : span->first, &from, &unused))
		from = CSG_TIME_FIRST;
	pid = csg_facts_process(facts, owner->vm, owner->tid, from, until, user);
	if (pid < 0)
		unknown_thread(owner, pid == CSG_PID_SEVERAL ? CSG_REASON_REUSED_ID
							     : CSG_REASON_NO_THREAD);
	else
		owner->pid = pid;
}

int csg_guest_process(struct csg_facts *facts, const struct csg_when *when,
		      const struct csg_guest_span *span, struct csg_owner *owner)
{
	struct csg_facts_machine *guest = owner->vm > 0 && csg_facts_find(facts, owner->vm)
						  ? csg_facts_machine(facts, owner->vm)
						  : NULL;
	const struct csg_attribution_loss *loss;
	enum csg_guest_cpu_is is;
	enum csg_reason reason;
	struct csg_ran_from who;
	uint64_t from, to;
	int32_t cpu;
	int err;

	if (!guest) {
		unknown_thread(owner, owner->reason ? owner->reason : CSG_REASON_NO_GUEST);
		return 0;
	}
	loss = csg_loss_in(when);
	if (loss) {
		unknown_thread(owner, CSG_REASON_CONFLICT);
		return dispute_path(facts, when, loss);
	}
	err = csg_guest_cpus_look(facts, guest);
	if (err)
		return err;
	check_contextidr(facts, guest, span, owner);
	is = csg_guest_cpu_of(&guest->cpus, owner->host_tid, owner->vcpu, &cpu);
	if (contradicts(facts, guest, span, owner, cpu, &from, &to))
		err = dispute(facts, guest, when, cpu, from, to);
	if (err > 0)
		unknown_thread(owner, CSG_REASON_CONFLICT);
	if (err)
		return err < 0 ? err : 0;
	reason = by_vcpus_switches(facts, guest, span, owner, is, cpu, &who);
	if (reason != CSG_REASON_NONE) {
		if (owner->tid == CSG_PID_UNKNOWN && owner->reason == CSG_REASON_NONE)
			owner->reason = (uint8_t)reason;
		return 0;
	}
	if ((owner->tid != CSG_PID_UNKNOWN && owner->tid != who.tid) ||
	    (owner->privilege == CSG_USER && !who.tid)) {
		unknown_thread(owner, CSG_REASON_CONFLICT);
		return 0;
	}
	owner->tid = who.tid;
	owner->pid = who.pid;
	owner->evidence |= CSG_EVIDENCE_GUEST_SIDEBAND;
	if (is == CSG_GUEST_CPU_FITS)
		owner->evidence |= CSG_EVIDENCE_GUEST_CPU;
	owner->reason = CSG_REASON_NONE;
	return 0;
}
