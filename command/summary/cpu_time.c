/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/cpu_time.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

void csg_cpu_time_init(struct csg_cpu_time *t)
{
	memset(t, 0, sizeof(*t));
	t->begin = UINT64_MAX;
}

void csg_cpu_time_fini(struct csg_cpu_time *t)
{
	free(t->by_owner);
	csg_cpu_time_init(t);
}

void csg_cpu_time_sum_add(struct csg_cpu_time_sum *sum, const struct csg_cpu_time_sum *part)
{
	sum->time += part->time;
	sum->untraced += part->untraced;
	sum->instructions += part->instructions;
	sum->missing += part->missing;
	sum->slices += part->slices;
	sum->left_out += part->left_out;
}

static struct csg_cpu_time_sum *sum_of(struct csg_cpu_time *t, const struct csg_slice *slice)
{
	if (slice->owner == CSG_SLICE_LOST)
		return &t->lost[slice->gap < CSG_GAP_COUNT ? slice->gap : CSG_GAP_NONE];
	if (csg_array_reach((void **)&t->by_owner, &t->n, slice->owner, sizeof(*t->by_owner)))
		return NULL;
	return &t->by_owner[slice->owner];
}

/* A slice belongs to the traced span, whoever's it is. */
static void span(struct csg_cpu_time *t, const struct csg_slice *slice,
		 const struct csg_cpu_time_sum *part)
{
	csg_cpu_time_sum_add(&t->all, part);
	if (slice->begin < t->begin)
		t->begin = slice->begin;
	if (slice->end > t->end)
		t->end = slice->end;
}

int csg_cpu_time_add(struct csg_cpu_time *t, const struct csg_slice *slice)
{
	const bool untraced = slice->gap && slice->owner != CSG_SLICE_LOST;
	const struct csg_cpu_time_sum part = {.time = slice->end - slice->begin,
					      .untraced = untraced ? slice->end - slice->begin : 0,
					      .instructions = slice->instructions,
					      .missing = slice->missing,
					      .slices = 1};
	struct csg_cpu_time_sum *sum = sum_of(t, slice);

	if (!sum)
		return -CSG_E_NO_MEMORY;
	csg_cpu_time_sum_add(sum, &part);
	span(t, slice, &part);
	return 0;
}

int csg_cpu_time_leave_out(struct csg_cpu_time *t, const struct csg_slice *slice)
{
	const struct csg_cpu_time_sum part = {.time = slice->end - slice->begin, .left_out = 1};
	struct csg_cpu_time_sum *sum = sum_of(t, slice);

	if (!sum)
		return -CSG_E_NO_MEMORY;
	sum->left_out++;
	span(t, slice, &part);
	return 0;
}

void csg_cpu_time_sum_scale(struct csg_cpu_time_sum *sum, double traced)
{
	const double more = (double)(sum->time - sum->untraced) * (1 - traced);
	const double untraced = (double)sum->untraced + more;

	sum->untraced = untraced <= 0			? 0
			: untraced >= (double)sum->time ? sum->time
							: (uint64_t)(untraced + 0.5);
}

uint64_t csg_cpu_time_traced(const struct csg_cpu_time *t)
{
	uint64_t traced = t->all.time - t->all.untraced;

	for (int gap = 0; gap < CSG_GAP_COUNT; gap++)
		traced -= t->lost[gap].time;
	return traced;
}
