/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/stream_offset.h"

#include <string.h>

int csg_stream_offset_init(struct csg_stream_offset *o, struct csg_recording *rec,
			   const struct csg_source *source)
{
	memset(o, 0, sizeof(*o));
	o->rec = rec;
	o->source = source;
	csg_recording_chunks(rec, &o->chunks);
	return csg_window_create(&o->window, rec);
}

void csg_stream_offset_fini(struct csg_stream_offset *o)
{
	csg_window_destroy(o->window);
	o->window = NULL;
}

/* The next run of the chunk in hand: 1, 0 at its end. */
static int next_run(struct csg_stream_offset *o, const struct csg_chunk *c)
{
	if (!o->begun) {
		csg_demux_begin(&o->demux, c->framing, o->source);
		o->begun = true;
	}
	for (;;) {
		const uint8_t *bytes;
		size_t n = 65536;
		int err;

		if (csg_demux_next(&o->demux, &o->run))
			return 1;
		err = csg_window_read(o->window, c, o->read, &bytes, &n);
		if (err || !n)
			return err;
		csg_demux_input(&o->demux, c->position + o->read, bytes, n);
		o->read += n;
	}
}

int csg_stream_offset_at(struct csg_stream_offset *o, const struct csg_chunk *chunk, uint64_t index,
			 uint64_t *sent)
{
	const struct csg_chunk *all = csg_recording_chunks(o->rec, &o->chunks);
	const size_t wanted = (size_t)(chunk - all);

	for (;;) {
		const bool is_of =
			o->chunk < o->chunks && csg_chunk_is_of(&all[o->chunk], o->source);
		int ret = 0;

		if (o->chunk > wanted || (o->chunk == wanted && index < o->run.index + o->run.n))
			break;
		if (is_of)
			ret = next_run(o, &all[o->chunk]);
		/* What cannot be read is a gap among the elements, told there. */
		if (ret > 0) {
			if (!o->run.reset)
				o->before += o->run.n;
			continue;
		}
		if (o->chunk == wanted)
			break;
		o->chunk++;
		o->begun = false;
		o->read = 0;
		memset(&o->run, 0, sizeof(o->run));
	}
	*sent = o->before;
	if (o->chunk == wanted && index >= o->run.index && index < o->run.index + o->run.n)
		*sent -= o->run.index + o->run.n - index;
	else if (o->chunk == wanted && index < o->run.index)
		*sent -= o->run.n;
	return 0;
}
