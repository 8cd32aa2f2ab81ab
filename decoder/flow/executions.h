/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executions: what the fast engine tells of ranges to those who only count them (RANGES elements).  Each
 * is the block of code that ran, with whether the atom at its end was E, in one word: eight bytes
 * instead of an element, and nothing is copied out of a block that is not new.
 */
#ifndef DECODER_FLOW_EXECUTIONS_H
#define DECODER_FLOW_EXECUTIONS_H

#include "flow/blocks.h"

#define CSG_EXECUTION_TAKEN 1u

static inline const struct csg_block *csg_execution_block(uintptr_t execution)
{
	return (const struct csg_block *)(execution & ~(uintptr_t)CSG_BLOCK_BITS);
}

static inline bool csg_execution_taken(uintptr_t execution)
{
	return execution & CSG_EXECUTION_TAKEN;
}

/* The execution as a RANGE element of its own; ranges: the element that it is one of. */
static inline struct csg_element csg_execution_range(uintptr_t execution,
						     const struct csg_element *ranges)
{
	const struct csg_block *block = csg_execution_block(execution);

	return (struct csg_element){
		.index = ranges->index,
		.start = block->start,
		.end = block->end,
		.owner = ranges->owner,
		.instructions = block->instructions,
		.kind = CSG_ELEMENT_RANGE,
		.branch = block->shape.branch,
		.isa = block->shape.isa,
		.el = ranges->el,
		.last_size = block->shape.last_size,
		.taken = csg_execution_taken(execution),
		.conditional = block->shape.conditional,
		.code = block->number,
	};
}

#endif
