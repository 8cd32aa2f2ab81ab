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

#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"

struct csg_block {
	struct csg_element range; /* it gives; index, owner, el and taken are filled in later */
	/* Behind it, and where its branch goes, or went last if it is indirect; NULL: not looked up. */
	struct csg_block *next[2];
	uint64_t target; /* of a direct branch */
	uint64_t space;
	struct csg_block *same; /* the next with this hash */
	uint8_t waypoint;	/* enum csg_waypoint */
	uint8_t next_isa;	/* where it is taken */
	uint8_t it, it_after;	/* instructions left of an IT block, before and behind */
	bool link;
};

struct csg_blocks {
	struct csg_block **table;
	size_t mask, count;
	struct csg_block **pages;
	size_t page_count, page_room, page; /* page: being filled */
	size_t used;			    /* of it */
};

/* 0 or -CSG_E_NO_MEMORY. */
int csg_blocks_init(struct csg_blocks *blocks);
void csg_blocks_fini(struct csg_blocks *blocks);

/* The block there, or NULL. */
struct csg_block *csg_blocks_find(const struct csg_blocks *blocks, uint64_t space, uint64_t address,
				  uint8_t isa, uint8_t it);

/*
 * A new block with range.start, range.isa, space and it as in *key, which is not there yet; the rest is
 * copied.  NULL: no memory, or so many blocks that they should be forgotten first.
 */
struct csg_block *csg_blocks_add(struct csg_blocks *blocks, const struct csg_block *key);

/* Forgets all; no pointer to a block is valid any more. */
void csg_blocks_forget(struct csg_blocks *blocks);

#endif
