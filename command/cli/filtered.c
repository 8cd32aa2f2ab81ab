/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/filtered.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "lookup/arrays.h"
#include "timeline/slices.h"

int csg_filtered_open(struct csg_decode *d)
{
	const struct csg_recording_info *info =
		csg_recording_info(csg_session_recording(d->session));
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(d->session, &n);

	if (!d->filters.times)
		return 0;
	if (csg_slices_unit(streams, n, info->kind) != CSG_SLICES_NS)
		return csg_usage_error(d->command, "--time: no time of this trace is perf's");
	d->now = calloc(n + 1, sizeof(*d->now));
	if (!d->now)
		return -CSG_E_NO_MEMORY;
	return csg_slice_windows_make(&d->filters.ranges, &d->windows, &d->window_count);
}

int csg_filtered_open_one(struct csg_decode *d)
{
	int err = csg_filtered_open(d);

	if (!err && d->window_count > 1)
		err = csg_usage_error(d->command, "--time takes one interval here, not '%s'",
				      d->filters.times);
	return err;
}

bool csg_filtered_now(void *decode, uint32_t stream)
{
	const struct csg_decode *d = decode;

	return csg_time_ranges_have(&d->filters.ranges, d->now[stream]);
}

uint64_t csg_filtered_share(void *decode, uint64_t begin, uint64_t end)
{
	const struct csg_decode *d = decode;

	return csg_slice_windows_share(d->windows, d->window_count, begin, end);
}

bool csg_filtered_cut(void *decode, uint64_t *begin, uint64_t *end)
{
	const struct csg_decode *d = decode;
	const struct csg_slice_window *w = d->windows;

	/* Without a length it is where it begins. */
	if (*begin >= w->end || *end < w->begin || (*end == w->begin && *begin < *end))
		return false;
	*begin = *begin > w->begin ? *begin : w->begin;
	*end = *end < w->end ? *end : w->end;
	return true;
}

bool csg_filtered_time(const struct csg_decode *d, const struct csg_batch *batch)
{
	return csg_time_ranges_have(&d->filters.ranges, batch->time);
}

bool csg_filtered_code(const struct csg_lookup *l, const struct csg_filters *filters,
		       uint32_t owner, uint64_t address, uint64_t time)
{
	struct csg_symbol symbol = {0};

	if (!csg_filters_choose_code(filters))
		return true;
	l->symbol(l->arg, l->space(l->arg, owner), address, time, &symbol);
	return csg_filters_pass_code(filters, symbol.dso, symbol.name);
}

bool csg_filtered_function(void *decode, const char *dso, const char *symbol)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass_code(&d->filters, dso, symbol);
}

static bool passes(void *decode, uint32_t owner, uint64_t time)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass(&d->filters, d->session, csg_session_owner(d->session, owner),
				time);
}

struct csg_owner_filter csg_filtered(struct csg_decode *d)
{
	return (struct csg_owner_filter){d, csg_filters_choose(&d->filters) ? passes : NULL};
}

int csg_filtered_each(struct csg_decode *d, const struct csg_batch *batch,
		      int (*add)(void *arg, const struct csg_batch *run), void *arg)
{
	const struct csg_owner_filter filter = csg_filtered(d);
	const struct csg_owner_parts parts = {.arg = arg, .add = add};

	if (!csg_filtered_time(d, batch))
		return 0;
	return csg_owner_filter_divide(&filter, batch, &parts);
}

bool csg_filtered_owner(void *decode, const struct csg_owner *owner)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass(&d->filters, d->session, owner, UINT64_MAX);
}
