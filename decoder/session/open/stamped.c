/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/stamped.h"

#include "csguest/trace_scan.h"
#include "csguest/trace_unit.h"

#define TRCCONFIGR_TS (1u << 11)
#define BLOCK (64u << 10)
#define MOST (4u << 20) /* bytes looked at */

struct look {
	struct csg_trace_scan *scan;
	struct csg_window *window;
	uint64_t bytes, stamps, ons;
};

static void see(void *arg, const struct csg_track_event *event)
{
	struct look *look = arg;

	look->stamps += event->kind == CSG_TRACK_TIMESTAMP && event->value;
	look->ons += event->kind == CSG_TRACK_TRACE_ON;
}

static bool is_often(const struct look *look)
{
	return look->stamps && look->stamps >= look->bytes / CSG_STAMPED_BYTES;
}

/* Enough was seen to say both. */
static bool is_over(const struct look *look)
{
	return look->bytes >= (is_often(look) ? BLOCK : MOST);
}

static void look_at(struct look *look, const struct csg_chunk *chunk)
{
	const uint8_t *bytes;
	uint64_t at = 0;
	size_t n;

	csg_trace_scan_begin(look->scan, chunk->framing);
	do {
		n = BLOCK;
		/* Of what cannot be read the stream reports it. */
		if (csg_window_read(look->window, chunk, at, &bytes, &n) || !n)
			return;
		csg_trace_scan_feed(look->scan, chunk->position + at, bytes, n);
		at += n;
		look->bytes += n;
	} while (!is_over(look));
}

int csg_is_stamped(struct csg_recording *rec, const struct csg_source *source,
		   struct csg_stamped *is)
{
	const struct csg_trace_unit unit = csg_source_unit(source);
	struct look look = {.scan = NULL};
	const struct csg_chunk *chunks;
	size_t n;
	int err;

	*is = (struct csg_stamped){false, false};
	if (!(unit.trcconfigr & TRCCONFIGR_TS) || unit.ts_source != CSG_TS_SOURCE_VIRTUAL)
		return 0;
	chunks = csg_recording_queue(rec, source->queue, &n);
	err = csg_window_create(&look.window, rec);
	if (!err)
		err = csg_trace_scan_create(&look.scan, &unit, see, &look);
	for (size_t i = 0; !err && !is_over(&look) && i < n; i++)
		if (csg_chunk_is_of(&chunks[i], source))
			look_at(&look, &chunks[i]);
	is->stamped = is_often(&look);
	/* A trace begins with one. */
	is->windows = look.ons > 1 && look.ons >= look.bytes / CSG_WINDOW_BYTES;
	csg_trace_scan_destroy(look.scan);
	csg_window_destroy(look.window);
	return err;
}
