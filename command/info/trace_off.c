/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/trace_off.h"

#include <string.h>

#include "csguest/error.h"
#include "csguest/trace_bytes.h"
#include "csguest/trace_scan.h"

#define OF_SOURCE (64u << 10)
#define OF_ALL (16u << 20)
#define OFTEN (32u << 10)

struct look {
	struct csg_trace_off *off;
	bool traced, left; /* something is traced; it was left by an exception */
};

static void see(void *arg, const struct csg_track_event *event)
{
	struct look *look = arg;

	switch (event->kind) {
	case CSG_TRACK_TRACE_ON:
		look->off->times += look->traced && !look->left;
		break;
	case CSG_TRACK_GAP:
	case CSG_TRACK_SYNC:
		look->traced = false;
		break;
	case CSG_TRACK_TIMESTAMP:
		break;
	default:
		look->traced = true;
		look->left = event->kind == CSG_TRACK_EXCEPTION;
		break;
	}
}

static int count_runs(struct look *look, struct csg_trace_scan *scan,
		      struct csg_trace_bytes *reader)
{
	struct csg_trace_run run = {0};
	const struct csg_chunk *chunk = NULL;
	uint64_t n = 0;
	int ret;

	while (n < OF_SOURCE && (ret = csg_trace_bytes_next(reader, &run, sizeof(run)))) {
		if (ret < 0 && ret != -CSG_E_TRUNCATED && ret != -CSG_E_IO)
			return ret;
		if (ret < 0 || run.reset || run.chunk != chunk) {
			csg_trace_scan_begin(scan, CSG_RAW);
			look->traced = look->left = false;
		}
		if (ret < 0)
			continue;
		chunk = run.chunk;
		csg_trace_scan_feed(scan, run.index, run.bytes, run.count);
		n += run.count;
	}
	look->off->bytes += n;
	return 0;
}

static int count_source(struct csg_trace_off *off, struct csg_recording *rec,
			const struct csg_source *source)
{
	struct csg_trace_unit unit;
	struct look look = {.off = off};
	struct csg_trace_bytes *reader = NULL;
	struct csg_trace_scan *scan = NULL;
	int err = csg_source_trace_unit(source, &unit, sizeof(unit));

	if (!err)
		err = csg_trace_scan_create(&scan, &unit, see, &look);
	if (err == -CSG_E_USAGE) /* a trace unit of another kind */
		return 0;
	if (!err)
		err = csg_trace_bytes_open(&reader, rec, source);
	if (!err)
		err = count_runs(&look, scan, reader);
	csg_trace_bytes_close(reader);
	csg_trace_scan_destroy(scan);
	return err;
}

int csg_trace_off_count(struct csg_trace_off *off, struct csg_recording *rec)
{
	const size_t n = csg_recording_source_count(rec);
	int err = 0;

	memset(off, 0, sizeof(*off));
	for (size_t i = 0; !err && i < n && off->bytes < OF_ALL; i++)
		err = count_source(off, rec, csg_recording_source(rec, i));
	return err;
}

bool csg_trace_off_is_often(const struct csg_trace_off *off)
{
	return off->times > 1 && off->times >= off->bytes / OFTEN;
}
