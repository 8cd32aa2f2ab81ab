/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/divided.h"

#include "guest/owners.h"

/* Whether less of it may be known to be one thread's. */
static bool is_divisible(const struct csg_segment *segment, const struct csg_guest_span *span)
{
	const struct csg_owner *owner = &segment->owner;

	return owner->world == CSG_WORLD_GUEST && owner->privilege == CSG_KERNEL && span->first &&
	       owner->vm > 0 && !(owner->evidence & CSG_EVIDENCE_GUEST_SIDEBAND) &&
	       owner->reason != CSG_REASON_NO_GUEST && owner->reason != CSG_REASON_CONFLICT;
}

int csg_divided_begin(struct csg_divided *d, struct csg_facts *facts, const struct csg_when *when,
		      const struct csg_guest_span *span, struct csg_segment *segment)
{
	const struct csg_guest_span head = {.after = span->after, .before = span->first};
	int err;

	d->active = false;
	d->whole = *segment;
	d->when = *when;
	err = csg_owner_complete(facts, when, span, &segment->owner);
	if (err || !is_divisible(segment, span))
		return err;
	segment->owner = d->whole.owner;
	segment->before = span->first;
	err = csg_owner_complete(facts, when, &head, &segment->owner);
	d->told = segment->owner;
	d->active = !err;
	return err;
}

int csg_divided_next(struct csg_divided *d, struct csg_facts *facts, uint64_t index,
		     const struct csg_guest_span *span, struct csg_segment *segment)
{
	int err;

	*segment = d->whole;
	segment->index = index;
	segment->at_context = false;
	segment->at_time = true;
	segment->gap = 0;
	segment->lost = 0;
	segment->after = span->after;
	segment->before = span->before;
	err = csg_owner_complete(facts, &d->when, span, &segment->owner);
	if (err || csg_owner_equal(&segment->owner, &d->told))
		return err;
	d->told = segment->owner;
	return 1;
}
