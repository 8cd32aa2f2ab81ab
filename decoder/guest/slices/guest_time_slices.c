/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/guest_time_slices.h"

#include "util/bisect.h"
#include "guest/facts/guest_cpus.h"
#include "guest/facts/guest_offset.h"
#include "guest/slices/time_slice_match.h"

#define SLACK_NS 200 /* that a time of either machine may be off */

int csg_guest_time_slices_prepare(struct csg_facts *facts)
{
	int err = 0;

	for (size_t i = 0; !err && i < facts->count; i++) {
		struct csg_facts_machine *m = &facts->machines[i];

		if (m->vm == CSG_VM_HOST || !m->switches.count)
			continue;
		err = csg_guest_tell_offset(facts, m);
		if (!err)
			err = csg_guest_cpus_look(facts, m);
	}
	return err;
}

/* Why no time slice of the guest's can be found; NONE: they can. */
static enum csg_reason why_nothing(const struct csg_facts_machine *guest)
{
	if (!guest)
		return CSG_REASON_NO_GUEST;
	if (guest->switches_lie)
		return CSG_REASON_CONFLICT;
	if (!guest->clock.switches)
		return CSG_REASON_NO_SWITCHES;
	if (guest->has_known_offset && !guest->clock.host_time)
		return CSG_REASON_NONE;
	if (!guest->switches.count)
		return CSG_REASON_NO_SWITCHES;
	return guest->clock.conv.valid ? CSG_REASON_NO_OFFSET : CSG_REASON_NO_GUEST_CLOCK;
}

bool csg_guest_time_slices_tell(const struct csg_facts *facts, int32_t vm)
{
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);

	return vm > 0 && why_nothing(guest) == CSG_REASON_NONE;
}

bool csg_guest_time_slices_when(const struct csg_facts *facts, int32_t vm, uint64_t counter,
				uint64_t *low, uint64_t *high)
{
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);

	if (!guest || !guest->has_known_offset)
		return false;
	csg_offset_times(&guest->known_offset, &facts->clocks.conv, counter, low, high);
	return *low && *low <= *high;
}

/* --- the host's time as the guest's --- */

/* The earliest time of the guest at which the host's may have been ns. */
static uint64_t earliest(const struct csg_facts *facts, const struct csg_facts_machine *guest,
			 uint64_t ns)
{
	uint64_t counter =
		csg_time_conv_to_counter(&facts->clocks.conv, ns > SLACK_NS ? ns - SLACK_NS : 0);
	int64_t at = (int64_t)counter - guest->known_offset.high;
	uint64_t time = at > 0 ? csg_time_conv_to_ns(&guest->clock.conv, (uint64_t)at) : 0;

	return time > SLACK_NS ? time - SLACK_NS : 0;
}

/* The latest. */
static uint64_t latest(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		       uint64_t ns)
{
	uint64_t counter = csg_time_conv_to_counter(&facts->clocks.conv, ns + SLACK_NS);
	int64_t at = (int64_t)counter - guest->known_offset.low;

	return (at > 0 ? csg_time_conv_to_ns(&guest->clock.conv, (uint64_t)at) : 0) + SLACK_NS;
}

static void bring_to_guest(struct csg_time_slices *slices, const struct csg_facts *facts,
			   const struct csg_facts_machine *guest)
{
	for (size_t i = 0; i < slices->count; i++) {
		struct csg_time_slice_time *time = &slices->times[i];

		time->begun_by = latest(facts, guest, time->begun_by);
		time->lasts_to = earliest(facts, guest, time->lasts_to);
	}
}

/* --- matching --- */

int csg_guest_time_slices_match(struct csg_time_slices *slices, const struct csg_facts *facts,
				int32_t vm, int32_t host_tid, uint64_t from, uint64_t until,
				enum csg_reason *reason)
{
	static const struct csg_kvm_visits none;
	const struct csg_facts_machine *guest = csg_facts_find(facts, vm);
	const struct csg_vcpu_entry *vcpu = csg_vcpus_find(&facts->vcpus, vm, host_tid);
	int32_t cpu;
	int err;

	*reason = why_nothing(guest);
	if (*reason != CSG_REASON_NONE)
		return 0;
	*reason = CSG_REASON_NO_TIME;
	if (from > until)
		return 0;
	*reason = csg_guest_cpu_of(&guest->cpus, host_tid, vcpu ? vcpu->vcpu : CSG_VCPU_UNKNOWN,
				   &cpu) == CSG_GUEST_CPU_CONFLICT
			  ? CSG_REASON_CONFLICT
			  : CSG_REASON_NO_GUEST_CPU;
	if (cpu < 0)
		return 0;
	bring_to_guest(slices, facts, guest);
	from = earliest(facts, guest, from);
	until = latest(facts, guest, until);
	err = csg_time_slices_match(slices, 0, &guest->intervals, &none, cpu, from, until);
	*reason = csg_switches_cover(&guest->switches, cpu, from, until) ? CSG_REASON_LOST_SWITCH
									 : CSG_REASON_NO_SWITCH;
	if (!err && slices->unfit)
		*reason = CSG_REASON_CONFLICT;
	return err;
}

enum csg_reason csg_guest_time_slice_reason(const struct csg_time_slices *slices, size_t i,
					    enum csg_reason reason)
{
	if (slices->slices[i].tid != CSG_PID_UNKNOWN)
		return CSG_REASON_NONE;
	return slices->times[i].from <= slices->times[i].until ? CSG_REASON_SWITCH_ORDER : reason;
}

/* --- whose segment it is --- */

/* The first time slice of the vCPU that does not end before index, or of a vCPU after it; n:
 * none. */
static size_t first_slice(const struct csg_attribution_guest_time_slice *slices, size_t n,
			  int32_t host_tid, uint64_t index)
{
	size_t i;

	CSG_BISECT(i, n,
		   slices[i].host_tid < host_tid ||
			   (slices[i].host_tid == host_tid && slices[i].end < index));
	return i;
}

static void name(const struct csg_facts *facts,
		 const struct csg_attribution_guest_time_slice *slice, struct csg_owner *owner)
{
	int32_t cpu;

	owner->pid = slice->pid;
	owner->tid = slice->tid;
	owner->reason = CSG_REASON_NONE;
	owner->evidence |= CSG_EVIDENCE_GUEST_SWITCH_ORDER;
	if (csg_guest_cpu_of(&csg_facts_find(facts, owner->vm)->cpus, owner->host_tid, owner->vcpu,
			     &cpu) == CSG_GUEST_CPU_FITS)
		owner->evidence |= CSG_EVIDENCE_GUEST_CPU;
}

/* Nothing but a time, or what it takes to compare it, is missing to find the thread. */
static bool asks_for_time(const struct csg_owner *owner)
{
	return owner->reason == CSG_REASON_NO_TIME || owner->reason == CSG_REASON_NO_OFFSET ||
	       owner->reason == CSG_REASON_NO_SWITCH;
}

/* Whether the vCPU switched threads in the segment, whose first time slice is number i of n. */
static bool shows_switch(const struct csg_attribution_guest_time_slice *slices, size_t n, size_t i,
			 uint64_t index, uint64_t end)
{
	int32_t vcpu = slices[i].host_tid;

	if (slices[i].begin >= index && i && slices[i - 1].host_tid == vcpu &&
	    slices[i - 1].switches)
		return true;
	for (; i < n && slices[i].host_tid == vcpu && slices[i].end < end; i++)
		if (slices[i].switches)
			return true;
	return false;
}

bool csg_guest_time_slice_at(const struct csg_when *when, int32_t host_tid, uint64_t index,
			     uint64_t *next)
{
	const struct csg_attribution_guest_time_slice *slices = when->piece->guest_slices;
	const size_t n = when->piece->guest_slice_count,
		     i = first_slice(slices, n, host_tid, index + 1);

	*next = UINT64_MAX;
	if (i == n || slices[i].host_tid != host_tid)
		return false;
	if (slices[i].begin >= index) {
		*next = slices[i].begin + 1;
		return false;
	}
	*next = slices[i].end;
	return slices[i].tid != CSG_PID_UNKNOWN;
}

void csg_owner_by_guest_time_slice(const struct csg_facts *facts, const struct csg_when *when,
				   struct csg_owner *owner)
{
	const struct csg_attribution_guest_time_slice *slices = when->piece->guest_slices, *slice;
	size_t n = when->piece->guest_slice_count, i;
	/* The kernel switches at EL1, nobody does at EL0: its beginning is enough if no more is
	 * known. */
	uint64_t end = owner->privilege == CSG_USER && !when->end ? when->index + 1 : when->end;
	/* Then it may go on to the end of the piece, as its last time slice does. */
	const bool endless = !end;

	if (!n || owner->vm <= 0 || owner->reason == CSG_REASON_CONFLICT)
		return;
	i = first_slice(slices, n, owner->host_tid, when->index);
	slice = i < n && slices[i].host_tid == owner->host_tid ? &slices[i] : NULL;
	if (!slice ||
	    (slice->tid == CSG_PID_UNKNOWN && !csg_guest_time_slices_tell(facts, owner->vm)))
		return;
	if (slice->begin >= when->index || slice->end < (endless ? UINT64_MAX : end)) {
		if (!endless && asks_for_time(owner) &&
		    shows_switch(slices, n, i, when->index, end))
			owner->reason = CSG_REASON_SWITCH;
		return;
	}
	if (slice->tid == CSG_PID_UNKNOWN) {
		if (asks_for_time(owner))
			owner->reason = slice->reason;
		return;
	}
	if (owner->tid == CSG_PID_UNKNOWN) {
		name(facts, slice, owner);
	} else if (owner->tid != slice->tid) {
		owner->pid = owner->tid = CSG_PID_UNKNOWN;
		owner->evidence |= CSG_EVIDENCE_GUEST_SWITCH_ORDER;
		owner->reason = CSG_REASON_CONFLICT;
	}
}
