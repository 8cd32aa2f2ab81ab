/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The look ahead of one stream: reads packets, a block at a time, and finds owners, until they are
 * settled beyond some index; what it finds out up to there is given to jobs (session/run/job.h).
 *
 *	scan    packets of the trace, no code read
 *	world   segments of what the scan found, and who ran in them
 *
 * The look-ahead is bounded: an owner still open LOOK_AHEAD bytes later is settled as the policy
 * has it by default.  A segment that is open then is held back until the ERET that led there is
 * known: the code says which it was, so that whoever decodes has to come there first.
 *
 * What the decoders find out comes back at certain places of the trace only (csg_ahead_learn(),
 * csg_ahead_release()), so that what is found does not depend on how fast they are.
 */
#ifndef DECODER_SESSION_RUN_AHEAD_H
#define DECODER_SESSION_RUN_AHEAD_H

#include "csguest/attribution.h"
#include "csguest/trace_scan.h"
#include "session/run/job.h"
#include "session/run/registry.h"
#include "session/run/surveyed_time_slices.h"

struct csg_ahead {
	struct csg_registry *registry;
	const struct csg_chunk *chunk;
	struct csg_window *window;
	uint64_t offset; /* of the next byte in the chunk */
	struct csg_trace_scan *scan;
	struct csg_attribution_stream *owners;	/* the caller's */
	const struct csg_switch_survey *survey; /* set after csg_ahead_init(); or NULL */
	struct csg_segment held;		/* open, and not given out yet */
	bool holds;
	bool scanned; /* the chunk is scanned to its end */
	bool goes_on; /* the next chunk goes on where this one ends */
	bool failed;  /* no memory for what an event reported */

	uint64_t settled; /* index up to which owners are settled, and segments here */
	uint64_t time;	  /* of the newest timestamp before it */
	uint64_t bytes_lost;
	/* bytes to the end of the scanned piece, all of it without an A-Sync; 0: none */
	uint64_t unsynced;

	CSG_JOB_LIST(uint64_t) stamps; /* timestamps after settled */
	CSG_JOB_LIST(struct csg_job_segment) segments;
	CSG_JOB_LIST(struct csg_job_time) times;
	CSG_JOB_LIST(uint64_t) asyncs;
	size_t shared; /* of times, those that the job before has, too */
};

/* owners outlives it.  0 or an error; csg_ahead_fini() is called in either case. */
int csg_ahead_init(struct csg_ahead *ahead, struct csg_recording *rec,
		   const struct csg_source *source, struct csg_registry *registry,
		   struct csg_attribution_stream *owners);
/* The stream has no more trace: frees what reads it.  What jobs found may still be learned. */
void csg_ahead_end(struct csg_ahead *ahead);

void csg_ahead_fini(struct csg_ahead *ahead);

/* The chunk that is looked at now.  continues: it goes on where the one before ended. */
void csg_ahead_begin(struct csg_ahead *ahead, const struct csg_chunk *chunk, bool continues,
		     bool goes_on);

/* Looks ahead until owners are settled beyond index, or the segment that begins there is held
 * back. */
int csg_ahead_look(struct csg_ahead *ahead, uint64_t index);

/* The segment that is held back was entered by this ERET; 0: by something else, or nobody knows. */
int csg_ahead_release(struct csg_ahead *ahead, uint64_t eret);

/* What the walk of a job has found out. */
void csg_ahead_learn(struct csg_ahead *ahead, const struct csg_job *job);

/* Gives to the job what was found before index, and forgets it.  0 or -CSG_E_NO_MEMORY. */
int csg_ahead_give(struct csg_ahead *ahead, uint64_t index, struct csg_job *job);

#endif
