/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes that one trace unit sent, as a recording has them: without the formatter frames of
 * CoreSight around them and without the bytes of other trace units.  A decoder of your own can be
 * fed with them, and the number of bytes before one is its place in the trace unit's output.
 *
 * A reader is used by one thread at a time.
 */
#ifndef CSGUEST_TRACE_BYTES_H
#define CSGUEST_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/recording.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_trace_bytes;

/* Bytes that are next to each other, in the trace unit's output and in the queue. */
struct csg_trace_run {
	size_t size;
	const struct csg_chunk
		*chunk;	      /* they are in; another chunk: trace may be missing between */
	uint64_t index;	      /* byte offset of the first one in the trace of its queue */
	const uint8_t *bytes; /* until the next call for this reader; NULL for a reset */
	uint64_t count;	      /* of the bytes; 0 for a reset */
	/* no bytes: the buffer has a break here (a driver's barrier), trace is missing */
	bool reset;
};

/*
 * Opens the bytes of source, one of the recording's; *reader is for csg_trace_bytes_close().
 * -CSG_E_USAGE where a pointer is NULL, -CSG_E_NO_MEMORY.
 */
int csg_trace_bytes_open(struct csg_trace_bytes **reader, struct csg_recording *recording,
			 const struct csg_source *source);

/* NULL is allowed.  The recording stays open. */
void csg_trace_bytes_close(struct csg_trace_bytes *reader);

/*
 * The next bytes, in the order of the trace: 1, 0 at the end, or a negative error.  *run, of which
 * the caller knows size bytes, is filled.  -CSG_E_TRUNCATED or -CSG_E_IO where a chunk cannot be
 * read: the rest of it is skipped, and the next call goes on with the next chunk.  -CSG_E_USAGE.
 */
int csg_trace_bytes_next(struct csg_trace_bytes *reader, struct csg_trace_run *run, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
