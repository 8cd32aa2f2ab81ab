/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts executed ranges by the number of their code (csg_element.code), before the tally
 * (view/tally.h), which is asked only once for each: an execution is a matter of two comparisons and
 * an increment in a slot of 16 bytes.
 *
 * A slot is for one code at one place.  Codes are numbered in the order in which they are first executed,
 * so that slots mostly do not collide; where two do, the one before is given to the tally.
 *
 * Slots do not tell when.  All of them are good for one interval of time, in which every entry of the
 * tally they stand for is; a batch outside of it gives everything to the tally first.
 */
#ifndef DECODER_VIEW_CODE_COUNTS_H
#define DECODER_VIEW_CODE_COUNTS_H

#include "view/tally.h"

#define CSG_CODE_FREE UINT64_MAX

struct csg_code_count {
	uint64_t tag; /* place << 32 | code; CSG_CODE_FREE */
	uint32_t executions, taken;
};

struct csg_code_counts {
	struct csg_tally *tally;
	struct csg_code_count *slots;
	struct csg_element *ranges; /* what a slot counts, at the same index */
	uint32_t *used;		    /* indexes of slots in use, in no order */
	size_t used_count;
	size_t evictions;	     /* since the table has grown */
	unsigned int bits, max_bits; /* log2 of slots now and at most */

	const void *codes;    /* who numbered them */
	uint64_t first, last; /* time: the interval */
	uint64_t added;	      /* ranges since slots were emptied */

	uint64_t ranges_given, instructions, branches; /* given to the tally */
};

#define CSG_CODE_COUNTS_MAX_BITS 17 /* 10 MB */

/* 0 or -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_code_counts_init(struct csg_code_counts *counts, struct csg_tally *tally,
			 unsigned int max_bits);
void csg_code_counts_fini(struct csg_code_counts *counts);

/* Gives everything to the tally. */
int csg_code_counts_flush(struct csg_code_counts *counts);

/* Up to n ranges come that ran at time (ns; UINT64_MAX: not known); codes: who numbered them. */
int csg_code_counts_begin(struct csg_code_counts *counts, const void *codes, uint64_t time,
			  size_t n);

/*
 * Counts the RANGE elements from e on, up to end or the first that is none, has another owner than
 * e, or of which the code is not known; returns where that is.  All of them ran at that place at time.
 */
const struct csg_element *csg_code_counts_add(struct csg_code_counts *counts,
					      const struct csg_element *e,
					      const struct csg_element *end, uint32_t place,
					      uint64_t time, int *err);

/* Counts what a RANGES element stands for: its batch's executions.  0 or an error. */
int csg_code_counts_add_executions(struct csg_code_counts *counts, const struct csg_element *ranges,
				   const uintptr_t *executions, uint32_t place, uint64_t time);

#endif
