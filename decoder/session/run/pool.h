/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads that walk the jobs of a session's streams: the caller's, and this many more.
 *
 * Jobs of one stream are handed on like the baton of a relay: a job is walked from the state in
 * which the one before it ended.  Who finds nothing to take over walks a job from a guess: it
 * begins at the A-Sync in the overlap (session/run/job.h), knowing nothing, and writes down the
 * state in which it leaves the overlap. When the job before comes to the same place in the same
 * state (flow/flow_state.h), the guess was right and what it gave is the job's; otherwise it is
 * thrown away, and the job walked again.  So the elements are, one by one, those of one thread.
 *
 * Elements are handed over in blocks, of which only this many are filled at a time.
 */
#ifndef DECODER_SESSION_RUN_POOL_H
#define DECODER_SESSION_RUN_POOL_H

#include <pthread.h>

#include "flow/flow_state.h"
#include "session/run/job.h"
#include "session/run/walker.h"

#define CSG_LEAD 8		 /* jobs that are made before one is walked */
#define CSG_JOBS (CSG_LEAD + 1)	 /* those, and the one that is walked; job n is at n % CSG_JOBS */
#define CSG_WALKS (CSG_JOBS + 1) /* those, and the one before: it ends where this one begins */

struct csg_pool;

/* Elements, in the order of the trace. */
struct csg_block_of_elements {
	struct csg_flow_block block;
	struct csg_block_of_elements *next;
};

enum csg_walk_state {
	CSG_WALK_READY, /* nobody walks it yet */
	CSG_WALK_GOING,
	CSG_WALK_DONE,
};

/* The walk of a job. */
struct csg_walk {
	uint8_t state;			    /* enum csg_walk_state */
	bool guessed;			    /* it began at the A-Sync in the overlap */
	bool refuted;			    /* a guess was wrong: no second one */
	bool failed;			    /* no memory */
	struct csg_flow_state *begin, *end; /* guessed: after the overlap; at the job's end */
	struct csg_code_times begin_times, end_times; /* csg_walker.code_times there */
	uint64_t skipped, nobody_accesses;
	const void *codes; /* who gave elements the numbers of their code: csg_batch.codes */
	struct csg_block_of_elements *first, **last;
};

/* One stream's jobs.  Members belong to the pool's lock, jobs to who walks them. */
struct csg_relay {
	struct csg_pool *pool;
	struct csg_relay *next;	    /* of the pool's */
	struct csg_job *jobs;	    /* CSG_JOBS of them */
	struct csg_walker *walkers; /* one for each thread */
	unsigned int threads;
	uint64_t made, accepted, consumed; /* jobs before these numbers are */
	struct csg_walk walks[CSG_WALKS];
};

/* Threads beside the caller's: threads - 1.  0 or an error. */
int csg_pool_create(struct csg_pool **pool, unsigned int threads);
/* Waits until nobody walks any more. */
void csg_pool_stop(struct csg_pool *pool);
void csg_pool_destroy(struct csg_pool *pool);

/* jobs stay the caller's.  0 or an error;
 * csg_relay_fini() is called in either case, after csg_pool_stop(). */
int csg_relay_init(struct csg_relay *relay, struct csg_pool *pool, struct csg_job *jobs,
		   const struct csg_walker_setup *setup);
/*
 * Every job that was made was taken, and no more come: frees what is large.  The walkers stay,
 * without their flows, because csg_batch.codes may never be the same for two of them.
 */
void csg_relay_retire(struct csg_relay *relay);
void csg_relay_fini(struct csg_relay *relay);

/* One more job is made. */
void csg_relay_add(struct csg_relay *relay);

/* Waits, and helps, until the next job is walked: its walk, or NULL: no memory. */
const struct csg_walk *csg_relay_next(struct csg_relay *relay);

/* The next block of that job, or NULL: the job is done, and its place may be made again. */
struct csg_flow_block *csg_relay_block(struct csg_relay *relay);

/* The block that was got last is not needed any more. */
void csg_relay_give_back(struct csg_relay *relay);

#endif
