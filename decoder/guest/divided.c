/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/divided.h"

#include "guest/owners.h"
#include "guest/slices/guest_time_slices.h"

/* Whether less of it may be known to be one thread's. */
static bool is_divisible(const struct csg_segment *segment, const struct csg_guest_span *span)
{
	const struct csg_owner *owner = &segment->owner;

	return span->first && owner->world == CSG_WORLD_GUEST && owner->privilege == CSG_KERNEL &&
	       owner->vm > 0 && !(owner->evidence & CSG_EVIDENCE_GUEST_SIDEBAND) &&
	       owner->reason != CSG_REASON_NO_GUEST && owner->reason != CSG_REASON_CONFLICT;
}

/* --- at time slices --- */

static bool is_open(const struct csg_owner *owner)
{
	return owner->world == CSG_WORLD_GUEST && owner->privilege == CSG_KERNEL && owner->vm > 0 &&
	       owner->tid == CSG_PID_UNKNOWN && owner->reason != CSG_REASON_CONFLICT;
}

/* The owner of the piece that begins at d->at; d->at gets where the next one does. */
static int complete_slice(struct csg_divided *d, struct csg_facts *facts, struct csg_owner *owner)
{
	static const struct csg_guest_span none;
	struct csg_when when = d->when;
	uint64_t next;
	const bool named = csg_guest_time_slice_at(&when, d->open.host_tid, d->at, &next);
	int err = 0;

	when.index = d->at;
	when.end = d->at + 1;
	*owner = named ? d->whole.owner : d->open;
	if (named)
		err = csg_owner_complete(facts, &when, &none, owner);
	d->at = next < d->when.end ? next : 0;
	return err;
}

/* Whether a time slice names the thread of a piece of the segment. */
static bool has_slice(const struct csg_divided *d)
{
	uint64_t next;

	for (uint64_t at = d->when.index; at < d->when.end; at = next)
		if (csg_guest_time_slice_at(&d->when, d->open.host_tid, at, &next))
			return true;
	return false;
}

int csg_divided_slice(struct csg_divided *d, struct csg_facts *facts, struct csg_segment *segment)
{
	while (d->at) {
		const uint64_t index = d->at;
		struct csg_owner owner;
		int err = complete_slice(d, facts, &owner);

		if (err)
			return err;
		if (csg_owner_equal(&owner, &d->given))
			continue;
		*segment = d->whole;
		/* It is divided after an index: what has the index of a timestamp is before it. */
		segment->index = index - 1;
		segment->at_context = false;
		segment->at_time = true;
		segment->gap = 0;
		segment->lost = 0;
		segment->owner = d->given = owner;
		return 1;
	}
	return 0;
}

/* --- at timestamps --- */

int csg_divided_begin(struct csg_divided *d, struct csg_facts *facts, const struct csg_when *when,
		      const struct csg_guest_span *span, struct csg_segment *segment)
{
	const struct csg_guest_span head = {.after = span->after, .before = span->first};
	int err;

	d->active = false;
	d->at = 0;
	d->whole = *segment;
	d->when = *when;
	err = csg_owner_complete(facts, when, span, &segment->owner);
	if (err)
		return err;
	d->open = segment->owner;
	if (is_open(&d->open) && (span->after || span->first || span->before) && has_slice(d)) {
		d->at = when->index;
		err = complete_slice(d, facts, &segment->owner);
		d->given = segment->owner;
		return err;
	}
	if (!is_divisible(segment, span))
		return 0;
	segment->owner = d->whole.owner;
	segment->before = span->first;
	err = csg_owner_complete(facts, when, &head, &segment->owner);
	d->given = segment->owner;
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
	if (err || csg_owner_equal(&segment->owner, &d->given))
		return err;
	d->given = segment->owner;
	return 1;
}
