/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements that are there and nobody has taken yet. */
#include <stdlib.h>

#include "flow/internal.h"

#define SLACK 512 /* what a piece adds to a buffer that is almost full, mostly */

bool csg_flow_reserve(struct csg_flow *flow, size_t n)
{
	size_t want = flow->element_count + n, room = flow->element_room;
	struct csg_element *elements;

	if (want <= room)
		return true;
	while (room < want)
		room = room ? 2 * room : CSG_FLOW_ELEMENTS + SLACK;
	elements = realloc(flow->elements, room * sizeof(*elements));
	if (!elements)
		return false;
	flow->elements = elements;
	flow->element_room = room;
	return true;
}

bool csg_flow_add(struct csg_flow *flow, const struct csg_element *element)
{
	if (!csg_flow_reserve(flow, 1))
		return false;
	flow->elements[flow->element_count++] = *element;
	return true;
}

bool csg_flow_full(const struct csg_flow *flow)
{
	return flow->element_count >= flow->limit || (flow->paused && flow->element_count);
}

const struct csg_element *csg_flow_elements(const struct csg_flow *flow, size_t *n)
{
	*n = flow->element_count;
	return flow->elements;
}

void csg_flow_date(struct csg_flow *flow, uint64_t (*time)(void *arg, uint64_t index), void *arg)
{
	for (size_t i = 0; i < flow->element_count; i++)
		if (flow->elements[i].kind == CSG_ELEMENT_TIMESTAMP)
			flow->elements[i].start = time(arg, flow->elements[i].index);
}

void csg_flow_set_limit(struct csg_flow *flow, size_t elements)
{
	flow->limit = elements;
}

void csg_flow_swap(struct csg_flow *flow, struct csg_flow_block *block)
{
	const struct csg_flow_block taken = {.elements = flow->elements,
					     .n = flow->element_count,
					     .room = flow->element_room,
					     .timed = flow->timed};

	flow->elements = block->elements;
	flow->element_room = block->room;
	csg_flow_take(flow);
	*block = taken;
}

void csg_flow_take(struct csg_flow *flow)
{
	flow->element_count = 0;
	flow->timed = false;
}

bool csg_flow_timed(const struct csg_flow *flow)
{
	return flow->timed;
}
