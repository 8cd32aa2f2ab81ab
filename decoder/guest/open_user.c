/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/open_user.h"

/* The vCPU of the segment's thread, as another source than the trace names it; or NULL. */
static const struct csg_vcpu_entry *vcpu_of(const struct csg_facts *facts, int32_t pid, int32_t tid)
{
	const struct csg_vcpu_entry *vcpu = csg_vcpus_find(&facts->vcpus, pid, tid);

	if (!vcpu || vcpu->contradicted || vcpu->source == CSG_VCPU_BY_TRACE || vcpu->vm <= 0)
		return NULL;
	return pid < 0 || vcpu->vm == pid || vcpu->source == CSG_VCPU_BY_USER ? vcpu : NULL;
}

bool csg_open_user_asks(const struct csg_facts *facts, const struct csg_pending_item *item)
{
	const struct csg_owner *owner = &item->segment.owner;

	return item->segment.open && owner->privilege == CSG_USER &&
	       (owner->witness & CSG_WITNESS_CONTEXTIDR_EL2) && owner->host_tid > 0 &&
	       vcpu_of(facts, CSG_PID_UNKNOWN, owner->host_tid);
}

enum csg_world csg_open_user_world(const struct csg_facts *facts, struct csg_host_clock *clock,
				   const struct csg_when *when, const struct csg_pending_item *item,
				   struct csg_guest_span *span)
{
	const int32_t tid = item->segment.owner.host_tid;
	const uint64_t until = when->until ? when->until : CSG_TIME_LAST;
	const struct csg_vcpu_entry *vcpu = vcpu_of(
		facts, csg_facts_process(facts, CSG_VM_HOST, tid, when->from, until, true), tid);
	/* No segment came after it so far: it is the last of its piece of trace. */
	const uint64_t end = item->end ? item->end : UINT64_MAX;
	struct csg_stamp first, last;

	if (!vcpu)
		return CSG_WORLD_UNKNOWN;
	switch (csg_host_clock_reading(clock, item->segment.index, end, &first, &last)) {
	case CSG_STAMP_PHYSICAL:
		return CSG_WORLD_HOST;
	case CSG_STAMP_LOADED:
		if (first.vm != vcpu->vm || last.vm != vcpu->vm)
			return CSG_WORLD_UNKNOWN;
		span->first = first.raw;
		span->last = last.raw;
		return CSG_WORLD_GUEST;
	default:
		return CSG_WORLD_UNKNOWN;
	}
}
