/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples with call chains as perf script prints them, for stackcollapse-perf.pl and its like: a
 * sample every so many instructions of a stream; a line as of other samples, then one line for each
 * frame, innermost first, with address, symbol and object, and an empty line.
 *
 * Samples come in the order in which stacks are followed: by time as far as timestamps tell it.
 */
#ifndef DECODER_VIEW_CHAIN_LIST_H
#define DECODER_VIEW_CHAIN_LIST_H

#include "view/calls.h"
#include "view/sample_text.h"

struct csg_chain_list {
	const struct csg_sample_text *text; /* its fields IP to SRCLINE are not printed */
	const int32_t *cpus;		    /* of the streams */
	uint64_t period;		    /* instructions between two samples */
	bool joined;
	void *arg;
	/* csg_session_next_of() */
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	/* Whether this one is wanted; NULL: all are. */
	bool (*passes)(void *arg, const struct csg_sample *sample);
	/* Filled. */
	struct csg_calls calls;
	struct csg_sample_text line;
	uint64_t *ran; /* by stream: instructions since the last sample */
};

/* text to passes are set.  -CSG_E_NO_MEMORY; _close() is safe even then. */
int csg_chain_list_open(struct csg_chain_list *list, const struct csg_lookup *lookup,
			size_t streams);
void csg_chain_list_close(struct csg_chain_list *list);

/* Prints some more.  1, 0 at the end, or a negative error. */
int csg_chain_list_next(struct csg_chain_list *list);

#endif
