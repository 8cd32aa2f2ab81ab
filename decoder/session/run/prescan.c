/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/prescan.h"

#include "scan/trace_scan.h"
#include "session/run/surveyed_time_slices.h"

#define PRESCAN (512u << 10) /* bytes looked at */
#define BLOCK (64u << 10)

struct prescan {
	struct csg_attribution_stream *owners;
	struct csg_trace_scan *scan;
	struct csg_window *window;
	int err;
};

static void on_track(void *arg, const struct csg_track_event *event)
{
	csg_attribution_event(arg, event);
}

static int open_prescan(struct prescan *p, struct csg_attribution *attribution,
			struct csg_recording *rec, const struct csg_source *source)
{
	const struct csg_trace_unit unit = csg_source_unit(source);
	int err = csg_window_create(&p->window, rec);

	if (!err)
		err = csg_attribution_stream_create(&p->owners, attribution, &unit);
	if (!err)
		err = csg_trace_scan_create(&p->scan, &unit, on_track, p->owners);
	if (!err && source->alone)
		csg_trace_scan_take_unnamed(p->scan);
	return err;
}

static void tell_piece(struct prescan *p, const struct csg_chunk *chunk)
{
	const struct csg_attribution_piece piece = csg_chunk_piece(chunk, NULL);

	csg_attribution_piece(p->owners, chunk->position, &piece);
}

/* What the trace tells of counter offsets is learned with the owners. */
static void drain(struct prescan *p)
{
	struct csg_segment ignored;
	int ret;

	while ((ret = csg_attribution_next(p->owners, &ignored)) > 0)
		;
	p->err = p->err ? p->err : ret;
}

static void look(struct prescan *p, const struct csg_chunk *chunk, bool is_virtual)
{
	const uint8_t *bytes;
	size_t n;

	csg_trace_scan_begin(p->scan, chunk->framing);
	for (uint64_t at = 0; at < PRESCAN; at += n) {
		if (p->err || (!is_virtual && csg_attribution_has_learned(p->owners)))
			return;
		n = BLOCK;
		if (csg_window_read(p->window, chunk, at, &bytes, &n) || !n)
			return;
		csg_trace_scan_feed(p->scan, chunk->position + at, bytes, n);
		drain(p);
	}
}

int csg_prescan_exits(struct csg_attribution *attribution, struct csg_attribution_stream *owners,
		      struct csg_recording *rec, const struct csg_source *source,
		      const struct csg_chunk *chunk)
{
	struct prescan p = {0};
	int err = open_prescan(&p, attribution, rec, source);

	if (!err) {
		tell_piece(&p, chunk);
		look(&p, chunk, source->ts_source == CSG_TS_SOURCE_VIRTUAL);
		csg_attribution_settle(p.owners);
		drain(&p);
		csg_attribution_learn_from(owners, p.owners);
		err = p.err;
	}
	csg_trace_scan_destroy(p.scan);
	csg_attribution_stream_destroy(p.owners);
	csg_window_destroy(p.window);
	return err;
}
