/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts executed ranges by place and the number of their code (csg_element.code), in chunks
 * (report/code_chunks.h), before the tally (report/tally.h): an execution is a matter of an
 * increment.
 *
 * Counts do not tell when.  All of them are good for one interval of time, in which the addresses
 * of all code that was counted mean the same; a batch outside of it gives everything to the tally
 * first. What is left at the end is folded past the tally, which would only hold it once more: one
 * code after the other with all its places, so that who folds looks a range up once.
 *
 * A number says whose code it is: of the places that have it each has the space where it lies.
 */
#ifndef COMMAND_REPORT_CODE_COUNTS_H
#define COMMAND_REPORT_CODE_COUNTS_H

#include "report/code_chunks.h"
#include "report/tally.h"

/* What a code is. */
struct csg_code_range {
	uint64_t start, end;
	uint32_t instructions;
	uint8_t isa, branch;
};

/* As many codes as a chunk has counts. */
struct csg_code_ranges {
	uint64_t known;	   /* a bit for each: its range is here, and its time is in the interval */
	uint64_t interval; /* in which that is so */
	struct csg_code_range ranges[CSG_CHUNK_CODES];
};

struct csg_code_counts {
	struct csg_tally *tally;
	struct csg_code_chunks chunks;
	struct csg_code_ranges **ranges; /* of the window, by chunk; or NULL */
	size_t ranges_n;

	const void *codes;    /* who numbered them */
	uint64_t first, last; /* time: the interval */
	uint64_t interval;    /* its number */
	uint64_t added;	      /* ranges since it began */
	bool failed;	      /* memory was out: codes are counted that nobody knows */

	uint64_t ranges_given, instructions, branches; /* to the tally, or folded */
};

/* max_chunks: CSG_CODE_CHUNKS_MAX, or less for tests. */
void csg_code_counts_init(struct csg_code_counts *counts, struct csg_tally *tally,
			  size_t max_chunks);
void csg_code_counts_fini(struct csg_code_counts *counts);

/* Folds everything. */
int csg_code_counts_fold(struct csg_code_counts *counts);

/* Up to n ranges come that ran at time (ns; UINT64_MAX: not known); codes: who numbered them. */
int csg_code_counts_begin(struct csg_code_counts *counts, const void *codes, uint64_t time,
			  size_t n);

/*
 * Counts the RANGE elements from e on, up to end or the first that is none, has another owner than
 * e, or of which the code is not known; returns where that is.  All of them ran at that place at
 * time.
 */
const struct csg_element *csg_code_counts_add(struct csg_code_counts *counts,
					      const struct csg_element *e,
					      const struct csg_element *end, uint32_t place,
					      uint64_t time, int *err);

/* Counts what a RANGES element stands for: its batch's executions.  0 or an error. */
int csg_code_counts_add_executions(struct csg_code_counts *counts, const struct csg_element *ranges,
				   const uintptr_t *executions, uint32_t place, uint64_t time);

#endif
