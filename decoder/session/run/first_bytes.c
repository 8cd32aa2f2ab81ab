/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/first_bytes.h"

#define BLOCK (64u << 10) /* bytes that are read at a time */

void csg_first_bytes_begin(struct csg_demux *demux, const struct csg_source *source,
			   const uint64_t ids[2], const struct csg_chunk *chunk)
{
	csg_demux_begin(demux, chunk->framing, source);
	demux->ids = source->first ? ids : NULL;
}

int csg_first_bytes_in(struct csg_recording *rec, const struct csg_source *source,
		       const uint64_t ids[2], const struct csg_chunk *chunk, bool *holds)
{
	struct csg_window *window;
	struct csg_demux demux;
	struct csg_run run;
	const uint8_t *bytes;
	uint64_t offset = 0;
	size_t n = BLOCK;
	int err = csg_window_create(&window, rec);

	*holds = false;
	if (err)
		return err;
	csg_first_bytes_begin(&demux, source, ids, chunk);
	while (!*holds && !csg_window_read(window, chunk, offset, &bytes, &n) && n) {
		csg_demux_input(&demux, chunk->position + offset, bytes, n);
		while (!*holds && csg_demux_next(&demux, &run))
			*holds = run.n != 0;
		*holds |= source->first && (demux.nobodys || demux.unclaimed);
		offset += n;
		n = BLOCK;
	}
	csg_window_destroy(window);
	return 0;
}
