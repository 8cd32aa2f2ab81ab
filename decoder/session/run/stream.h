/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream: one source's trace, decoded in two passes.
 *
 *	look ahead  reads packets, finds owners up to where they are settled (session/run/ahead.h)
 *	jobs        that piece of trace with all that decoding it asks for (session/run/job.h)
 *	walk        decodes a job (session/run/walker.h); the ERET it ends with may settle who comes
 *		    next
 *
 * A chunk is a piece of trace recorded without a break; between chunks the sink stood still, so
 * both passes begin anew with each that does not continue the one before it, and nowhere else but
 * at a barrier inside one.
 *
 * This many jobs are made before one is walked, no more and no less: what is known of owners and
 * times where a job is made does not depend on who walks the others, and how fast.  Memory does not
 * depend on the trace's length.
 */
#ifndef DECODER_SESSION_RUN_STREAM_H
#define DECODER_SESSION_RUN_STREAM_H

#include "csguest/element.h"
#include "csguest/session.h"
#include "flow/flow.h"
#include "session/run/registry.h"
#include "session/run/surveyed_time_slices.h"

struct csg_job_index;
struct csg_job_index_writer;
struct csg_stream;
struct csg_pool;

/* What a stream needs of its session; all outlive it. */
struct csg_stream_setup {
	struct csg_recording *rec;
	const struct csg_source *source;
	struct csg_registry *registry;
	enum csg_engine engine;
	struct csg_pool *
		pool; /* threads that walk with the caller's; NULL: none.  Stopped before the end */
	bool no_code; /* find owners, give out nobody's code */
	bool host_only;	  /* give out the code of the host's kernel alone */
	bool counts;	  /* csg_session_setup.counts */
	bool checks_path; /* csg_flow_code.checks_path */
	bool findings;	  /* what it shows of assumptions counts (csguest/assumption.h) */
	bool samples;	  /* hand out SAMPLE elements */
	const struct csg_switch_survey *survey; /* of the source; or NULL */
	const struct csg_diag_sink *sink;
};

int csg_stream_create(struct csg_stream **stream, const struct csg_stream_setup *setup);
void csg_stream_destroy(struct csg_stream *stream);

/*
 * Before anything is decoded: as csg_splitter_choose().  What ran in chunks that are not wanted is
 * not handed out, and counts in no figure.
 */
void csg_stream_choose(struct csg_stream *stream, const uint8_t *chosen,
		       const struct csg_job_index *index);

/* Before anything is decoded: the stream writes the index of its jobs.  The writer outlives it. */
void csg_stream_record(struct csg_stream *stream, struct csg_job_index_writer *writer);

/*
 * Decodes until there are elements: 1, 0 at the end of the stream, or a negative error.
 * What was decoded before stays until csg_stream_take().
 */
int csg_stream_fill(struct csg_stream *stream);

/*
 * Instead of csg_stream_fill(), from the begin on: reads the packets of one more job, and gives out
 * nothing.  1, 0 at the end of the stream, or a negative error.
 */
int csg_stream_scan(struct csg_stream *stream);

/*
 * The next batch of what is filled, all up to the next TIMESTAMP or break in the trace, without
 * taking it; false when csg_stream_fill() is due.  Its number of the stream is 0.
 */
bool csg_stream_peek(struct csg_stream *stream, struct csg_batch *batch);
void csg_stream_take(struct csg_stream *stream);

/*
 * The batch that was looked at last ran at this time (host, ns) or later; 0: not known in its
 * chunk.
 */
uint64_t csg_stream_since(const struct csg_stream *stream);

/* Figures so far. */
struct csg_stream_figures {
	uint64_t read_bytes;  /* so far, framed */
	uint64_t trace_bytes; /* of them, in chunks that are wanted */
	uint64_t bytes_lost;  /* skipped while out of synchronisation */
	uint64_t nobody_accesses;
	bool el2_ran;
	bool declined; /* the fast engine was asked for, but OpenCSD decodes */
};
void csg_stream_figures(const struct csg_stream *stream, struct csg_stream_figures *figures);

#endif
