/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Positions of a stream without the frames around it.  Elements tell where their packet lies in the
 * queue, formatter frames and other sources' bytes included; a truth counts the bytes that the
 * trace unit itself sent.
 */
#ifndef TESTS_SCORE_STREAM_OFFSET_H
#define TESTS_SCORE_STREAM_OFFSET_H

#include "csguest/trace_bytes.h"

struct csg_stream_offset {
	struct csg_trace_bytes *reader;
	struct csg_trace_run run; /* read last; its chunk is NULL before the first one */
	uint64_t read;		  /* bytes up to the end of the run */
	bool ended;
};

int csg_stream_offset_init(struct csg_stream_offset *offset, struct csg_recording *rec,
			   const struct csg_source *source);
void csg_stream_offset_fini(struct csg_stream_offset *offset);

/*
 * How many bytes of the stream lie before this index of its queue: *sent.  Indices are asked for in
 * the order of the trace; one that lies before an earlier one gets that one's answer.
 */
int csg_stream_offset_at(struct csg_stream_offset *offset, const struct csg_chunk *chunk,
			 uint64_t index, uint64_t *sent);

#endif
