/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executions: what the fast engine tells of ranges to those who only count them (RANGES elements).
 * Each is the block of code that ran, with whether the atom at its end was E, in one word: eight
 * bytes instead of an element, and nothing is copied out of a block that is not new.
 */
#ifndef DECODER_FLOW_CORE_EXECUTIONS_H
#define DECODER_FLOW_CORE_EXECUTIONS_H

#include "csguest/code.h"
#include "flow/core/blocks.h"

#define CSG_EXECUTION_TAKEN 1u

_Static_assert(offsetof(struct csg_block, end) == offsetof(struct csg_code, end) &&
		       offsetof(struct csg_block, shape.branch) ==
			       offsetof(struct csg_code, branch) &&
		       offsetof(struct csg_block, shape.isa) == offsetof(struct csg_code, isa) &&
		       offsetof(struct csg_block, shape.last_size) ==
			       offsetof(struct csg_code, last_size) &&
		       offsetof(struct csg_block, shape.conditional) ==
			       offsetof(struct csg_code, conditional) &&
		       offsetof(struct csg_block, instructions) ==
			       offsetof(struct csg_code, instructions) &&
		       offsetof(struct csg_block, number) == offsetof(struct csg_code, number),
	       "a block begins as struct csg_code");
_Static_assert(CSG_BLOCK_BITS == CSG_EXECUTION_BITS, "bits that are no part of the address");

#endif
