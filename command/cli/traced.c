/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/traced.h"

#include <stdlib.h>

#include "cli/follow.h"
#include "csguest/error.h"
#include "lookup/arrays.h"
#include "lookup/lookup_session.h"
#include "timeline/slice_source.h"

static int add_slice(void *arg, const struct csg_slice *slice)
{
	struct csg_traced_run *run = arg;
	int err = run->time ? csg_cpu_time_add(run->time, slice) : 0;

	if (err)
		return err;
	return csg_traced_add(&run->sums, slice,
			      slice->owner == CSG_SLICE_LOST
				      ? NULL
				      : csg_session_owner(run->session, slice->owner));
}

int csg_window_run_open(struct csg_window_run *run, struct csg_decode *decode)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(decode->session, &n);
	const int kind = csg_recording_info(csg_session_recording(decode->session))->kind;

	*run = (struct csg_window_run){.streams = n};
	if (csg_slices_unit(streams, n, kind) != CSG_SLICES_NS)
		return 0;
	run->lookup = csg_lookup_session(decode->session);
	run->windows = (struct csg_windows){
		.lookup = &run->lookup,
		.source = csg_slice_source_of(decode->session),
		.hyp_untraced = csg_follow_hyp_untraced(decode),
	};
	run->begun = calloc(n + 1, sizeof(*run->begun));
	return run->begun ? 0 : -CSG_E_NO_MEMORY;
}

void csg_window_run_close(struct csg_window_run *run)
{
	free(run->begun);
	*run = (struct csg_window_run){0};
}

void csg_window_run_batch(struct csg_window_run *run, const struct csg_batch *batch)
{
	struct csg_windows *w = &run->windows;

	if (!run->begun)
		return;
	w->now = run->begun[batch->stream];
	for (size_t i = 0; i < batch->n; i++) {
		if (csg_windows_end_at(w, &batch->elements[i]))
			csg_windows_end(w);
		csg_windows_add(w, &batch->elements[i]);
	}
	run->begun[batch->stream] = w->now;
}

bool csg_window_run_end(struct csg_window_run *run, uint64_t all, double *share)
{
	for (size_t i = 0; run->begun && i < run->streams; i++) {
		run->windows.now = run->begun[i];
		csg_windows_end(&run->windows);
	}
	if (!csg_windows_are_timeless(&run->windows, run->streams))
		return false;
	*share = csg_windows_share(&run->windows, all);
	return true;
}

int csg_traced_open(struct csg_traced_run *run, struct csg_decode *decode)
{
	const struct csg_slices_client client = {
		.arg = run, .source = csg_slice_source_of(decode->session), .slice = add_slice};
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(decode->session, &n);
	const int kind = csg_recording_info(csg_session_recording(decode->session))->kind;
	int err;

	*run = (struct csg_traced_run){.session = decode->session};
	if (csg_slices_unit(streams, n, kind) != CSG_SLICES_NS)
		return 0;
	err = csg_window_run_open(&run->windows, decode);
	return err ? err : csg_slices_create(&run->slices, n, CSG_SLICES_NS, &client);
}

void csg_traced_close(struct csg_traced_run *run)
{
	csg_slices_destroy(run->slices);
	csg_window_run_close(&run->windows);
	csg_traced_fini(&run->sums);
	*run = (struct csg_traced_run){0};
}

int csg_traced_batch(struct csg_traced_run *run, const struct csg_batch *batch)
{
	if (!run->slices)
		return 0;
	csg_window_run_batch(&run->windows, batch);
	return csg_slices_add(run->slices, batch);
}

int csg_traced_end_stream(struct csg_traced_run *run, uint32_t stream)
{
	return run->slices ? csg_slices_end_stream(run->slices, stream) : 0;
}

int csg_traced_end(struct csg_traced_run *run)
{
	int err = run->slices ? csg_slices_finish(run->slices) : 0;

	run->sums.estimated = csg_window_run_end(&run->windows, run->sums.all, &run->sums.share);
	csg_traced_finish(&run->sums);
	return err;
}
