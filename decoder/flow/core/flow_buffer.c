/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_buffer.h"

#include <stdlib.h>

#include "flow/core/core.h"
#include "flow/core/executions.h"
#include "flow/core/flow_read.h"
#include "util/array.h"

/* At least want, and little more: many streams never put more than a few elements there. */
static bool reserve(struct csg_flow *flow, void **array, size_t *capacity, size_t want, size_t size)
{
	if (csg_array_reserve(array, capacity, want, size))
		flow->no_memory = true;
	return *capacity >= want;
}

bool csg_flow_reserve(struct csg_flow *flow, size_t n)
{
	if (flow->counts && flow->execution_count + n > flow->execution_capacity &&
	    !reserve(flow, (void **)&flow->executions, &flow->execution_capacity,
		     flow->execution_count + n, sizeof(*flow->executions)))
		return false;
	return flow->element_count + n <= flow->element_capacity ||
	       reserve(flow, (void **)&flow->elements, &flow->element_capacity,
		       flow->element_count + n, sizeof(*flow->elements));
}

bool csg_flow_failed(const struct csg_flow *flow)
{
	return flow->no_memory || (flow->ops->failed && flow->ops->failed(flow->decoder));
}

bool csg_flow_add(struct csg_flow *flow, const struct csg_element *element)
{
	if (!csg_flow_reserve(flow, 1))
		return false;
	flow->elements[flow->element_count++] = *element;
	return true;
}

/* Whether what is open goes on where this element ends. */
static bool can_go_on(const struct csg_flow *flow, const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_RANGES && e->owner == flow->owner && e->el == flow->el &&
	       e->start + e->instructions == flow->open.first &&
	       flow->open.index <= flow->divides_at;
}

/* It ends with this execution. */
static void end_with(struct csg_element *e, uintptr_t execution)
{
	const struct csg_code *block = csg_execution_code(execution);

	e->end = block->end;
	e->branch = block->branch;
	e->isa = block->isa;
	e->last_size = block->last_size;
	e->conditional = block->conditional;
	e->taken = csg_execution_taken(execution);
}

bool csg_flow_close_ranges(struct csg_flow *flow, bool goes_on)
{
	size_t first = flow->open.first, n = flow->execution_count - first;
	struct csg_element *e = &flow->elements[flow->element_count];
	bool more = goes_on && flow->element_count && can_go_on(flow, e - 1);

	if (!n)
		return false;
	if (more)
		e--;
	else
		*e = (struct csg_element){.index = flow->open.index,
					  .start = first,
					  .owner = flow->owner,
					  .kind = CSG_ELEMENT_RANGES,
					  .el = flow->el};
	e->instructions += (uint32_t)n;
	e->timestamp += flow->open.instructions;
	end_with(e, flow->executions[flow->execution_count - 1]);
	flow->element_count += !more;
	flow->open.first = flow->execution_count;
	flow->open.instructions = 0;
	return more;
}

void csg_flow_set_counts(struct csg_flow *flow)
{
	flow->counts = flow->engine == CSG_ENGINE_FAST;
}

const uintptr_t *csg_flow_executions(const struct csg_flow *flow)
{
	return flow->executions;
}

bool csg_flow_has_room(const struct csg_flow *flow)
{
	return flow->element_count < flow->limit &&
	       flow->execution_count < CSG_FLOW_EXECUTIONS * flow->limit;
}

bool csg_flow_full(const struct csg_flow *flow)
{
	return !csg_flow_has_room(flow) || (flow->paused && flow->element_count);
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

bool csg_flow_is_read(const struct csg_flow *flow)
{
	return flow->execution_count ||
	       atomic_load_explicit(&flow->returned, memory_order_acquire) != flow->lent;
}

/* What the buffer has is taken. */
static void empty(struct csg_flow *flow)
{
	flow->taken += flow->element_count;
	flow->element_count = flow->execution_count = flow->open.first = 0;
	flow->timed = false;
	if (flow->counts && !csg_flow_is_read(flow))
		flow->ops->release_code(flow->decoder);
}

void csg_flow_swap(struct csg_flow *flow, struct csg_flow_block *block)
{
	const struct csg_flow_block taken = {.elements = flow->elements,
					     .n = flow->element_count,
					     .capacity = flow->element_capacity,
					     .timed = flow->timed,
					     .executions = flow->executions,
					     .execution_capacity = flow->execution_capacity,
					     .lender = flow->execution_count ? flow : NULL};

	csg_flow_pass_over(flow, UINT64_MAX);
	flow->elements = block->elements;
	flow->element_capacity = block->capacity;
	flow->executions = block->executions;
	flow->execution_capacity = block->execution_capacity;
	flow->lent += taken.lender != NULL;
	empty(flow);
	*block = taken;
}

void csg_flow_give_back(struct csg_flow_block *block)
{
	if (block->lender)
		atomic_fetch_add_explicit(&block->lender->returned, 1, memory_order_release);
	block->lender = NULL;
}

void csg_flow_take(struct csg_flow *flow)
{
	csg_flow_pass_over(flow, UINT64_MAX);
	empty(flow);
}

bool csg_flow_timed(const struct csg_flow *flow)
{
	return flow->timed;
}
