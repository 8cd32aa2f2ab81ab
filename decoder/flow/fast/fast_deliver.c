/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_deliver.h"

#include <string.h>

#include "flow/core/flow_follow.h"
#include "flow/core/flow_segments.h"

/* Of a unit that speculates: whether segments up to the element begin with it, as in
 * flow/flow.c. */
static bool reaches(const struct csg_element *e)
{
	return e->kind != CSG_ELEMENT_CONTEXT && e->kind != CSG_ELEMENT_RANGE &&
	       e->kind != CSG_ELEMENT_RANGES &&
	       (e->kind != CSG_ELEMENT_GAP || e->gap != CSG_GAP_BAD_PACKET);
}

/* What an element says comes into force. */
static void follow(struct csg_flow *flow, struct csg_element *e)
{
	if (e->index > flow->divides_at)
		csg_flow_divide(flow, e->index);
	if (flow->speculates && reaches(e))
		csg_flow_reach(flow, e->index);
	switch (e->kind) {
	case CSG_ELEMENT_CONTEXT:
		csg_flow_follow_context(flow, e->index, e->el, e->info & CSG_CONTEXT_AARCH64);
		break;
	case CSG_ELEMENT_TIMESTAMP:
		csg_flow_follow_timestamp(flow, e->index);
		break;
	case CSG_ELEMENT_GAP:
		if (e->gap != CSG_GAP_NO_CODE && e->gap != CSG_GAP_BAD_PACKET &&
		    e->gap != CSG_GAP_RETURN)
			csg_flow_follow_trace_on(flow, e->index);
		csg_flow_name_gap(flow, e);
		break;
	default:
		break;
	}
	e->owner = flow->owner;
	e->el = flow->el;
}

/* Of elements from begin to end the newest counts: whether it is an ERET that may lead to a
 * guest. */
static void follow_eret(struct csg_flow *flow, size_t begin, size_t end)
{
	for (size_t i = end; i-- > begin;) {
		const struct csg_element *e = &flow->elements[i];

		switch (e->kind) {
		case CSG_ELEMENT_EXCEPTION_RET:
		case CSG_ELEMENT_TIMESTAMP:
		case CSG_ELEMENT_CYCLES:
		case CSG_ELEMENT_EVENT:
		case CSG_ELEMENT_MARKER:
			continue;
		case CSG_ELEMENT_RANGE:
		case CSG_ELEMENT_RANGES:
			flow->eret = csg_flow_eret_of(flow, e);
			return;
		default:
			flow->eret = 0;
			return;
		}
	}
}

/* Of the gap at i, whether the range before it is part of it, and dropped. */
static bool drop_line(struct csg_flow *flow, size_t i)
{
	struct csg_element *e = &flow->elements[i];

	if (!csg_flow_join_line(flow, e - 1, e))
		return false;
	memmove(e - 1, e, (flow->element_count-- - i) * sizeof(*e));
	return true;
}

void csg_fast_deliver(struct csg_fast *f, size_t place)
{
	struct csg_flow *flow = f->flow;
	size_t before = place, end = flow->element_count;
	bool follows = f->follows || flow->speculates ||
		       (end && flow->elements[end - 1].index > flow->divides_at);

	for (size_t i = place; follows && i < end; i++) {
		/* What a context asks for is what came before it. */
		if (flow->elements[i].kind == CSG_ELEMENT_CONTEXT) {
			follow_eret(flow, before, i);
			before = i + 1;
		}
		follow(flow, &flow->elements[i]);
		if (i > before && drop_line(flow, i)) {
			i--;
			end--;
		}
	}
	f->follows = false;
	follow_eret(flow, before, end);
}
