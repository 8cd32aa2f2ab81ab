/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/id_check.h"

#include "csguest/error.h"
#include "scan/trace_scan.h"
#include "util/report.h"

#define LOOK (1u << 20) /* bytes of each stream */
#define BLOCK (16u << 10)

struct check {
	struct csg_attribution *attribution;
	struct csg_trace_unit unit;
	struct csg_attribution_piece piece;
	struct csg_trace_scan *scan;
	struct csg_window *window;
	uint64_t left;
	int done; /* enough was seen, or an error */
};

static void on_track(void *arg, const struct csg_track_event *event)
{
	struct check *c = arg;

	if (!c->done)
		c->done = csg_attribution_check_ids(c->attribution, &c->unit, &c->piece, event);
}

static void look_at_chunk(struct check *c, const struct csg_chunk *chunk)
{
	const uint8_t *bytes;
	size_t n;

	c->piece = (struct csg_attribution_piece){.size = sizeof(c->piece),
						  .begin_time = chunk->begin_time,
						  .end_time = chunk->time,
						  .pid = chunk->pid,
						  .tid = chunk->tid};
	csg_trace_scan_begin(c->scan, chunk->framing);
	for (uint64_t at = 0; c->left && !c->done; at += n, c->left -= n) {
		n = c->left < BLOCK ? (size_t)c->left : BLOCK;
		/* Whoever decodes the bytes meets the same error. */
		if (csg_window_read(c->window, chunk, at, &bytes, &n) || !n)
			return;
		csg_trace_scan_feed(c->scan, chunk->position + at, bytes, n);
	}
}

static int look_at_source(struct csg_attribution *attribution, struct csg_recording *rec,
			  const struct csg_source *source)
{
	struct check c = {
		.attribution = attribution, .unit = csg_source_unit(source), .left = LOOK};
	size_t n;
	const struct csg_chunk *chunks = csg_recording_queue(rec, source->queue, &n);
	int err = csg_window_create(&c.window, rec);

	if (!err)
		err = csg_trace_scan_create(&c.scan, &c.unit, on_track, &c);
	if (!err)
		csg_trace_scan_skip_timestamps(c.scan);
	if (!err && source->alone)
		csg_trace_scan_take_unnamed(c.scan);
	for (size_t i = 0; !err && i < n && c.left && !c.done; i++)
		if (csg_chunk_is_of(&chunks[i], source))
			look_at_chunk(&c, &chunks[i]);
	csg_trace_scan_destroy(c.scan);
	csg_window_destroy(c.window);
	return err ? err : c.done;
}

int csg_check_ids(struct csg_attribution *attribution, struct csg_recording *rec, const char *path,
		  const struct csg_diag_sink *sink)
{
	size_t n;
	const struct csg_source *sources = csg_recording_sources(rec, &n);
	const char *why;
	int ret = 0;

	/* perf alone keeps numbers of threads that the kernel gave it. */
	if (!csg_recording_info(rec)->linux_host || csg_recording_info(rec)->simpleperf)
		return 0;
	for (size_t i = 0; !ret && i < n; i++)
		if (sources[i].protocol != CSG_PROTOCOL_OTHER)
			ret = look_at_source(attribution, rec, &sources[i]);
	if (ret >= 0)
		ret = csg_attribution_settle_ids(attribution, &why);
	if (ret <= 0)
		return ret;
	csg_report(sink, CSG_WARNING, CSG_E_OK, path, CSG_NO_OFFSET,
		   "record in the host's PID namespace (docker run --pid=host, hostPID: true)",
		   "perf ran in another PID namespace than the host's, so that context IDs name no "
		   "threads of the recording, and thread 0 is any outside of it: %s",
		   why);
	return 0;
}
