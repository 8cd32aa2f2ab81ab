/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report_windows.h"

#include "cli/follow.h"
#include "timeline/slice_source.h"

void csg_report_windows_begin(struct csg_report_windows *w, struct csg_decode *decode,
			      const struct csg_lookup *lookup, struct csg_report *report,
			      bool branches)
{
	w->windows = (struct csg_windows){
		.lookup = lookup,
		.source = csg_slice_source_of(decode->session),
		.hyp_untraced = csg_follow_hyp_untraced(decode),
	};
	w->decode = decode;
	w->report = report;
	csg_report_choose_windows(report, branches);
}

static int end_window(struct csg_report_windows *w)
{
	csg_windows_end(&w->windows);
	return csg_report_end_window(w->report);
}

static int add_part(struct csg_report_windows *w, struct csg_batch part, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		csg_windows_add(&w->windows, &part.elements[i]);
	part.elements += from;
	part.n = to - from;
	return part.n ? w->add(w->arg, &part) : 0;
}

int csg_report_windows_add(struct csg_report_windows *w, const struct csg_batch *batch)
{
	size_t from = 0;
	int err = 0;

	if (!w->streams || batch->stream != w->stream) {
		err = w->streams ? end_window(w) : 0;
		w->streams++;
	}
	w->stream = batch->stream;
	for (size_t i = 0; i < batch->n && !err; i++) {
		if (!csg_windows_end_at(&w->windows, &batch->elements[i]))
			continue;
		err = add_part(w, *batch, from, i);
		if (!err)
			err = end_window(w);
		from = i;
	}
	return err ? err : add_part(w, *batch, from, batch->n);
}

int csg_report_windows_end(struct csg_report_windows *w)
{
	return end_window(w);
}

/* Why windows are no sample of the whole; NULL: they may be. */
static const char *why_not(const struct csg_report_windows *w)
{
	const struct csg_recording_info *info =
		csg_recording_info(csg_session_recording(w->decode->session));

	if (info->snapshot_mode)
		return "snapshots hold what ran last, which is no sample of the whole";
	if (info->exclude_kernel || info->exclude_user || info->exclude_host)
		return "tracing is off wherever an excluded level runs, so windows do not show";
	if (csg_report_shares(w->report)->windows <= w->streams)
		return "there are no windows: each CPU was traced without a break";
	return NULL;
}

struct csg_estimate csg_report_windows_estimate(const struct csg_report_windows *w, uint64_t time)
{
	struct csg_estimate e = {
		.why = why_not(w),
		.all = *csg_report_shares(w->report),
		.incomplete = w->windows.sums.incomplete,
		.instructions = w->windows.sums.instructions,
	};

	if (e.why)
		return e;
	e.factor = csg_windows_factor(&w->windows, time);
	if (e.factor > 0)
		e.all.traced = 1 / e.factor;
	return e;
}
