/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/reach.h"

#include <string.h>

void csg_reach_init(struct csg_reach *r, const struct csg_cause *cause)
{
	memset(r, 0, sizeof(*r));
	r->cause = cause;
}

/* The part is over; last: with the snapshot. */
static void end_part(struct csg_reach *r, bool last)
{
	const uint64_t from = r->cause->from;

	if (r->part_first && r->part_first + CSG_REACH_SLACK <= from) {
		if (last || from <= r->part_last)
			r->held = true;
		r->broken = !r->held;
	}
	r->part_first = r->part_last = r->guest_first = r->guest_last = 0;
	r->in_guest = r->in_vcpu = r->undated = false;
}

/* The first timestamp of the first part. */
static void begin_first(struct csg_reach *r, uint64_t time)
{
	const struct csg_cause *c = r->cause;
	const uint64_t earlier = r->guest_last - r->guest_first;

	r->first = earlier < time ? time - earlier : time;
	/* Who ran until an exit is in the trace where that begins before it. */
	r->unsure = c->kind == CSG_CAUSE_EXIT ? r->in_vcpu : r->in_guest || r->undated;
}

void csg_reach_add(struct csg_reach *r, uint64_t time)
{
	const struct csg_cause *c = r->cause;

	if (!time) {
		end_part(r, false);
		return;
	}
	if (!r->first)
		begin_first(r, time);
	if (!r->part_first)
		r->part_first = time;
	r->part_last = time;
	if (r->in_vcpu && c->kind == CSG_CAUSE_EXIT && time >= c->from &&
	    time + CSG_REACH_SLACK <= c->until)
		r->held = true;
}

void csg_reach_add_undated(struct csg_reach *r)
{
	r->undated = true;
}

void csg_reach_add_guest(struct csg_reach *r, uint64_t time, bool is_vcpu)
{
	r->in_guest = true;
	r->in_vcpu |= is_vcpu;
	if (!time || r->part_first)
		return;
	if (!r->guest_first || time < r->guest_last)
		r->guest_first = time;
	r->guest_last = time;
}

enum csg_reach_verdict csg_reach_end(struct csg_reach *r)
{
	end_part(r, true);
	if (!r->first)
		return CSG_REACH_NO_TRACE;
	if (r->held)
		return CSG_REACH_HELD;
	if (r->broken)
		return CSG_REACH_BROKEN;
	return r->unsure || r->first <= r->cause->from + CSG_REACH_SLACK ? CSG_REACH_UNKNOWN
									 : CSG_REACH_LATE;
}
