/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast lane: packets as most are, of code that is decoded and led to.  Atoms from block to
 * block, and the Address packet after an indirect branch where it leads to a block that was come to
 * so before. Nothing else happens in it, so that all it works with stays in registers; whatever is
 * otherwise leaves it untouched, and goes by the way of fast_atoms.c.
 */
#ifndef DECODER_FLOW_FAST_FAST_LANE_H
#define DECODER_FLOW_FAST_FAST_LANE_H

#include <stddef.h>
#include <string.h>

#include "flow/fast/fast_state.h"
#include "scan/reader_address.h"

/* Where the next element goes, block where execution is (NULL: not known): what is walked with. */
struct csg_steps {
	struct csg_element *out;
	uintptr_t *execution;  /* where the next one goes, of who counts */
	uint64_t instructions; /* of those that are in no element yet */
	struct csg_block *block;
	uint32_t owner; /* in force */
	uint8_t el;
};

/* The block was executed.  Member by member: whatever compilers make of whole structs is slower. */
static inline __attribute__((always_inline)) void csg_steps_range(struct csg_steps *s,
								  uint8_t taken, uint64_t index)
{
	static const uint64_t zero;
	const struct csg_block *block = s->block;
	struct csg_element *e = s->out++;
	uint8_t *bytes = (uint8_t *)e;

	e->index = index;
	e->start = block->start;
	e->end = block->end;
	e->timestamp = 0;
	e->owner = s->owner;
	e->instructions = block->instructions;
	memcpy(bytes + offsetof(struct csg_element, cycles), &zero, sizeof(zero)); /* and info */
	memcpy(bytes + offsetof(struct csg_element, kind), &block->shape, sizeof(block->shape));
	e->el = s->el;
	memcpy(&e->taken, &taken, 1); /* 0 or 1, as a bool has to be */
	memcpy(bytes + offsetof(struct csg_element, has_cycles), &zero,
	       4); /* and what is reserved */
	e->code = block->number;
}

/* The same for who counts; of this many instructions. */
static inline __attribute__((always_inline)) void
csg_steps_execution(struct csg_steps *s, uint64_t taken, uint32_t instructions)
{
	*s->execution++ = (uintptr_t)s->block | taken;
	s->instructions += instructions;
}

/* What was looked at ahead is so. */
static inline void csg_fast_land(struct csg_fast *f, const struct csg_address *address)
{
	csg_reader_new_address(&f->reader, address->value, address->is1);
	f->last_is1 = address->is1;
	f->wait_address = false;
	f->at.from = NULL;
}

/*
 * After an indirect branch: the at of the A64 block where the Address packet at bytes leads, 0 if
 * that is for others to find out.  An atom must follow, which commits the address.
 */
static inline uint32_t csg_fast_look(const struct csg_fast *f, const uint8_t *bytes, size_t n,
				     struct csg_address *address)
{
	const struct csg_landing *landing;

	if (!csg_reader_look(&f->reader, bytes, n, address) || address->length >= n ||
	    bytes[address->length] < CSG_FIRST_ATOMS || !f->at.is_64bit)
		return 0;
	landing = csg_blocks_landing(&f->blocks, f->code.space, address->value);
	return landing->address == address->value && landing->space == f->code.space ? landing->at
										     : 0;
}

/* Whether an atom led on, by next: to another block; or, the last one of its packet, to an
 * address. */
enum csg_lane { CSG_LANE_ON, CSG_LANE_ADDRESS, CSG_LANE_NONE };

static inline enum csg_lane csg_lane_of(uint32_t next, uint32_t atom, uint32_t pattern)
{
	if (!(next & CSG_WAY_ASK))
		return CSG_LANE_ON;
	return atom && pattern == 1 && (next & CSG_WAY_ADDRESS) ? CSG_LANE_ADDRESS : CSG_LANE_NONE;
}

/*
 * Packets from place i on; returns the place of the first that is not of the lane.  skips: by how
 * much more than its place the index of each byte is.
 */
static inline __attribute__((always_inline)) size_t
csg_fast_lane(struct csg_fast *f, struct csg_steps *s, const struct csg_run *piece, size_t i,
	      const uint8_t *skips, bool counts)
{
	const struct csg_blocks *blocks = &f->blocks;
	const uint8_t *bytes = piece->bytes;
	const size_t n = piece->n;
	struct csg_steps now = *s;
	uint32_t at = s->block ? s->block->at : 0;

	while (at && i < n && bytes[i] >= CSG_FIRST_ATOMS) {
		uint32_t pattern = f->atoms[bytes[i] - CSG_FIRST_ATOMS], next = at, atom;
		struct csg_steps then = now;
		struct csg_address address;
		enum csg_lane lane;

		do {
			const struct csg_block_way *way = &blocks->ways[next];

			then.block = csg_blocks_at(blocks, next);
			atom = pattern & 1;
			next = way->next[atom];
			if (counts)
				csg_steps_execution(&then, atom, way->instructions);
			else
				csg_steps_range(&then, (uint8_t)atom, piece->index + i + skips[i]);
			pattern >>= 1;
		} while (pattern > 1 && !(next & CSG_WAY_ASK));
		lane = csg_lane_of(next, atom, pattern);
		if (lane == CSG_LANE_ADDRESS)
			next = csg_fast_look(f, bytes + i + 1, n - i - 1, &address);
		if (lane == CSG_LANE_NONE || !next)
			break;
		if (lane == CSG_LANE_ADDRESS) {
			csg_fast_land(f, &address);
			i += address.length;
		}
		i++;
		at = next;
		now = then;
	}
	*s = now;
	s->block = at ? csg_blocks_at(blocks, at) : s->block;
	return i;
}

#endif
