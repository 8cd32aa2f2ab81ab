/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoded code: a block is what runs from an address without a break, up to and with its waypoint
 * (flow/insn.h).  Code is decoded once; after that a block leads to the next one by a pointer,
 * and an atom is a matter of which of two.
 *
 * A block is found by all that selects its bytes: the space (a number that tells whose code it is), the
 * address, the instruction set, and how much of an IT block is left.  When the bytes of a space change,
 * all blocks are forgotten.
 */
#ifndef DECODER_FLOW_BLOCKS_H
#define DECODER_FLOW_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"

/* The bytes of an element from its kind on. */
struct csg_block_shape {
	uint8_t kind, gap, branch, isa, el, last_size;
	bool taken, conditional;
};

/* 64 bytes, one cache line: walking is mostly waiting for them. */
struct csg_block {
	uint64_t start, end;
	struct csg_block_shape shape; /* el and taken are filled in later */
	/*
	 * Where an atom N or E leads: a block, and nothing else is to be done.  With CSG_BLOCK_ASK set
	 * there is more to it: it was not looked up yet (no block), or is an indirect branch, or a
	 * call that fills the return stack (the block where it led last).
	 */
	uintptr_t next[2];
	uint64_t space;
	uint32_t instructions;
	int32_t target;	      /* of a direct branch, from the block's end on */
	uint32_t number;      /* of all that this flow ever decoded; 0: of nobody's code */
	uint8_t waypoint : 4; /* enum csg_waypoint */
	uint8_t next_isa : 3; /* where it is taken */
	uint8_t link : 1;
	uint8_t it : 4;	      /* instructions left of an IT block, before ... */
	uint8_t it_after : 4; /* ... and behind */
} __attribute__((aligned(64)));

#define CSG_BLOCK_ASK 1u
#define CSG_BLOCK_ALWAYS 2u /* and ask also when the block is known */
#define CSG_BLOCK_BITS 63u

static inline struct csg_block *csg_block_at(uintptr_t next)
{
	return (struct csg_block *)(next & ~(uintptr_t)CSG_BLOCK_BITS);
}

/* That way leads to block. */
static inline void csg_block_lead(uintptr_t *next, const struct csg_block *block)
{
	*next = (uintptr_t)block |
		(*next & CSG_BLOCK_ALWAYS ? CSG_BLOCK_ALWAYS | CSG_BLOCK_ASK : 0);
}

static inline bool csg_block_is(const struct csg_block *block, uint64_t address, uint8_t isa,
				uint8_t it)
{
	return block->start == address && block->shape.isa == isa && block->it == it;
}

struct csg_blocks {
	struct csg_block **table; /* by hash; behind others of the same slot; half of it is free */
	size_t mask, count;
	struct csg_block **pages;
	size_t page_count, page_room, page; /* page: being filled */
	size_t used;			    /* of it */
	uint32_t numbers;		    /* given so far */
	size_t retired; /* pages behind those that are filled, of blocks that are forgotten but read */
};

/* 0 or -CSG_E_NO_MEMORY. */
int csg_blocks_init(struct csg_blocks *blocks);
void csg_blocks_fini(struct csg_blocks *blocks);

/* The block there, or NULL. */
struct csg_block *csg_blocks_find(const struct csg_blocks *blocks, uint64_t space, uint64_t address,
				  uint8_t isa, uint8_t it);

/*
 * A new block with start, isa, space and it as in *key, which is not there yet; the rest is copied but for
 * its number.  NULL: no memory, or so many blocks that they should be forgotten first.
 */
struct csg_block *csg_blocks_add(struct csg_blocks *blocks, const struct csg_block *key);

/*
 * Forgets all; no pointer to a block is valid any more, but those that are kept may be read until
 * csg_blocks_release().
 */
void csg_blocks_forget(struct csg_blocks *blocks, bool keep);
void csg_blocks_release(struct csg_blocks *blocks);

#endif
