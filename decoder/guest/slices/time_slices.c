/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slices.h"

#include <stdlib.h>

#include "util/array.h"
#include "csguest/error.h"

void csg_time_slices_fini(struct csg_time_slices *t)
{
	free(t->slices);
	free(t->shown);
	free(t->times);
	free(t->sights);
	free(t->seen);
	free(t->breaks);
	free(t->disproofs);
	csg_user_code_fini(&t->code);
	*t = (struct csg_time_slices){0};
}

int csg_time_slices_add(struct csg_time_slices *t, uint64_t begin, uint64_t end, uint8_t shown)
{
	if (csg_array_grow((void **)&t->slices, t->count, &t->capacity, sizeof(*t->slices)) ||
	    csg_array_grow((void **)&t->shown, t->count, &t->shown_capacity, sizeof(*t->shown)) ||
	    csg_array_grow((void **)&t->times, t->count, &t->time_capacity, sizeof(*t->times)) ||
	    csg_array_grow((void **)&t->seen, t->count, &t->seen_capacity, sizeof(*t->seen)))
		return -CSG_E_NO_MEMORY;
	t->seen[t->count] = t->sight_count;
	t->slices[t->count] = (struct csg_attribution_time_slice){
		.begin = begin, .end = end, .pid = CSG_PID_UNKNOWN, .tid = CSG_PID_UNKNOWN};
	t->times[t->count] =
		(struct csg_time_slice_time){.begun_by = UINT64_MAX, .from = UINT64_MAX};
	t->shown[t->count++] = shown;
	return 0;
}

int csg_time_slices_sight(struct csg_time_slices *t, const struct csg_border_sight *sight)
{
	if (csg_array_grow((void **)&t->sights, t->sight_count, &t->sight_capacity,
			   sizeof(*t->sights)))
		return -CSG_E_NO_MEMORY;
	t->sights[t->sight_count++] = *sight;
	return 0;
}

int csg_time_slices_break(struct csg_time_slices *t, uint64_t from, uint64_t until)
{
	if (csg_array_grow((void **)&t->breaks, t->break_count, &t->break_capacity,
			   sizeof(*t->breaks)))
		return -CSG_E_NO_MEMORY;
	t->breaks[t->break_count++] = (struct csg_time_slice_break){from, until};
	return 0;
}

const struct csg_attribution_time_slice *
csg_time_slices_find(const struct csg_attribution_time_slice *slices, size_t n, uint64_t begin,
		     uint64_t end)
{
	size_t low = 0, high = n;

	/* The first that does not end before it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slices[middle].end < end)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && slices[low].begin < begin ? &slices[low] : NULL;
}
