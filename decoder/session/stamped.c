/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/stamped.h"

#include "csguest/trace_scan.h"
#include "csguest/trace_unit.h"

#define TRCCONFIGR_TS (1u << 11)
#define BLOCK (64u << 10)

static void see(void *arg, const struct csg_track_event *event)
{
	bool *is = arg;

	*is |= event->kind == CSG_TRACK_TIMESTAMP && event->value;
}

static void look(struct csg_trace_scan *scan, struct csg_window *window,
		 const struct csg_chunk *chunk, const bool *found)
{
	const uint8_t *bytes;
	size_t n;

	csg_trace_scan_begin(scan, chunk->framing);
	for (uint64_t at = 0; !*found; at += n) {
		n = BLOCK;
		/* Of what cannot be read the stream reports it. */
		if (csg_window_read(window, chunk, at, &bytes, &n) || !n)
			return;
		csg_trace_scan_feed(scan, chunk->position + at, bytes, n);
	}
}

int csg_is_stamped(struct csg_recording *rec, const struct csg_source *source, bool *is)
{
	const struct csg_trace_unit unit = csg_source_unit(source);
	struct csg_trace_scan *scan = NULL;
	struct csg_window *window = NULL;
	const struct csg_chunk *chunks;
	size_t n;
	int err;

	*is = false;
	if (!(unit.trcconfigr & TRCCONFIGR_TS) || unit.ts_source != CSG_TS_SOURCE_VIRTUAL)
		return 0;
	chunks = csg_recording_chunks(rec, &n);
	err = csg_window_create(&window, rec);
	if (!err)
		err = csg_trace_scan_create(&scan, &unit, see, is);
	for (size_t i = 0; !err && !*is && i < n; i++)
		if (csg_chunk_is_of(&chunks[i], source))
			look(scan, window, &chunks[i], is);
	csg_trace_scan_destroy(scan);
	csg_window_destroy(window);
	return err;
}
