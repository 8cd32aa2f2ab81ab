/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream: one source's trace, decoded in two passes over a window that moves.
 *
 *	scan    reads packets ahead, a block at a time, until owners are settled
 *	world   makes segments of what the scan found
 *	flow    decodes the same bytes up to where owners are settled; the ERET it comes by may settle
 *	        a segment that is still open
 *
 * A chunk is a piece of trace recorded without a break; between chunks the sink stood still, so
 * both passes begin anew with each that does not continue the one before it, and nowhere else but
 * at a barrier inside one.
 * The look-ahead is bounded: an owner still open LOOK_AHEAD bytes later is settled as the policy has
 * it by default.  Memory does not depend on the trace's length.
 */
#ifndef DECODER_SESSION_STREAM_H
#define DECODER_SESSION_STREAM_H

#include "csguest/element.h"
#include "flow/flow.h"
#include "session/people.h"

struct csg_stream;

/* What a stream needs of its session; all outlive it. */
struct csg_stream_setup {
	struct csg_recording *rec;
	const struct csg_source *source;
	struct csg_people *people;
	enum csg_engine engine;
	bool no_code; /* find owners, give out nobody's code */
	const struct csg_diag_sink *sink;
};

int csg_stream_create(struct csg_stream **stream, const struct csg_stream_setup *setup);
void csg_stream_destroy(struct csg_stream *stream);

/*
 * Decodes until there are elements: 1, 0 at the end of the stream, or a negative error.
 * What was decoded before stays until csg_stream_take().
 */
int csg_stream_fill(struct csg_stream *stream);

/* A run of elements that share a time: all up to the next TIMESTAMP. */
struct csg_span {
	const struct csg_element *elements;
	size_t n;
	uint64_t time; /* perf time, ns; 0 unknown */
	const struct csg_chunk *chunk;
	const void *codes; /* csg_batch.codes */
};

/* The next span of what is filled, without taking it; false when csg_stream_fill() is due. */
bool csg_stream_peek(struct csg_stream *stream, struct csg_span *span);
void csg_stream_take(struct csg_stream *stream);

/* Figures so far. */
struct csg_stream_figures {
	uint64_t trace_bytes; /* fed to the flow, framed */
	uint64_t bytes_lost;  /* skipped while out of synchronisation */
	uint64_t nobody_accesses;
	bool el2_ran;
	bool declined; /* the fast engine was asked for, but OpenCSD decodes */
};
void csg_stream_figures(const struct csg_stream *stream, struct csg_stream_figures *figures);

#endif
