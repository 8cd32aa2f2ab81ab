/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_cuts.h"

#include <stdlib.h>

#include "csguest/error.h"

int csg_exit_cuts_init(struct csg_exit_cuts *cuts, size_t streams, bool hyp_untraced, bool timeless)
{
	cuts->hyp_untraced = hyp_untraced;
	cuts->timeless = timeless;
	cuts->n = streams;
	cuts->streams = calloc(streams + 1, sizeof(*cuts->streams));
	return cuts->streams ? 0 : -CSG_E_NO_MEMORY;
}

void csg_exit_cuts_fini(struct csg_exit_cuts *cuts)
{
	free(cuts->streams);
	cuts->streams = NULL;
	cuts->n = 0;
}

/* The trace goes on through these. */
static bool lacks_code(enum csg_gap gap)
{
	return gap == CSG_GAP_NONE || gap == CSG_GAP_NO_CODE || gap == CSG_GAP_NO_OWNER ||
	       gap == CSG_GAP_RETURN || gap == CSG_GAP_UNDEFINED;
}

void csg_exit_cuts_chunk(struct csg_exit_cuts *cuts, uint32_t stream, const struct csg_chunk *chunk)
{
	struct csg_exit_cuts_stream *s = &cuts->streams[stream];

	if (!chunk || chunk == s->chunk)
		return;
	s->stopped = s->chunk && !(chunk->flags & CSG_CHUNK_CONTINUES);
	s->chunk = chunk;
}

bool csg_exit_cuts_gap(struct csg_exit_cuts *cuts, uint32_t stream, enum csg_gap gap)
{
	struct csg_exit_cuts_stream *s = &cuts->streams[stream];

	if (lacks_code(gap) || (!s->began && cuts->timeless))
		return false;
	s->open = gap == CSG_GAP_TRACE_ON && cuts->hyp_untraced && !s->stopped;
	s->stopped = false;
	if (s->open)
		return false;
	s->until = UINT64_MAX;
	return true;
}

bool csg_exit_cuts_resumed(struct csg_exit_cuts *cuts, uint32_t stream, bool hidden)
{
	struct csg_exit_cuts_stream *s = &cuts->streams[stream];
	bool open = s->open;

	s->windowed |= s->began && open && !hidden;
	s->began = true;
	s->open = false;
	if (!open || (hidden && !s->windowed))
		return false;
	s->until = UINT64_MAX;
	return true;
}

void csg_exit_cuts_stamp(struct csg_exit_cuts *cuts, uint32_t stream, uint64_t time)
{
	struct csg_exit_cuts_stream *s = &cuts->streams[stream];

	s->stamp = time;
	if (s->until == UINT64_MAX)
		s->until = time;
}

uint64_t csg_exit_cuts_time(const struct csg_exit_cuts *cuts, uint32_t stream)
{
	return cuts->streams[stream].stamp;
}

bool csg_exit_cuts_since(const struct csg_exit_cuts *cuts, uint64_t time)
{
	for (size_t i = 0; i < cuts->n; i++)
		if (cuts->streams[i].open ||
		    (cuts->streams[i].until && cuts->streams[i].until >= time))
			return true;
	return false;
}
