/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoded code: a block is what runs from an address without a break, up to and with its waypoint
 * (flow/core/insn.h).  Code is decoded once; after that a block leads to the next one,
 * and an atom is a matter of which of two.
 *
 * Walking is mostly waiting for memory, as each step tells where the next one is.  So what it needs
 * of a block is a few bytes apart from the rest, its way, of which many lie in the cache.
 *
 * A block is found by all that selects its bytes: the space (a number that tells whose code it is),
 * the address, the instruction set, and how much of an IT block is left.  When the bytes of a space
 * change, all blocks are forgotten.
 */
#ifndef DECODER_FLOW_CORE_BLOCKS_H
#define DECODER_FLOW_CORE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "util/hash.h"

/* The bytes of an element from its kind on. */
struct csg_block_shape {
	uint8_t kind, gap, branch, isa, el, last_size;
	bool taken, conditional;
};

/* 64 bytes, one cache line.  It begins as struct csg_code does, which clients see. */
struct csg_block {
	uint64_t start, end;
	struct csg_block_shape shape; /* el and taken are filled in later */
	uint32_t instructions;
	uint32_t number; /* of all that this flow ever decoded; 0: of nobody's code */
	uint64_t space;
	int32_t target;	      /* of a direct branch, from the block's end on */
	uint32_t at;	      /* of those that are not forgotten; 0: of nobody's code */
	uint8_t waypoint : 4; /* enum csg_waypoint */
	uint8_t next_isa : 3; /* where it is taken */
	uint8_t link : 1;
	uint8_t it : 4;	      /* instructions left of an IT block, before ... */
	uint8_t it_after : 4; /* ... and after */
} __attribute__((aligned(64)));

/* Bits of a pointer to a block that are free for others to use. */
#define CSG_BLOCK_BITS 63u

/* By csg_block.at. */
struct csg_block_way {
	/*
	 * Where an atom N or E leads: a block's at, and nothing else is to be done.  With
	 * CSG_WAY_ASK set there is more to it: it was not looked up yet (0), or is an indirect
	 * branch, or a call that fills the return stack (the block where it led last).
	 */
	uint32_t next[2];
	uint32_t instructions;
};

#define CSG_WAY_ASK 0x80000000u
#define CSG_WAY_ALWAYS 0x40000000u  /* and ask also when the block is known */
#define CSG_WAY_ADDRESS 0x20000000u /* for nothing but the address after an indirect branch */
#define CSG_WAY_AT 0x1fffffffu

/* An A64 block that an Address packet led to. */
struct csg_landing {
	uint64_t address, space;
	uint32_t at; /* 0: none */
};

#define CSG_LANDINGS 8192

static inline bool csg_block_is(const struct csg_block *block, uint64_t address, uint8_t isa,
				uint8_t it)
{
	return block->start == address && block->shape.isa == isa && block->it == it;
}

#define CSG_PAGE_BLOCKS 512 /* that are allocated together */

struct csg_blocks {
	struct csg_hash by_code; /* of blocks, by what selects their bytes */
	size_t count;
	struct csg_block_way *ways; /* the first one is of the block that is not kept */
	size_t way_capacity;
	struct csg_landing *landings; /* by address, the newest of each slot */
	struct csg_block **pages;     /* the first block of the first one is none */
	size_t page_count, page_capacity;
	uint32_t numbers; /* given so far */
	/* pages after those that are filled, of blocks that are forgotten but read */
	size_t retired;
};

/* 0 or -CSG_E_NO_MEMORY. */
int csg_blocks_init(struct csg_blocks *blocks);
void csg_blocks_fini(struct csg_blocks *blocks);

/* The block there, or NULL. */
struct csg_block *csg_blocks_find(const struct csg_blocks *blocks, uint64_t space, uint64_t address,
				  uint8_t isa, uint8_t it);

/*
 * A new block with start, isa, space and it as in *key, which is not there yet; the rest is copied
 * but for its numbers.  NULL: no memory, or more blocks than are kept: forget them first.
 */
struct csg_block *csg_blocks_add(struct csg_blocks *blocks, const struct csg_block *key,
				 const struct csg_block_way *way);

/* at is not 0. */
static inline struct csg_block *csg_blocks_at(const struct csg_blocks *blocks, uint32_t at)
{
	return &blocks->pages[at / CSG_PAGE_BLOCKS][at % CSG_PAGE_BLOCKS];
}

/* Where that way led, NULL: that is not known. */
static inline struct csg_block *csg_blocks_next(const struct csg_blocks *blocks,
						const struct csg_block *block, unsigned int atom)
{
	uint32_t at = blocks->ways[block->at].next[atom] & CSG_WAY_AT;

	return at ? csg_blocks_at(blocks, at) : NULL;
}

/* That way leads to the block. */
static inline void csg_way_lead(uint32_t *next, const struct csg_block *block)
{
	uint32_t bits = *next & CSG_WAY_ALWAYS ? *next & ~CSG_WAY_AT : 0;

	*next = block->at | bits;
}

static inline struct csg_landing *csg_blocks_landing(const struct csg_blocks *blocks,
						     uint64_t space, uint64_t address)
{
	return &blocks->landings[(address >> 2 ^ address >> 14 ^ space >> 6) % CSG_LANDINGS];
}

/*
 * Forgets all; no pointer to a block is valid any more, but those that are kept may be read until
 * csg_blocks_release().
 */
void csg_blocks_forget(struct csg_blocks *blocks, bool keep);
void csg_blocks_release(struct csg_blocks *blocks);

#endif
