/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counted ranges: what CSG_SESSION_COUNTS gives to a program that counts what ran and does not
 * need each range in its place.
 *
 * A RANGES element (csguest/element.h) stands for many ranges of one owner in a row.  Each of them
 * is one word of csg_batch.executions: a piece of code, and whether its last instruction was taken.
 *
 *	const uintptr_t *execution = batch.executions + element->start;
 *
 *	for (uint32_t i = 0; i < element->instructions; i++) {
 *		const struct csg_code *code = csg_execution_code(execution[i]);
 *
 *		sum[code->number] += code->instructions;
 *	}
 *
 * Code with the same number and the same csg_batch.codes is the same instructions in the
 * same space: a count by number needs no look-up of addresses.
 */
#ifndef CSGUEST_CODE_H
#define CSGUEST_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "csguest/element.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instructions from start up to and with a branch or another waypoint.  The layout is fixed. */
struct csg_code {
	uint64_t start, end; /* addresses, end excluded */
	uint8_t reserved1[2];
	uint8_t branch; /* enum csg_branch, of its last instruction */
	uint8_t isa;	/* enum csg_isa */
	uint8_t reserved2;
	uint8_t last_size; /* bytes of the last instruction, 2 or 4 */
	bool reserved3;
	bool conditional;      /* the last instruction is conditional */
	uint32_t instructions; /* at least 1 */
	uint32_t number;       /* see above; 0: none */
};

/* Low bits of an execution that are no part of the address of its code. */
#define CSG_EXECUTION_BITS ((uintptr_t)63)

/* The code that ran.  It lives until the next batch of the stream is pulled. */
static inline const struct csg_code *csg_execution_code(uintptr_t execution)
{
	return (const struct csg_code *)(execution & ~CSG_EXECUTION_BITS);
}

/* Whether its last instruction was executed and, if it is a branch, taken (atom E). */
static inline bool csg_execution_taken(uintptr_t execution)
{
	return execution & 1;
}

/* The execution as a RANGE element of its own; ranges is the element that it is one of. */
static inline struct csg_element csg_execution_range(uintptr_t execution,
						     const struct csg_element *ranges)
{
	const struct csg_code *code = csg_execution_code(execution);
	struct csg_element range;

	memset(&range, 0, sizeof(range));
	range.index = ranges->index;
	range.start = code->start;
	range.end = code->end;
	range.owner = ranges->owner;
	range.instructions = code->instructions;
	range.kind = CSG_ELEMENT_RANGE;
	range.branch = code->branch;
	range.isa = code->isa;
	range.el = ranges->el;
	range.last_size = code->last_size;
	range.taken = csg_execution_taken(execution);
	range.conditional = code->conditional;
	range.code = code->number;
	return range;
}

#ifdef __cplusplus
}
#endif

#endif
