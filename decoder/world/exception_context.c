/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/exception_context.h"

#include "world/exit_vectors.h"

/*
 * Types that lead to a vector (Arm IHI 0064, "Exception packets"): call, trap, system error, inst
 * debug, data debug, alignment, inst fault, data fault, IRQ, FIQ.  Not PE reset and debug halt.
 */
#define TO_VECTORS                                                                                 \
	(1u << 2 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 10 | 1u << 11 | 1u << 12 |        \
	 1u << 14 | 1u << 15)

static void leave(struct csg_exception_context *s, const struct csg_track_event *event,
		  const struct csg_context *before)
{
	*s = (struct csg_exception_context){
		.waits = event->number < 32 && (TO_VECTORS >> event->number & 1) &&
			 before->el <= CSG_EL1 && (before->el == CSG_EL0 || before->aarch64),
		.rises = before->el == CSG_EL0,
		.from_el = before->el,
		.index = event->index,
	};
}

/* Execution went on at the target, and no context has come. */
static bool is_missing(const struct csg_exception_context *s)
{
	return s->waits && s->reached && s->rises;
}

enum csg_context_says csg_exception_context_event(struct csg_exception_context *s,
						  const struct csg_track_event *event,
						  const struct csg_context *before, uint64_t *index)
{
	enum csg_context_says says = CSG_CONTEXT_NOTHING;

	*index = s->index;
	switch (event->kind) {
	case CSG_TRACK_TIMESTAMP:
		break;
	case CSG_TRACK_ADDRESS:
		s->rises |= !s->reached && csg_is_exit_vector(event->address);
		if (!s->reached)
			s->target = event->address;
		s->reached = true;
		break;
	case CSG_TRACK_CONTEXT:
		if (s->waits && event->context.el > s->from_el &&
		    event->context.el < CSG_EL_UNKNOWN)
			says = CSG_CONTEXT_FOLLOWS;
		else if (is_missing(s))
			says = CSG_CONTEXT_MISSING;
		else if (s->waits && !s->reached)
			break; /* stated again, before the target */
		s->waits = false;
		break;
	case CSG_TRACK_EXCEPTION:
		if (is_missing(s) && event->has_address && event->address != s->target)
			says = CSG_CONTEXT_MISSING;
		leave(s, event, before);
		break;
	default:
		if (event->kind == CSG_TRACK_ERET && is_missing(s))
			says = CSG_CONTEXT_MISSING;
		s->waits = false;
		break;
	}
	return says;
}
