/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/slice_window.h"

#include <stdlib.h>

#include "csguest/error.h"

static struct csg_slice_window always = {0, UINT64_MAX};
const struct csg_slice_windows csg_slice_windows_all = {&always, 1};

/* Of n that are spread over a length, how many lie before at: as a sum, so that parts add up to
 * n. */
static uint64_t before(uint64_t n, uint64_t at, uint64_t length)
{
	return at == length ? n : (uint64_t)((double)n * (double)at / (double)length);
}

static uint64_t share(uint64_t n, uint64_t from, uint64_t to, uint64_t length)
{
	return before(n, to, length) - before(n, from, length);
}

bool csg_slice_window_cut(const struct csg_slice_window *w, struct csg_slice *s)
{
	const uint64_t length = s->end - s->begin;
	const uint64_t from = s->begin > w->begin ? s->begin : w->begin;
	const uint64_t to = s->end < w->end ? s->end : w->end;

	if (!length)
		return s->begin >= w->begin && s->begin < w->end;
	if (from >= to)
		return false;
	s->instructions = share(s->instructions, from - s->begin, to - s->begin, length);
	s->missing = (uint32_t)share(s->missing, from - s->begin, to - s->begin, length);
	s->instrumented = (uint32_t)share(s->instrumented, from - s->begin, to - s->begin, length);
	/* How it was left shows where it ends. */
	if (to < s->end)
		s->left = CSG_LEFT_UNSEEN;
	s->begin = from;
	s->end = to;
	return true;
}

bool csg_slice_window_cut_time(const struct csg_slice_window *w, uint64_t *begin, uint64_t *end)
{
	if (*begin >= w->end || *end < w->begin || (*end == w->begin && *begin < *end))
		return false;
	*begin = *begin > w->begin ? *begin : w->begin;
	*end = *end < w->end ? *end : w->end;
	return true;
}

static int by_begin(const void *a, const void *b)
{
	const struct csg_slice_window *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

size_t csg_slice_windows_join(struct csg_slice_window *windows, size_t n)
{
	size_t left = 0;

	if (n)
		qsort(windows, n, sizeof(*windows), by_begin);
	for (size_t i = 0; i < n; i++) {
		struct csg_slice_window *last = left ? &windows[left - 1] : NULL;

		if (!last || windows[i].begin > last->end)
			windows[left++] = windows[i];
		else if (windows[i].end > last->end)
			last->end = windows[i].end;
	}
	return left;
}

uint64_t csg_slice_windows_share(const struct csg_slice_windows *windows, uint64_t begin,
				 uint64_t end)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < windows->n; i++) {
		const struct csg_slice_window *w = &windows->at[i];
		const uint64_t from = begin > w->begin ? begin : w->begin;
		const uint64_t to = end < w->end ? end : w->end;

		sum += to > from ? to - from : 0;
	}
	return sum;
}

bool csg_slice_windows_have(const struct csg_slice_windows *windows, uint64_t time)
{
	for (size_t i = 0; i < windows->n; i++)
		if (time >= windows->at[i].begin && time < windows->at[i].end)
			return true;
	return false;
}

int csg_slice_windows_within(const struct csg_slice_windows *windows, uint64_t begin, uint64_t end,
			     struct csg_slice_windows *parts)
{
	*parts = (struct csg_slice_windows){.at = calloc(windows->n + 1, sizeof(*parts->at))};
	if (!parts->at)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < windows->n; i++) {
		struct csg_slice_window w = windows->at[i];

		w.begin = w.begin > begin ? w.begin : begin;
		w.end = w.end < end ? w.end : end;
		if (w.end > w.begin)
			parts->at[parts->n++] = w;
	}
	return 0;
}

/* Parts of a recording that follow each other share no nanosecond: the last of each is in it. */
int csg_slice_windows_make(const struct csg_time_ranges *ranges, struct csg_slice_windows *windows)
{
	struct csg_slice_window *w = calloc(ranges->n ? ranges->n : 1, sizeof(*w));

	*windows = (struct csg_slice_windows){.at = w};
	if (!w)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < ranges->n; i++) {
		const struct csg_time_range *range = &ranges->ranges[i];

		w[i] = (struct csg_slice_window){
			range->begin, range->end ? range->end + ranges->parts : UINT64_MAX};
	}
	windows->n = csg_slice_windows_join(w, ranges->n);
	return 0;
}
