/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds call stacks from all streams of a recording in the order of time, as far as timestamps tell
 * it.  Between two timestamps of two streams order is not known, and a thread that moves from one
 * CPU to another must be followed from where it left to where it comes: where it comes waits.
 *
 * Where the time of a batch is not known, as while guests of guests are loaded, its stream is as
 * early as what is known of it: not before the batch before it, nor before its chunk begins.
 */
#ifndef DECODER_STACK_WALK_H
#define DECODER_STACK_WALK_H

#include "session/session.h"
#include "session/session_pull.h"
#include "stack/earliest.h"
#include "stack/stack.h"

/* Waits no longer for a stream whose trace is so much later than what waits (ns). */
#define CSG_WALK_PATIENCE 10000000

struct csg_walk_stream {
	struct csg_batch batch;
	size_t done; /* elements of it that were fed */
	bool over;
	bool fed; /* since the earliest was looked for: it is in fed of struct csg_walk */
};

struct csg_walk {
	void *arg;
	/* As csg_session_pull_of(). */
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	struct csg_stacks *stacks;
	struct csg_walk_stream *streams;
	struct csg_earliest earliest; /* of those that are not over */
	uint32_t *fed;		      /* streams whose time may be another now */
	size_t fed_n;
	size_t n;
	uint64_t *times; /* by stream: its batch ran then or later; 0: not known.  Who knows better
			    raises it. */
	uint64_t time;	 /* perf time of what is fed now, by the trace; 0: not known */
};

/* arg, next, stacks and n are set; -CSG_E_NO_MEMORY. */
int csg_walk_init(struct csg_walk *walk);
void csg_walk_fini(struct csg_walk *walk);

/* Feeds some more.  1, 0 when all is over, or a negative error. */
int csg_walk_next(struct csg_walk *walk);

#endif
