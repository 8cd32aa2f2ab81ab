/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/fit.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

#define WORK_MAX (UINT64_C(1) << 26)	/* intervals looked at for one guest: about a second */
#define COUNTER_MAX (UINT64_C(1) << 62) /* no counter gets there; keeps sums below 2^63 */

int csg_fit_init(struct csg_fit *fit, const struct csg_fit_time *times, size_t n,
		 const struct csg_offset *within)
{
	*fit = (struct csg_fit){.times = times, .time_count = n};
	if (csg_array_grow((void **)&fit->offsets, 0, &fit->capacity, sizeof(*fit->offsets)))
		return -CSG_E_NO_MEMORY;
	fit->offsets[0] = (struct csg_offset){
		.low = within->low < -(int64_t)COUNTER_MAX ? -(int64_t)COUNTER_MAX : within->low,
		.high = within->high > (int64_t)COUNTER_MAX ? (int64_t)COUNTER_MAX : within->high};
	fit->count = fit->offsets[0].low <= fit->offsets[0].high;
	return 0;
}

void csg_fit_fini(struct csg_fit *fit)
{
	free(fit->offsets);
	free(fit->next);
	fit->offsets = fit->next = NULL;
	fit->count = 0;
}

/* The first time that ends at counter or later. */
static size_t first_until(const struct csg_fit *fit, int64_t counter)
{
	size_t low = 0, high = fit->time_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (counter > 0 && fit->times[middle].until < (uint64_t)counter)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds to those that are made; what meets the last one becomes part of it. */
static int add(struct csg_fit *fit, size_t *n, int64_t low, int64_t high)
{
	if (*n && fit->next[*n - 1].high >= low) {
		if (high > fit->next[*n - 1].high)
			fit->next[*n - 1].high = high;
		return 0;
	}
	if (csg_array_grow((void **)&fit->next, *n, &fit->next_capacity, sizeof(*fit->next)))
		return -CSG_E_NO_MEMORY;
	fit->next[(*n)++] = (struct csg_offset){low, high};
	return 0;
}

/* What of the offset is left, as the counter between low and high must come to a time. */
static int narrow(struct csg_fit *fit, const struct csg_offset *offset, int64_t low, int64_t high,
		  size_t *n)
{
	int err = 0;

	for (size_t i = first_until(fit, low + offset->low); !err && i < fit->time_count; i++) {
		const struct csg_fit_time *t = &fit->times[i];
		int64_t from = (int64_t)(t->from < COUNTER_MAX ? t->from : COUNTER_MAX) - high;
		int64_t until = (int64_t)(t->until < COUNTER_MAX ? t->until : COUNTER_MAX) - low;

		fit->work++;
		if (from > offset->high)
			break;
		from = from > offset->low ? from : offset->low;
		until = until < offset->high ? until : offset->high;
		if (from <= until)
			err = add(fit, n, from, until);
	}
	return err;
}

int csg_fit_event(struct csg_fit *fit, uint64_t low, uint64_t high)
{
	struct csg_offset *const before = fit->offsets;
	size_t capacity = fit->capacity, n = 0;
	int err = 0;

	if (fit->work >= WORK_MAX || low > high || high >= COUNTER_MAX)
		return 0;
	for (size_t i = 0; !err && i < fit->count; i++)
		err = narrow(fit, &fit->offsets[i], (int64_t)low, (int64_t)high, &n);
	if (err)
		return err;
	fit->events++;
	/* The two lists change places. */
	fit->offsets = fit->next;
	fit->capacity = fit->next_capacity;
	fit->next = before;
	fit->next_capacity = capacity;
	fit->count = n;
	return 0;
}

bool csg_fit_offset(const struct csg_fit *fit, struct csg_offset *offset)
{
	if (!fit->count)
		return false;
	*offset = (struct csg_offset){fit->offsets[0].low, fit->offsets[fit->count - 1].high};
	return true;
}
