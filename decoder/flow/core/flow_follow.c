/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_follow.h"

#include "flow/core/flow_read.h"
#include "flow/core/flow_segments.h"

void csg_flow_follow_context(struct csg_flow *flow, uint64_t index, uint8_t el, bool a64)
{
	const bool other_state = flow->a64 != a64;
	uint32_t before = flow->owner;

	flow->el = el;
	flow->a64 = a64;
	if (other_state)
		csg_flow_forget_slots(flow);
	csg_flow_reach_context(flow, index);
	/* OpenCSD does this itself, but for a context between an exception and its address. */
	if (flow->owner != before || other_state)
		csg_flow_change_owner(flow);
	/* The ERET before it led here. */
	if (flow->eret && flow->code.entered)
		flow->code.entered(flow->code.arg, index, flow->eret, (enum csg_el)flow->el,
				   flow->owner);
	flow->eret = 0;
}

void csg_flow_follow_trace_on(struct csg_flow *flow, uint64_t index)
{
	if (index >= flow->border_index)
		flow->border = false;
	flow->eret = 0;
	if (flow->code.resumed)
		flow->code.resumed(flow->code.arg, index);
}

void csg_flow_follow_timestamp(struct csg_flow *flow, uint64_t index)
{
	flow->timed = true;
	csg_flow_divide(flow, index);
	if (flow->code.time)
		flow->code.time(flow->code.arg, index);
}

uint64_t csg_flow_eret_of(const struct csg_flow *flow, const struct csg_element *range)
{
	if (range->branch != CSG_BRANCH_ERET || !range->taken || range->el != CSG_EL2 ||
	    flow->speculates)
		return 0;
	return range->end - range->last_size;
}
