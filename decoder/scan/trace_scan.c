/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/trace_scan.h"

#include <stdlib.h>

#include "base/abi.h"
#include "csguest/element.h"
#include "csguest/error.h"
#include "scan/demux.h"
#include "scan/scan.h"
#include "scan/trace_scan.h"

struct csg_trace_scan {
	struct csg_demux demux;
	struct csg_scan *scan;
	uint8_t trace_id;
	bool takes_unnamed;
	csg_track_fn out;
	void *arg;
};

static struct csg_source source_of(const struct csg_trace_unit *unit)
{
	return (struct csg_source){
		.sink = CSG_NO_SINK,
		.trace_id = unit->trace_id,
		.protocol = unit->protocol,
		.cpu = unit->cpu,
		.trcconfigr = unit->trcconfigr,
		.trcidr0 = unit->trcidr0,
		.trcidr1 = unit->trcidr1,
		.trcidr2 = unit->trcidr2,
		.trcidr8 = unit->trcidr8,
		.trcdevarch = unit->trcdevarch,
		.ts_source = unit->ts_source,
	};
}

int csg_trace_scan_create(struct csg_trace_scan **result, const struct csg_trace_unit *unit,
			  csg_track_fn out, void *arg)
{
	struct csg_trace_unit copy;
	struct csg_trace_scan *scan;
	struct csg_source source;
	int err;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!out || csg_abi_take(&copy, sizeof(copy), sizeof(copy), unit) ||
	    copy.protocol >= CSG_PROTOCOL_OTHER)
		return -CSG_E_USAGE;
	scan = calloc(1, sizeof(*scan));
	if (!scan)
		return -CSG_E_NO_MEMORY;
	source = source_of(&copy);
	scan->trace_id = copy.trace_id;
	scan->out = out;
	scan->arg = arg;
	err = csg_scan_create(&scan->scan, &source, out, arg);
	if (err) {
		free(scan);
		return err;
	}
	*result = scan;
	return 0;
}

void csg_trace_scan_destroy(struct csg_trace_scan *scan)
{
	if (!scan)
		return;
	csg_scan_destroy(scan->scan);
	free(scan);
}

void csg_trace_scan_begin(struct csg_trace_scan *scan, enum csg_framing framing)
{
	if (!scan)
		return;
	csg_demux_init(&scan->demux, framing, scan->trace_id);
	if (scan->takes_unnamed)
		csg_demux_take_unnamed(&scan->demux);
	scan->demux.joins = true;
	csg_scan_restart(scan->scan);
}

void csg_trace_scan_take_unnamed(struct csg_trace_scan *scan)
{
	scan->takes_unnamed = true;
}

void csg_trace_scan_skip_timestamps(struct csg_trace_scan *scan)
{
	if (scan)
		csg_scan_skip_timestamps(scan->scan);
}

/* A driver's barrier: trace was lost there. */
static void pass_barrier(struct csg_trace_scan *scan, uint64_t index)
{
	const struct csg_track_event gap = {.kind = CSG_TRACK_GAP,
					    .index = index,
					    .gap = CSG_GAP_BUFFER,
					    .context = CSG_CONTEXT_UNKNOWN};

	csg_scan_end(scan->scan, index);
	csg_scan_restart(scan->scan);
	scan->out(scan->arg, &gap);
}

void csg_trace_scan_feed(struct csg_trace_scan *scan, uint64_t index, const uint8_t *bytes,
			 size_t n)
{
	struct csg_run run;

	if (!scan || !bytes)
		return;
	csg_demux_input(&scan->demux, index, bytes, n);
	while (csg_demux_next(&scan->demux, &run)) {
		if (run.reset)
			pass_barrier(scan, run.index);
		else
			csg_scan_feed(scan->scan, &run);
	}
}

void csg_trace_scan_end(struct csg_trace_scan *scan, uint64_t index)
{
	if (scan)
		csg_scan_end(scan->scan, index);
}

uint64_t csg_trace_scan_async(struct csg_trace_scan *scan, uint64_t index)
{
	return scan ? csg_scan_async(scan->scan, index) : UINT64_MAX;
}
