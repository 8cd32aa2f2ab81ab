/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Positions of a stream without the frames around it.  Elements tell where their packet lies
 * in the queue, formatter frames and other sources' bytes included; a truth counts the bytes that the
 * trace unit itself sent.
 */
#ifndef COMMAND_INFO_STREAM_OFFSET_H
#define COMMAND_INFO_STREAM_OFFSET_H

#include "recording/recording.h"
#include "scan/demux.h"

struct csg_stream_offset {
	struct csg_recording *rec;
	const struct csg_source *source;
	struct csg_window *window;
	struct csg_demux demux;
	size_t chunk, chunks;
	uint64_t read; /* bytes of the chunk given to demux */
	bool begun;    /* the chunk's first byte was looked for */
	struct csg_run run;
	uint64_t before; /* bytes of the stream before the run */
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
