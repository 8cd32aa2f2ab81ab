/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/open_user.h"

/* A timestamp and a record of the same moment; both clocks are rounded. */
#define SLACK_NS UINT64_C(1000)

/* The vCPU of the segment's thread, as another source than the trace names it; or NULL. */
static const struct csg_vcpu_entry *vcpu_of(const struct csg_facts *facts, int32_t pid, int32_t tid)
{
	const struct csg_vcpu_entry *vcpu = csg_vcpus_find(&facts->vcpus, pid, tid);

	if (!vcpu || vcpu->contradicted || vcpu->source == CSG_VCPU_BY_TRACE || vcpu->vm <= 0)
		return NULL;
	return pid < 0 || vcpu->vm == pid || vcpu->source == CSG_VCPU_BY_USER ? vcpu : NULL;
}

/* Nothing in the packets says which of the host's threads runs. */
static bool is_anonymous(const struct csg_owner *owner)
{
	return !(owner->evidence & CSG_EVIDENCE_CONTEXTIDR_EL2) &&
	       owner->host_tid == CSG_PID_UNKNOWN && owner->reason == CSG_REASON_NO_CONTEXT_ID;
}

bool csg_open_user_asks(const struct csg_facts *facts, const struct csg_pending_item *item)
{
	const struct csg_owner *owner = &item->segment.owner;

	if (!item->segment.open || owner->privilege != CSG_USER)
		return false;
	if (is_anonymous(owner))
		return facts->residency.count && facts->vcpus.count;
	return (owner->evidence & CSG_EVIDENCE_CONTEXTIDR_EL2) && owner->host_tid > 0 &&
	       vcpu_of(facts, CSG_PID_UNKNOWN, owner->host_tid);
}

/* The VM of the segment's thread; CSG_VM_UNKNOWN: any; CSG_VM_HOST: its thread is known to run no
 * vCPU. */
static int32_t vm_of(const struct csg_facts *facts, const struct csg_when *when,
		     const struct csg_owner *owner)
{
	const uint64_t until = when->until ? when->until : CSG_TIME_LAST;
	const struct csg_vcpu_entry *vcpu;

	if (is_anonymous(owner))
		return CSG_VM_UNKNOWN;
	vcpu = vcpu_of(
		facts,
		csg_facts_process(facts, CSG_VM_HOST, owner->host_tid, when->from, until, true),
		owner->host_tid);
	return vcpu ? vcpu->vm : CSG_VM_HOST;
}

static struct csg_open_user found_between(const struct csg_host_clock *clock, enum csg_world world,
					  const struct csg_stamp *first,
					  const struct csg_stamp *last)
{
	const struct csg_time_conv *conv = &clock->shared->conv;
	const uint64_t from = csg_time_conv_to_ns(conv, first->low);
	struct csg_open_user found = {.world = world};

	found.from = from > SLACK_NS ? from - SLACK_NS : 1;
	found.until = csg_time_conv_to_ns(conv, last->high) + SLACK_NS;
	if (world == CSG_WORLD_GUEST) {
		found.span.first = first->raw;
		found.span.last = last->raw;
	}
	return found;
}

struct csg_open_user csg_open_user_tell(const struct csg_facts *facts, struct csg_host_clock *clock,
					const struct csg_when *when,
					const struct csg_pending_item *item)
{
	const struct csg_open_user nothing = {.world = CSG_WORLD_UNKNOWN};
	const int32_t vm = vm_of(facts, when, &item->segment.owner);
	/* No segment came after it so far: it is the last of its piece of trace. */
	const uint64_t end = item->end ? item->end : UINT64_MAX;
	struct csg_stamp first, last;

	if (vm == CSG_VM_HOST)
		return nothing;
	switch (csg_host_clock_reading(clock, item->segment.index, end, &first, &last)) {
	case CSG_STAMP_PHYSICAL:
		return found_between(clock, CSG_WORLD_HOST, &first, &last);
	case CSG_STAMP_LOADED:
		if (first.vm != last.vm || (vm != CSG_VM_UNKNOWN && first.vm != vm))
			return nothing;
		return found_between(clock, CSG_WORLD_GUEST, &first, &last);
	default:
		return nothing;
	}
}
