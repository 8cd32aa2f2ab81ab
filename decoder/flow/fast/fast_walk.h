/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks through code: whose it is, blocks that are decoded and remembered, and what of them is put
 * out.
 */
#ifndef DECODER_FLOW_FAST_FAST_WALK_H
#define DECODER_FLOW_FAST_FAST_WALK_H

#include "flow/fast/fast_state.h"

/* Instructions that were walked. */
struct csg_fast_walk {
	uint64_t start, end;
	uint32_t count;
	bool found; /* what was looked for; else code is missing at end */
	struct csg_insn last;
};

/* Another owner may be in force: looks up whose code is walked. */
void csg_fast_check_owner(struct csg_fast *f);

/*
 * The block where execution is, decoded if it is new, and remembered where f->at.before and
 * f->at.from say.  NULL: code is missing; what there is of it was put out.
 */
struct csg_block *csg_fast_find_block(struct csg_fast *f, uint64_t index);

/* The instruction at address, in the current instruction set; false: no code. */
bool csg_fast_insn(struct csg_fast *f, uint64_t address, struct csg_insn *insn);

/* Walks, waypoints or not, until the address after an instruction is target. */
void csg_fast_walk_to(struct csg_fast *f, uint64_t target, struct csg_fast_walk *walk);

/* Puts out a range; where it was taken, its last instruction's instruction set is in force after
 * it. */
void csg_fast_put_range(struct csg_fast *f, const struct csg_fast_walk *walk, bool taken,
			uint64_t index);
/*
 * leads: an address, or an atom, comes where the path that was walked so far wants it.  If not,
 * trace is missing before index, though nothing says so: a gap for who asks for it
 * (csg_flow_code.checks_path).
 */
void csg_fast_check_path(struct csg_fast *f, bool leads, uint64_t index);

/* Code is missing at address; csg_fast_deliver() tells whether nobody's was asked for. */
void csg_fast_put_missing(struct csg_fast *f, uint64_t address, uint64_t index);

/* Decoded code is forgotten: images have changed, or there is too much of it. */
void csg_fast_forget_code(struct csg_fast *f);

#endif
