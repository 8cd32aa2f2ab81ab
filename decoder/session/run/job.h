/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job: a stretch of one stream's way, some ten KB of its trace, with everything that decoding it
 * asks for: the bytes, who runs from where on, and what the scan knew when it passed.  A job is
 * made once by whoever looks ahead (session/run/stream.h) and walked later, by any thread: nothing
 * in it changes, and what the walk finds out is written down in it until the stream comes by and
 * collects it.
 *
 * A job ends where an A-Sync lies a little later (CSG_JOB_OVERLAP), so that the next one may be
 * walked before it: from that A-Sync on a decoder that knows nothing comes, as a rule, into the
 * very state in which the one that walked this job is at its end.  Whether it did is verified
 * (session/run/pool.h).
 */
#ifndef DECODER_SESSION_RUN_JOB_H
#define DECODER_SESSION_RUN_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "csguest/segment.h"
#include "image/image.h"
#include "recording/recording.h"
#include "scan/run.h"

#define CSG_JOB_BYTES (16u << 10) /* of the stream; a job ends at the next A-Sync after this many */
#define CSG_JOB_BYTES_MAX (64u << 10) /* or here, where there is none */
#define CSG_JOB_OVERLAP 128	      /* bytes after an A-Sync, after which decoders agree */

enum csg_job_step_kind {
	CSG_JOB_RUN,	 /* decode bytes that lie at index */
	CSG_JOB_END,	 /* the trace ends at index */
	CSG_JOB_RESTART, /* and begins anew there */
	CSG_JOB_GAP,	 /* put out a gap: kind, lost bytes */
};

struct csg_job_step {
	uint64_t index;
	uint32_t at, n; /* RUN: bytes[at] on; GAP: n is what was lost */
	uint8_t kind;	/* enum csg_job_step_kind */
	uint8_t gap;	/* enum csg_gap */
	uint8_t frame;	/* RUN: as in struct csg_run */
};

/* A step's run, of these bytes. */
static inline struct csg_run csg_job_run(const struct csg_job_step *step, const uint8_t *bytes)
{
	return (struct csg_run){.index = step->index,
				.bytes = bytes + step->at,
				.n = step->n,
				.frame = step->frame};
}

/* An owner takes over (csg_flow_segment()), or a gap is put in (csg_flow_gap()). */
struct csg_job_segment {
	uint64_t index, lost;
	uint32_t owner;
	uint8_t gap; /* enum csg_gap; NONE: an owner */
	bool at_context, at_time, reset;
	bool guest_ran; /* csg_flow_segment_of_guest() */
};

/*
 * A timestamp, and between which host perf times (ns) it was sent, as was known when the job was
 * made: at time, which never goes back, or later, up to latest (0: not known).
 */
struct csg_job_time {
	uint64_t index, time, latest;
};

/* The host perf time of a TIMESTAMP element, ns, as csg_attribution_time() knew it; 0: not
 * known. */
struct csg_job_date {
	uint64_t index, time;
};

/* An ERET at EL2 led to el, where owner was in force: n times, first at index. */
struct csg_job_entry {
	uint64_t eret;
	uint64_t index, time, n; /* time: host perf time, ns; 0: not known */
	uint32_t owner;
	uint8_t el; /* enum csg_el */
};

/* Code was asked for that is not there. */
struct csg_job_miss {
	struct csg_space *space;
	uint64_t address, time;
};

/* Arrays that grow; what is in them counts from 0 on. */
#define CSG_JOB_LIST(type)                                                                         \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t n, capacity;                                                                \
	}

/* What decoding needs to start with a chunk, though that continues the one before it. */
struct csg_job_start {
	bool possible; /* a frame begins with the chunk */
	uint8_t id;    /* trace ID in force, of frames */
	uint32_t owner;
	uint64_t dated; /* the newest date before it; 0: none */
};

struct csg_job {
	const struct csg_chunk *chunk; /* it lies in; a job never lies in two */
	bool fresh;		       /* the chunk begins anew: nothing that was before holds */
	bool hold;	  /* how the owner after it is called depends on the ERET it ends with */
	bool first, last; /* of its chunk */
	bool unwanted;	  /* nobody asks for what ran in its chunk (session/run/chosen.h) */
	uint64_t end;	  /* index after it; hold: of the segment that is held back */
	uint64_t trace_bytes;	    /* framed, read up to its end */
	uint64_t bytes_lost;	    /* csg_ahead.bytes_lost, at its end */
	uint64_t unsynced;	    /* last: csg_ahead.unsynced */
	struct csg_job_start start; /* first: of its chunk */

	CSG_JOB_LIST(uint8_t) bytes;
	CSG_JOB_LIST(struct csg_job_step) steps;
	CSG_JOB_LIST(struct csg_job_segment) segments;
	CSG_JOB_LIST(struct csg_job_time)
	times; /* also of the job before, as a unit may hold some back, and the first after it */
	CSG_JOB_LIST(uint64_t) asyncs;
	CSG_JOB_LIST(struct csg_job_date) dates; /* of a job that an index has */

	/* What lies between an A-Sync and the job's beginning, to come there without the job
	 * before. */
	struct {
		bool possible;
		uint32_t owner; /* in force at the A-Sync, as it seems */
		uint64_t index;
		struct csg_job_time time; /* the newest timestamp; index 0: there is none */
		CSG_JOB_LIST(uint8_t) bytes;
		CSG_JOB_LIST(struct csg_job_step) steps; /* RUN only */
		CSG_JOB_LIST(struct csg_job_segment) segments;
	} guess;

	/* --- what its walk found out --- */
	CSG_JOB_LIST(struct csg_job_entry) entries; /* each once */
	CSG_JOB_LIST(struct csg_job_miss) misses;
	uint64_t eret; /* hold: csg_flow_eret() at its end */
};

/* Whether decoding starts with it, in a chunk that continues one which was not decoded. */
static inline bool csg_job_starts_amid(const struct csg_job *job)
{
	return job->first && job->fresh && job->chunk->flags & CSG_CHUNK_CONTINUES;
}

/* Empties it for the next stretch; memory is kept. */
void csg_job_clear(struct csg_job *job);
void csg_job_fini(struct csg_job *job);

/* It is to be walked anew. */
void csg_job_forget_walk(struct csg_job *job);

/* Code that was not there is counted by the images. */
void csg_job_tell_misses(const struct csg_job *job);

/* Fills guess with what job, the one before, has from index on, its A-Sync.  0 or
 * -CSG_E_NO_MEMORY. */
int csg_job_overlap(struct csg_job *job, const struct csg_job *before, uint64_t index);

/* They return 0 or -CSG_E_NO_MEMORY. */
int csg_job_add_run(struct csg_job *job, const struct csg_run *run);
int csg_job_add_step(struct csg_job *job, const struct csg_job_step *step);
int csg_job_add_segment(struct csg_job *job, const struct csg_job_segment *segment);
int csg_job_add_time(struct csg_job *job, const struct csg_job_time *time);
int csg_job_add_async(struct csg_job *job, uint64_t index);
int csg_job_add_date(struct csg_job *job, const struct csg_job_date *date);
int csg_job_add_entry(struct csg_job *job, const struct csg_job_entry *entry);
int csg_job_add_miss(struct csg_job *job, const struct csg_job_miss *miss);

/* The newest timestamp up to index, NULL: there is none. */
const struct csg_job_time *csg_job_time_at(const struct csg_job *job, uint64_t index);

/* The first timestamp after index, NULL: the job has none. */
const struct csg_job_time *csg_job_time_after(const struct csg_job *job, uint64_t index);

/*
 * What is at index had run by then, host perf time (ns): by the first timestamp after it, else by
 * its AUX record; UINT64_MAX: unknown.
 */
uint64_t csg_job_ran_by(const struct csg_job *job, uint64_t index);

/* The date of the TIMESTAMP element at index, 0: the job has none. */
uint64_t csg_job_date_of(const struct csg_job *job, uint64_t index);

/* The first A-Sync from index on, UINT64_MAX: none. */
uint64_t csg_job_async_at(const struct csg_job *job, uint64_t index);

#endif
