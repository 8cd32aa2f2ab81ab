/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/filtered.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "lookup/arrays.h"
#include "script/sample_text.h"

int csg_filtered_open(struct csg_decode *d)
{
	const struct csg_recording_info *info =
		csg_recording_info(csg_session_recording(d->session));
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(d->session, &n);

	d->dated = csg_slices_unit(streams, n, info->kind) == CSG_SLICES_NS;
	if (!d->filters.times) {
		d->windows = csg_slice_windows_all;
		return 0;
	}
	if (!d->dated)
		return csg_usage_error(d->command, "--time: no time of this trace is perf's");
	d->now = calloc(n + 1, sizeof(*d->now));
	if (!d->now)
		return -CSG_E_NO_MEMORY;
	return csg_slice_windows_make(&d->filters.ranges, &d->windows);
}

bool csg_filtered_chooses(const struct csg_decode *d)
{
	return csg_filters_choose(&d->filters) || csg_filters_choose_code(&d->filters) ||
	       d->filters.times;
}

/* --- times --- */

static uint32_t window_now(void *decode, uint32_t stream)
{
	const struct csg_decode *d = decode;

	return csg_slice_windows_find(&d->windows, d->now[stream].time);
}

static bool is_now(void *decode, uint32_t stream)
{
	return window_now(decode, stream) != CSG_SLICE_NO_WINDOW;
}

bool csg_filtered_time(const struct csg_decode *d, const struct csg_batch *batch)
{
	return !d->now ||
	       csg_slice_windows_have(&d->windows,
				      batch->time ? batch->time : d->now[batch->stream].time);
}

/* --- code --- */

bool csg_filtered_function(void *decode, const char *dso, const char *symbol)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass_code(&d->filters, dso, symbol);
}

static bool passes_symbol(void *decode, const struct csg_symbol *symbol)
{
	return csg_filtered_function(decode, symbol->dso, symbol->name);
}

bool csg_filtered_code(void *decode, uint32_t owner, uint64_t address, uint64_t time)
{
	const struct csg_decode *d = decode;
	struct csg_symbol symbol = {0};

	if (!csg_filters_choose_code(&d->filters))
		return true;
	csg_symbol_find(csg_session_space(d->session, owner), address, time, &symbol,
			sizeof(symbol));
	return passes_symbol(decode, &symbol);
}

/* Code of those who do not pass is not asked for: that none passes is said of the others'. */
static bool passes_element(void *decode, const struct csg_element *e, uint64_t time)
{
	const struct csg_decode *d = decode;
	const struct csg_owner *owner = csg_session_owner(d->session, e->owner);

	return csg_filters_pass_machine(&d->filters, d->session, owner) &&
	       csg_filters_pass_thread(&d->filters, owner) &&
	       csg_filtered_code(decode, e->owner, e->start, time);
}

void csg_filtered_slices(struct csg_decode *d, struct csg_slices_client *client)
{
	client->code_arg = d;
	client->code = csg_filters_choose_code(&d->filters) ? passes_element : NULL;
	client->window_arg = d;
	client->window = d->filters.times ? window_now : NULL;
}

void csg_filtered_report(struct csg_decode *d, struct csg_report *report)
{
	if (csg_filters_choose_code(&d->filters))
		csg_report_choose_code(report, passes_symbol, d);
}

/* --- owners --- */

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

static bool has_code(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGE_NOPATH ||
	       (e->kind == CSG_ELEMENT_GAP && e->gap == CSG_GAP_NO_CODE);
}

bool csg_filtered_element(struct csg_decode *d, const struct csg_batch *batch,
			  const struct csg_element *e)
{
	const struct csg_filters *f = &d->filters;
	const uint64_t time = batch->lookup_time;

	return csg_filtered_time(d, batch) &&
	       (!csg_filters_choose(f) || passes(d, e->owner, time)) &&
	       (!csg_filters_choose_code(f) ||
		(has_code(e) && csg_filtered_code(d, e->owner, e->start, time)));
}

static bool passes_owner(void *decode, const struct csg_owner *owner)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass(&d->filters, d->session, owner, UINT64_MAX);
}

/* What was lost is nobody's. */
bool csg_filtered_slice(void *decode, const struct csg_slice *slice)
{
	const struct csg_decode *d = decode;
	const struct csg_filters *f = &d->filters;

	if (!csg_filters_choose(f) && !csg_filters_choose_code(f))
		return true;
	if (slice->owner == CSG_SLICE_LOST || slice->unwanted ||
	    (slice->gap && csg_filters_choose_code(f)))
		return false;
	return !csg_filters_choose(f) ||
	       passes(decode, slice->owner, d->dated ? slice->begin : UINT64_MAX);
}

struct csg_call_filter csg_filtered_calls(struct csg_decode *d)
{
	return (struct csg_call_filter){
		.arg = d,
		.owner = csg_filters_choose(&d->filters) ? passes_owner : NULL,
		.code = csg_filters_choose_code(&d->filters) ? csg_filtered_function : NULL,
		.now = d->filters.times ? is_now : NULL,
		.windows = &d->windows,
	};
}

/* --- samples --- */

static const struct csg_owner *sample_owner(const struct csg_decode *d, uint32_t owner)
{
	return owner == CSG_SAMPLE_NOBODY ? csg_sample_nobody
					  : csg_session_owner(d->session, owner);
}

/* By the machine and by the thread that its line shows: they differ where a branch leaves a
 * machine. */
static bool passes_sample_owner(const struct csg_decode *d, const struct csg_sample *sample)
{
	const struct csg_filters *f = &d->filters;

	return !csg_filters_choose(f) ||
	       (csg_filters_pass_machine(f, d->session,
					 sample_owner(d, csg_sample_teller(sample))) &&
		csg_filters_pass_thread(f, sample_owner(d, sample->thread)) &&
		csg_filters_pass_comm(f, d->session, sample_owner(d, sample->thread),
				      sample->when));
}

static bool passes_sample_code(struct csg_decode *d, const struct csg_sample *sample, bool target)
{
	const uint32_t owner = target ? sample->target : sample->owner;
	const uint64_t address = target ? sample->addr : sample->ip;

	if (!address || owner == CSG_SAMPLE_NOBODY)
		return csg_filters_pass_code(&d->filters, NULL, NULL);
	return csg_filtered_code(d, owner, address, sample->when);
}

bool csg_filtered_sample(struct csg_decode *d, const struct csg_sample *sample, bool target)
{
	return (!sample->time || csg_time_ranges_have(&d->filters.ranges, sample->time)) &&
	       passes_sample_owner(d, sample) && passes_sample_code(d, sample, target);
}
