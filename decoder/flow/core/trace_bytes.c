/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/trace_bytes.h"

#include <stdlib.h>

#include "base/abi.h"
#include "csguest/error.h"
#include "recording/recording.h"
#include "scan/demux.h"

#define BLOCK (64u << 10) /* bytes read at a time */

struct csg_trace_bytes {
	struct csg_window *window;
	const struct csg_source *source;
	const struct csg_chunk *chunk, *chunk_end; /* the current chunk */
	bool begun;				   /* demux reads it */
	uint64_t read;				   /* bytes of it given to demux */
	struct csg_demux demux;
};

int csg_trace_bytes_open(struct csg_trace_bytes **result, struct csg_recording *recording,
			 const struct csg_source *source)
{
	struct csg_trace_bytes *reader;
	size_t n;
	int err;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!recording || !source)
		return -CSG_E_USAGE;
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return -CSG_E_NO_MEMORY;
	reader->source = source;
	reader->chunk = csg_recording_queue(recording, source->queue, &n);
	reader->chunk_end = reader->chunk + n;
	err = csg_window_create(&reader->window, recording);
	if (err)
		csg_trace_bytes_close(reader);
	else
		*result = reader;
	return err;
}

void csg_trace_bytes_close(struct csg_trace_bytes *reader)
{
	if (!reader)
		return;
	csg_window_destroy(reader->window);
	free(reader);
}

/* The next run of the current chunk: 1, 0 at its end, or an error. */
static int next_of_chunk(struct csg_trace_bytes *reader, struct csg_run *run)
{
	if (!reader->begun) {
		csg_demux_begin(&reader->demux, reader->chunk->framing, reader->source);
		reader->read = 0;
		reader->begun = true;
	}
	while (!csg_demux_next(&reader->demux, run)) {
		const uint8_t *bytes;
		size_t n = BLOCK;
		int err = csg_window_read(reader->window, reader->chunk, reader->read, &bytes, &n);

		if (err || !n)
			return err;
		csg_demux_input(&reader->demux, reader->chunk->position + reader->read, bytes, n);
		reader->read += n;
	}
	return 1;
}

int csg_trace_bytes_next(struct csg_trace_bytes *reader, struct csg_trace_run *to, size_t size)
{
	struct csg_run run;

	if (!reader || !to || size < sizeof(*to))
		return -CSG_E_USAGE;
	for (; reader->chunk < reader->chunk_end; reader->chunk++, reader->begun = false) {
		struct csg_trace_run own = {.size = sizeof(own), .chunk = reader->chunk};
		int ret = 0;

		if (csg_chunk_is_of(reader->chunk, reader->source))
			ret = next_of_chunk(reader, &run);
		if (!ret)
			continue;
		if (ret < 0) {
			reader->chunk++;
			reader->begun = false;
			return ret;
		}
		own.index = run.index;
		own.bytes = run.bytes;
		own.count = run.n;
		own.reset = run.reset;
		return csg_abi_give(to, size, sizeof(own), &own, sizeof(own)) ? -CSG_E_USAGE : 1;
	}
	return 0;
}
