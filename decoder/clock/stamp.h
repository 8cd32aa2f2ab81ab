/* SPDX-License-Identifier: BSD-3-Clause */
/* A timestamp of one trace unit, and the queue of those that are kept (clock/stamps.h). */
#ifndef DECODER_CLOCK_STAMP_H
#define DECODER_CLOCK_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/findings.h"
#include "clock/offsets.h"

#define CSG_STAMP_COUNTER_MAX (UINT64_C(1) << 62) /* no counter gets there; keeps sums below 2^63 */

/* The bits of a timestamp that most of its packets hold; those above are from packets before. */
#define CSG_STAMP_BLOCK_BITS 14

/* Whether their upper bits are the same: after a silent loss both lack the same ones, or none. */
static inline bool csg_stamps_share_block(uint64_t a, uint64_t b)
{
	return a >> CSG_STAMP_BLOCK_BITS == b >> CSG_STAMP_BLOCK_BITS;
}

/* Whose a timestamp may be; 0: it may be wrong. */
enum csg_stamp_may {
	CSG_STAMP_PHYSICAL = 1,
	CSG_STAMP_LOADED = 2,
	CSG_STAMP_EITHER = 3,
};

#define CSG_STAMP_ANY_VM (-1) /* loaded, if at all, by whatever VM */

/*
 * The only VM of which a vCPU can have been on the CPU between two times of the physical counter;
 * 0: none was; CSG_STAMP_ANY_VM: not known.
 */
typedef int32_t (*csg_stamp_whose_fn)(void *arg, uint64_t from, uint64_t until);

struct csg_stamp {
	uint64_t index; /* of its packet */
	uint64_t raw;
	uint64_t low, high; /* the physical counter lies in it */
	int32_t vm;
	uint8_t may; /* enum csg_stamp_may */
	bool traced; /* it was sent while execution was traced, and is not the one before again */
};

struct csg_stamps {
	struct csg_offsets *offsets;
	csg_stamp_whose_fn whose; /* or NULL */
	void *arg;
	struct csg_finder finder; /* of what timestamps say of assumptions */

	uint64_t floor, ceiling; /* of the piece of trace */
	uint64_t anchor;	 /* the last that is settled is not before it */
	bool anchored;		 /* by a timestamp, not by the beginning of the piece */
	bool supposes; /* the only VM that is known was taken for one that nothing names */

	struct csg_stamp
		*queue; /* first those that are settled, then those that wait, then new ones;
			   contiguous, no util/ring: they are searched by halves, and
			   settled as one array */
	size_t first, settled, waiting, fresh, capacity;
	size_t asked;	    /* of the queue, those that will not be asked for any more */
	size_t found;	    /* place in the queue of the one that was asked for last */
	uint64_t dropped;   /* nobody asked for them, or too many waited */
	uint64_t conflicts; /* physical ones that go back or leave the piece */
	uint64_t virtual;   /* certain to be a guest's, and not the physical counter */
	uint64_t disputed;  /* certain to be a guest's, and yet between those of the physical one */
	uint64_t last;	    /* the last that came, raw */
	uint64_t doubted;   /* upper bits that may be wrong */
	bool doubts;	    /* the last that came has them */
	bool failed;	    /* out of memory: timestamps are missing */
};

/* Whether raw can be a counter's value: the trace unit knew the time, and it is not nonsense. */
static inline bool csg_stamp_is_counter(uint64_t raw)
{
	return raw && raw < CSG_STAMP_COUNTER_MAX;
}

#endif
