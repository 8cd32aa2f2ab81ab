/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/preview.h"

#include "csguest/trace_scan.h"

#define PREVIEW (512u << 10) /* bytes looked at */
#define BLOCK (64u << 10)

struct preview {
	struct csg_attribution_stream *owners;
	struct csg_trace_scan *scan;
	struct csg_window *window;
};

static void on_track(void *arg, const struct csg_track_event *event)
{
	csg_attribution_event(arg, event);
}

static int open_preview(struct preview *p, struct csg_attribution *attribution,
			struct csg_recording *rec, const struct csg_source *source)
{
	const struct csg_trace_unit unit = csg_source_unit(source);
	int err = csg_window_create(&p->window, rec);

	if (!err)
		err = csg_attribution_stream_create(&p->owners, attribution, &unit);
	return err ? err : csg_trace_scan_create(&p->scan, &unit, on_track, p->owners);
}

static void look(struct preview *p, const struct csg_chunk *chunk)
{
	const uint8_t *bytes;
	size_t n;

	csg_trace_scan_begin(p->scan, chunk->framing);
	for (uint64_t at = 0; at < PREVIEW && !csg_attribution_has_learned(p->owners); at += n) {
		n = BLOCK;
		if (csg_window_read(p->window, chunk, at, &bytes, &n) || !n)
			return;
		csg_trace_scan_feed(p->scan, chunk->position + at, bytes, n);
	}
}

int csg_preview_exits(struct csg_attribution *attribution, struct csg_attribution_stream *owners,
		      struct csg_recording *rec, const struct csg_source *source,
		      const struct csg_chunk *chunk)
{
	struct preview p = {0};
	int err = open_preview(&p, attribution, rec, source);

	if (!err) {
		look(&p, chunk);
		csg_attribution_learn_from(owners, p.owners);
	}
	csg_trace_scan_destroy(p.scan);
	csg_attribution_stream_destroy(p.owners);
	csg_window_destroy(p.window);
	return err;
}
