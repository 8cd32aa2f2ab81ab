/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup/traced_span.h"

/* A sample's trace may be that of the last moment before it. */
static uint64_t begin_of(const struct csg_chunk *chunk)
{
	return chunk->begin_time && !(chunk->flags & CSG_CHUNK_SAMPLE) ? chunk->begin_time
								       : chunk->time;
}

void csg_traced_span(const struct csg_chunk *chunks, size_t n, uint64_t *first, uint64_t *last)
{
	*first = *last = 0;
	for (size_t i = 0; i < n; i++) {
		const uint64_t begin = begin_of(&chunks[i]), end = chunks[i].time;

		if (!end)
			continue;
		if (!*first || begin < *first)
			*first = begin;
		if (end > *last)
			*last = end;
	}
}
