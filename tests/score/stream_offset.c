/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/stream_offset.h"

#include <string.h>

int csg_stream_offset_init(struct csg_stream_offset *o, struct csg_recording *rec,
			   const struct csg_source *source)
{
	memset(o, 0, sizeof(*o));
	return csg_trace_bytes_open(&o->reader, rec, source);
}

void csg_stream_offset_fini(struct csg_stream_offset *o)
{
	csg_trace_bytes_close(o->reader);
	o->reader = NULL;
}

/* The run ends at or before that place, or there is none yet.  Chunks are in one array, in
 * order. */
static bool is_before(const struct csg_trace_run *run, const struct csg_chunk *chunk,
		      uint64_t index)
{
	return !run->chunk || run->chunk < chunk ||
	       (run->chunk == chunk && run->index + run->count <= index);
}

/* Reads on.  What cannot be read is a gap among the elements, reported there. */
static void next_run(struct csg_stream_offset *o)
{
	int ret = csg_trace_bytes_next(o->reader, &o->run, sizeof(o->run));

	o->ended = !ret;
	if (ret > 0)
		o->read += o->run.count;
}

int csg_stream_offset_at(struct csg_stream_offset *o, const struct csg_chunk *chunk, uint64_t index,
			 uint64_t *sent)
{
	while (!o->ended && is_before(&o->run, chunk, index))
		next_run(o);
	*sent = o->read;
	if (is_before(&o->run, chunk, index))
		return 0;
	*sent -= o->run.count;
	if (o->run.chunk == chunk && index > o->run.index)
		*sent += index - o->run.index;
	return 0;
}
