/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_segments.h"

#include "csguest/context.h"
#include "flow/core/core.h"
#include "flow/core/flow_buffer.h"
#include "flow/core/flow_read.h"
#include "flow/core/flow_resync.h"

static struct csg_flow_segment *segment_at(const struct csg_flow *flow, size_t i)
{
	return csg_flow_segment_at(flow, i);
}

static void set_head(struct csg_flow *flow)
{
	bool divides = flow->queue.count && segment_at(flow, 0)->kind == CSG_FLOW_AT_TIME;

	flow->divides_at = divides ? segment_at(flow, 0)->index : UINT64_MAX;
}

/* The first segment of the queue begins now. */
static void enter(struct csg_flow *flow)
{
	struct csg_flow_segment s = *segment_at(flow, 0);
	const struct csg_element gap = {.index = s.index,
					.kind = CSG_ELEMENT_GAP,
					.gap = s.gap,
					.info = s.owner,
					.el = CSG_EL_UNKNOWN};

	csg_ring_pop(&flow->queue);
	set_head(flow);
	if (s.kind == CSG_FLOW_RESET) {
		csg_flow_revive(flow, s.index);
		csg_flow_restart(flow, s.index);
	}
	if (s.kind == CSG_FLOW_RESET || s.kind == CSG_FLOW_GAP) {
		csg_flow_add(flow, &gap);
		return;
	}
	if (s.gap == CSG_GAP_GUEST)
		flow->guest_at = s.index;
	if (s.owner != flow->owner)
		csg_flow_forget_slots(flow);
	flow->owner = s.owner;
}

void csg_flow_reach_context(struct csg_flow *flow, uint64_t index)
{
	while (flow->queue.count && segment_at(flow, 0)->index <= index &&
	       segment_at(flow, 0)->kind <= CSG_FLOW_AT_BYTE)
		enter(flow);
	if (index >= flow->border_index)
		flow->border = false;
}

void csg_flow_reach(struct csg_flow *flow, uint64_t index)
{
	const uint32_t before = flow->owner;

	while (flow->queue.count && segment_at(flow, 0)->kind <= CSG_FLOW_AT_BYTE &&
	       segment_at(flow, 0)->index + (segment_at(flow, 0)->kind == CSG_FLOW_AT_CONTEXT) <=
		       index)
		enter(flow);
	if (index >= flow->border_index)
		flow->border = false;
	if (flow->owner != before)
		csg_flow_change_owner(flow);
}

void csg_flow_divide(struct csg_flow *flow, uint64_t index)
{
	while (flow->divides_at <= index)
		enter(flow);
}

int csg_flow_add_segment(struct csg_flow *flow, const struct csg_flow_segment *segment)
{
	int err = csg_ring_grow(&flow->queue, (void **)&flow->segments, sizeof(*flow->segments));

	if (err)
		return err;
	flow->segments[csg_ring_push(&flow->queue)] = *segment;
	set_head(flow);
	return 0;
}

int csg_flow_segment(struct csg_flow *flow, uint64_t index, bool at_context, uint32_t owner)
{
	const struct csg_flow_segment segment = {.index = index,
						 .owner = owner,
						 .kind = at_context ? CSG_FLOW_AT_CONTEXT
								    : CSG_FLOW_AT_BYTE};

	return csg_flow_add_segment(flow, &segment);
}

int csg_flow_segment_at_time(struct csg_flow *flow, uint64_t index, uint32_t owner)
{
	const struct csg_flow_segment segment = {
		.index = index, .owner = owner, .kind = CSG_FLOW_AT_TIME};

	return csg_flow_add_segment(flow, &segment);
}

int csg_flow_segment_of_guest(struct csg_flow *flow, uint64_t index, uint32_t owner)
{
	const struct csg_flow_segment segment = {
		.index = index, .owner = owner, .kind = CSG_FLOW_AT_BYTE, .gap = CSG_GAP_GUEST};

	return csg_flow_add_segment(flow, &segment);
}

void csg_flow_name_gap(struct csg_flow *flow, struct csg_element *element)
{
	bool is_guests = element->index == flow->guest_at;

	if (element->gap == CSG_GAP_NO_CODE) {
		element->gap = flow->refusal;
		flow->missing.address = element->start;
		flow->missing.gap = element->gap;
		flow->missing.passed = false;
		flow->missing.elements = flow->taken + (uint64_t)(element - flow->elements) + 1;
	}
	if (element->gap == CSG_GAP_UNDEFINED)
		element->end = element->start;
	if (element->gap == CSG_GAP_TRACE_ON && is_guests) {
		element->gap = CSG_GAP_GUEST;
		flow->guest_at = UINT64_MAX;
	}
}

bool csg_flow_join_line(struct csg_flow *flow, const struct csg_element *before,
			struct csg_element *gap)
{
	if (gap->kind != CSG_ELEMENT_GAP || gap->gap != CSG_GAP_UNDEFINED ||
	    before->kind != CSG_ELEMENT_RANGE || before->index != gap->index ||
	    before->end != gap->end || before->branch != CSG_BRANCH_NONE)
		return false;
	gap->start = before->start;
	flow->missing.elements--; /* csg_flow_name_gap() counted the range */
	return true;
}

int csg_flow_gap(struct csg_flow *flow, uint64_t index, enum csg_gap gap, uint64_t lost, bool reset)
{
	const struct csg_flow_segment segment = {.index = index,
						 .owner = lost < UINT32_MAX ? (uint32_t)lost
									    : UINT32_MAX,
						 .kind = reset ? CSG_FLOW_RESET : CSG_FLOW_GAP,
						 .gap = (uint8_t)gap};

	return csg_flow_add_segment(flow, &segment);
}

/* A border that a speculating unit's elements have still to come to. */
static bool is_held(const struct csg_flow *flow, const struct csg_flow_segment *s)
{
	return flow->speculates && s->kind == CSG_FLOW_AT_BYTE && s->index < flow->held;
}

uint64_t csg_flow_next_division(const struct csg_flow *flow, uint64_t index)
{
	for (size_t i = 0; i < flow->queue.count; i++) {
		const struct csg_flow_segment *s = segment_at(flow, i);

		if (s->kind == CSG_FLOW_AT_TIME && s->index >= index)
			return s->index + 1;
	}
	return UINT64_MAX;
}

uint64_t csg_flow_next_border(const struct csg_flow *flow, uint64_t index, uint64_t end)
{
	for (size_t i = 0; i < flow->queue.count; i++) {
		const struct csg_flow_segment *s = segment_at(flow, i);

		if (s->index >= end)
			break;
		if (s->kind > CSG_FLOW_AT_TIME && !is_held(flow, s))
			return s->index > index ? s->index : index;
	}
	return UINT64_MAX;
}

/*
 * The bytes before the border are decoded, but elements of them may still come.  Nobody's code is
 * given out until one after it has come (csg_flow_reach()); a gap of the caller's is there now.
 */
static void hold_border(struct csg_flow *flow, uint64_t index)
{
	uint32_t owner = flow->owner;
	size_t entered = 0;

	for (size_t i = 0; i < flow->queue.count && segment_at(flow, i)->index <= index; i++) {
		const struct csg_flow_segment *s = segment_at(flow, i);

		if (s->kind > CSG_FLOW_AT_BYTE)
			entered = i + 1;
		if (s->kind == CSG_FLOW_AT_BYTE && !is_held(flow, s)) {
			flow->held = s->index + 1;
			flow->border |= s->owner != owner;
			flow->border_index = s->index;
		}
		owner = s->kind <= CSG_FLOW_AT_BYTE ? s->owner : owner;
	}
	while (entered--)
		enter(flow);
	/* What OpenCSD has read it would not ask for. */
	if (flow->border)
		csg_flow_change_owner(flow);
}

void csg_flow_pass_border(struct csg_flow *flow, uint64_t index)
{
	uint32_t before = flow->owner;

	flow->eret = 0;
	if (flow->speculates) {
		hold_border(flow, index);
		return;
	}
	while (flow->queue.count && segment_at(flow, 0)->index <= index) {
		const struct csg_flow_segment *s = segment_at(flow, 0);

		/* Its element is still to come. */
		if (s->kind <= CSG_FLOW_AT_TIME && s->index == index)
			break;
		enter(flow);
	}
	if (flow->owner != before)
		csg_flow_change_owner(flow);
}

void csg_flow_drop_segments(struct csg_flow *flow)
{
	csg_ring_clear(&flow->queue);
	set_head(flow);
}
