/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/prescan_streams.h"

#include "scan/trace_scan.h"

#define BEGINNING (4u << 20) /* bytes of each stream */
#define BLOCK (64u << 10)

struct prescan {
	struct csg_attribution_stream *owners;
	struct csg_trace_scan *scan;
	struct csg_window *window;
	const struct csg_switch_survey *survey; /* of the source; or NULL */
	uint64_t left;
};

static void on_track(void *arg, const struct csg_track_event *event)
{
	csg_attribution_event(arg, event);
}

static int take_segments(struct prescan *s)
{
	struct csg_segment segment;
	int ret;

	while ((ret = csg_attribution_next(s->owners, &segment)) > 0)
		;
	return ret;
}

static int look_at_chunk(struct prescan *s, const struct csg_chunk *chunk)
{
	const struct csg_attribution_piece piece = csg_chunk_piece(chunk, s->survey);
	const uint8_t *bytes;
	uint64_t at = 0;
	size_t n;

	csg_trace_scan_begin(s->scan, chunk->framing);
	csg_attribution_piece(s->owners, chunk->position, &piece);
	for (; s->left; at += n, s->left -= n) {
		int err;

		n = s->left < BLOCK ? s->left : BLOCK;
		if (csg_window_read(s->window, chunk, at, &bytes, &n) || !n)
			break;
		csg_trace_scan_feed(s->scan, chunk->position + at, bytes, n);
		err = take_segments(s);
		if (err)
			return err;
	}
	csg_trace_scan_end(s->scan, chunk->position + at);
	csg_attribution_settle(s->owners);
	return take_segments(s);
}

static int look_at_source(struct csg_attribution *attribution, struct csg_recording *rec,
			  const struct csg_source *source, const struct csg_switch_survey *survey)
{
	const struct csg_trace_unit unit = csg_source_unit(source);
	struct prescan s = {.survey = survey, .left = BEGINNING};
	size_t n;
	const struct csg_chunk *chunks = csg_recording_queue(rec, source->queue, &n);
	int err = csg_window_create(&s.window, rec);

	if (!err)
		err = csg_attribution_stream_create(&s.owners, attribution, &unit);
	if (!err)
		err = csg_trace_scan_create(&s.scan, &unit, on_track, s.owners);
	if (!err && source->alone)
		csg_trace_scan_take_unnamed(s.scan);
	for (size_t i = 0; !err && i < n && s.left; i++)
		if (csg_chunk_is_of(&chunks[i], source))
			err = look_at_chunk(&s, &chunks[i]);
	csg_trace_scan_destroy(s.scan);
	csg_attribution_stream_destroy(s.owners);
	csg_window_destroy(s.window);
	return err;
}

int csg_prescan_streams(struct csg_attribution *attribution, struct csg_recording *rec,
			const struct csg_switch_survey *surveys)
{
	size_t n;
	const struct csg_source *sources = csg_recording_sources(rec, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		if (sources[i].protocol != CSG_PROTOCOL_OTHER)
			err = look_at_source(attribution, rec, &sources[i],
					     surveys ? &surveys[i] : NULL);
	return err;
}
