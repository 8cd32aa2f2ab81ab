/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/slice_window.h"

#include <stdlib.h>

#include "csguest/error.h"

static struct csg_slice_window always = {0, UINT64_MAX};
const struct csg_slice_windows csg_slice_windows_all = {&always, 1};

static bool counts(const struct csg_slice *s)
{
	return s->instructions || s->missing || s->instrumented;
}

/* Whether some of the slice's time lies in a window: then it is cut down to that. */
static bool cut_time(const struct csg_slice_window *w, struct csg_slice *s)
{
	const uint64_t from = s->begin > w->begin ? s->begin : w->begin;
	const uint64_t to = s->end < w->end ? s->end : w->end;

	if (s->begin == s->end)
		return s->begin >= w->begin && s->begin < w->end;
	if (from >= to)
		return false;
	/* How it was left shows where it ends. */
	if (to < s->end)
		s->left = CSG_LEFT_UNSEEN;
	s->begin = from;
	s->end = to;
	return true;
}

bool csg_slice_window_cut(const struct csg_slice_windows *windows, uint32_t number,
			  struct csg_slice *s)
{
	const struct csg_slice_window *w = &windows->at[number];
	const bool here = s->window == number, late = s->begin >= w->end;

	if (!here)
		s->instructions = s->missing = s->instrumented = 0;
	if (cut_time(w, s))
		return true;
	if (!here || !counts(s))
		return false;
	s->begin = s->end = late ? w->end : w->begin;
	s->left = CSG_LEFT_UNSEEN;
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

uint32_t csg_slice_windows_find(const struct csg_slice_windows *windows, uint64_t time)
{
	for (size_t i = 0; i < windows->n; i++)
		if (time >= windows->at[i].begin && time < windows->at[i].end)
			return (uint32_t)i;
	return CSG_SLICE_NO_WINDOW;
}

bool csg_slice_windows_have(const struct csg_slice_windows *windows, uint64_t time)
{
	return csg_slice_windows_find(windows, time) != CSG_SLICE_NO_WINDOW;
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

int csg_slice_windows_make(const struct csg_time_ranges *ranges, struct csg_slice_windows *windows)
{
	struct csg_slice_window *w = calloc(ranges->n ? ranges->n : 1, sizeof(*w));

	*windows = (struct csg_slice_windows){.at = w};
	if (!w)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < ranges->n; i++)
		w[i] = (struct csg_slice_window){ranges->ranges[i].begin, ranges->ranges[i].end};
	windows->n = csg_slice_windows_join(w, ranges->n);
	return 0;
}
