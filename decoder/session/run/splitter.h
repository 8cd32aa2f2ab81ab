/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The splitter: one stream's trace from its first byte to its last, cut into jobs
 * (session/run/job.h), each made when it is asked for, chunk by chunk.  The bytes of a job are
 * those of the stream's trace ID, up to where the look ahead (session/run/ahead.h) has settled who
 * runs.
 */
#ifndef DECODER_SESSION_RUN_SPLITTER_H
#define DECODER_SESSION_RUN_SPLITTER_H

#include "scan/demux.h"
#include "session/run/ahead.h"
#include "session/run/job_index.h"

struct csg_splitter_setup {
	struct csg_recording *rec;
	const struct csg_source *source;
	struct csg_registry *registry;
	struct csg_attribution_stream *owners;
	const struct csg_switch_survey
		*survey; /* or NULL; they outlive the splitter, as all before */
	/*
	 * Called when the first byte of the source is found: a queue may have a source for every
	 * CPU though few of them ever send to it, and decoders are large.  -CSG_E_UNSUPPORTED: the
	 * splitter ends there.
	 */
	int (*open)(void *arg);
	void *arg;
};

/* Which chunks of a queue are decoded; csg_splitter_choose(). */
#define CSG_CHUNK_WANTED 1u /* somebody asks for what ran in it */
#define CSG_CHUNK_NEEDED 2u /* it is decoded: also that others can be */

struct csg_splitter {
	struct csg_splitter_setup setup;
	const struct csg_chunk *chunks;
	size_t chunk_count, chunk; /* chunk that jobs are made of */
	unsigned int stage;
	const uint8_t *chosen;	     /* CSG_CHUNK_* by number of chunk; NULL: all of it */
	struct csg_job_cursor known; /* jobs of an index; without index: the look ahead's */
	bool opened;
	/* the job made last ends where the next owner is held back: csg_splitter_release() */
	bool holds;
	struct csg_ahead ahead;
	struct csg_window *window; /* onto the bytes that jobs get */
	uint64_t offset;	   /* of the next of them in the chunk */
	uint64_t read;		   /* bytes so far, framed */
	uint32_t owner;		   /* of the segment that was given to a job last */
	uint64_t async; /* of the overlap that the current job ends with; UINT64_MAX: none yet */
	size_t overlap; /* where its bytes begin in the job */
	struct csg_job next; /* its guess is that of the job made next */
	struct csg_demux *demux;
	struct csg_run run; /* being put into jobs */
	size_t run_done;
	uint64_t ids[2];  /* trace IDs that the queue's sources have, a bit each */
	uint64_t nobodys; /* of the current piece, bytes of no trace ID that gaps tell of */
	bool begun;	  /* the current piece has put bytes into jobs */
	bool continues;	  /* the next chunk goes on without a break */
};

void csg_splitter_init(struct csg_splitter *splitter, const struct csg_splitter_setup *setup);
void csg_splitter_fini(struct csg_splitter *splitter);

/*
 * Before the first job: only chunks that are NEEDED by chosen[] are decoded, and jobs of those that
 * are not WANTED are marked.  index, or NULL: jobs are as it has them; without it all chunks are
 * NEEDED, as those before a chunk tell who runs there.  Both outlive the splitter.
 */
void csg_splitter_choose(struct csg_splitter *splitter, const uint8_t *chosen,
			 const struct csg_job_index *index);

/* Makes the next job: 1, 0 at the end of the splitter, or a negative error. */
int csg_splitter_make(struct csg_splitter *splitter, struct csg_job *job);

/* The job made last, which has been walked, ended with this ERET, 0: with something else. */
int csg_splitter_release(struct csg_splitter *splitter, uint64_t eret);

/* What the walk of a job has found out, in order of the jobs. */
void csg_splitter_learn(struct csg_splitter *splitter, const struct csg_job *job);

#endif
