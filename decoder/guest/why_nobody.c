/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/why_nobody.h"

#include "world/policy.h"

/* On-CPU intervals that are looked at: of a segment without timestamps thousands may be. */
#define MOST 64

static bool count(void *arg, const struct csg_on_cpu *interval)
{
	size_t *n = arg;

	(void)interval;
	return ++*n < MOST;
}

/* The switch records of the CPU say who was there. */
static enum csg_reason by_records(const struct csg_facts *facts, const struct csg_when *when,
				  const struct csg_owner *owner)
{
	bool guest = owner->world == CSG_WORLD_GUEST;
	size_t n = 0;

	if (!when->from || !when->until)
		return CSG_REASON_NO_HOST_TIME;
	if (!csg_agreement_holds(when->agreement))
		return CSG_REASON_DISTRUSTED;
	if (!csg_residency_among(&facts->residency, when->cpu, when->from, when->until, count,
				 &n) &&
	    n != MOST)
		return CSG_REASON_NO_HOST_SWITCH;
	if (guest && (n == 1 || !facts->vcpus.count))
		return CSG_REASON_NO_VMM;
	return CSG_REASON_HOST_SWITCH;
}

enum csg_reason csg_why_nobody(const struct csg_facts *facts, const struct csg_when *when,
			       const struct csg_owner *owner)
{
	size_t intervals;

	if (csg_policy_has(facts->options.hypervisor, CSG_TRAIT_DOMAINS))
		return CSG_REASON_NO_VMID;
	if (facts->foreign_ids)
		return CSG_REASON_PID_NAMESPACE;
	csg_residency_intervals(&facts->residency, when->cpu, &intervals);
	if (intervals)
		return by_records(facts, when, owner);
	return csg_residency_is_hole(&facts->residency, when->cpu) ? CSG_REASON_NO_HOST_SWITCH
								   : CSG_REASON_NO_CONTEXT_ID;
}
