/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads that walk the legs of a session's streams: the caller's, and so many more.
 *
 * Legs of one stream are handed on like the baton of a relay: a leg is walked from the state in which the
 * one before it ended.  Who finds nothing to take over walks a leg from a guess: it begins at the A-Sync in
 * the overlap (session/leg.h), knowing nothing, and writes down the state in which it leaves the overlap.
 * When the leg before comes to the same place in the same state (flow/flow_state.h), the guess was right and
 * what it gave is the leg's; otherwise it is thrown away, and the leg walked again.  So the elements are, one
 * by one, those of one thread.
 *
 * Elements are handed over in blocks, of which only so many are filled at a time.
 */
#ifndef DECODER_SESSION_CREW_H
#define DECODER_SESSION_CREW_H

#include <pthread.h>

#include "flow/flow_state.h"
#include "session/leg.h"
#include "session/walker.h"

#define CSG_LEAD 8		 /* legs that are made before one is walked */
#define CSG_LEGS (CSG_LEAD + 1)	 /* those, and the one that is walked; leg n is at n % CSG_LEGS */
#define CSG_WALKS (CSG_LEGS + 1) /* those, and the one before: it ends where this one begins */

struct csg_crew;

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

/* The walk of a leg. */
struct csg_walk {
	uint8_t state;			    /* enum csg_walk_state */
	bool guessed;			    /* it began at the A-Sync in the overlap */
	bool refuted;			    /* a guess was wrong: no second one */
	bool failed;			    /* no memory */
	struct csg_flow_state *begin, *end; /* guessed: behind the overlap; at the leg's end */
	struct csg_code_times begin_times, end_times; /* csg_walker.code_times there */
	uint64_t skipped, nobody_accesses;
	const void *codes; /* who gave elements the numbers of their code: csg_batch.codes */
	struct csg_block_of_elements *first, **last;
};

/* One stream's legs.  Members belong to the crew's lock, legs to who walks them. */
struct csg_relay {
	struct csg_crew *crew;
	struct csg_relay *next;	    /* of the crew's */
	struct csg_leg *legs;	    /* CSG_LEGS of them */
	struct csg_walker *walkers; /* one for each thread */
	unsigned int threads;
	uint64_t made, accepted, consumed; /* legs before these numbers are */
	struct csg_walk walks[CSG_WALKS];
};

/* Threads beside the caller's: threads - 1.  0 or an error. */
int csg_crew_create(struct csg_crew **crew, unsigned int threads);
/* Waits until nobody walks any more. */
void csg_crew_stop(struct csg_crew *crew);
void csg_crew_destroy(struct csg_crew *crew);

/* legs stay the caller's.  0 or an error;
 * csg_relay_fini() is called in either case, after csg_crew_stop(). */
int csg_relay_init(struct csg_relay *relay, struct csg_crew *crew, struct csg_leg *legs,
		   const struct csg_walker_setup *setup);
/*
 * Every leg that was made was taken, and no more come: frees what is large.  The walkers stay, without their
 * flows, because csg_batch.codes may never be the same for two of them.
 */
void csg_relay_retire(struct csg_relay *relay);
void csg_relay_fini(struct csg_relay *relay);

/* One more leg is made. */
void csg_relay_add(struct csg_relay *relay);

/* Waits, and helps, until the next leg is walked: its walk, or NULL: no memory. */
const struct csg_walk *csg_relay_next(struct csg_relay *relay);

/* The next block of that leg, or NULL: the leg is done, and its place may be made again. */
struct csg_flow_block *csg_relay_block(struct csg_relay *relay);

/* The block that was got last is not needed any more. */
void csg_relay_give_back(struct csg_relay *relay);

#endif
