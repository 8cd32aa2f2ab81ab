/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/ever_mapped.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"
#include "util/bisect.h"

void csg_ever_mapped_fini(struct csg_ever_mapped *mapped)
{
	free(mapped->ranges);
	*mapped = (struct csg_ever_mapped){0};
}

/* Segments of one file, and what is mapped once more in the next process, lie together. */
static bool extends(struct csg_mapped_range *last, uint64_t start, uint64_t end)
{
	if (start > last->end || start < last->start)
		return false;
	last->end = end > last->end ? end : last->end;
	return true;
}

int csg_ever_mapped_add(struct csg_ever_mapped *mapped, uint64_t start, uint64_t end)
{
	struct csg_mapped_range *range;

	mapped->sorted = false;
	if (mapped->count && extends(&mapped->ranges[mapped->count - 1], start, end))
		return 0;
	range = csg_array_add(&mapped->ranges, &mapped->count, &mapped->capacity, sizeof(*range));
	if (!range)
		return -CSG_E_NO_MEMORY;
	*range = (struct csg_mapped_range){start, end};
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct csg_mapped_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void sort(struct csg_ever_mapped *mapped)
{
	size_t n = 0;

	if (mapped->count)
		qsort(mapped->ranges, mapped->count, sizeof(*mapped->ranges), by_start);
	for (size_t i = 0; i < mapped->count; i++)
		if (!n || !extends(&mapped->ranges[n - 1], mapped->ranges[i].start,
				   mapped->ranges[i].end))
			mapped->ranges[n++] = mapped->ranges[i];
	mapped->count = n;
	mapped->sorted = true;
}

bool csg_ever_mapped_at(struct csg_ever_mapped *mapped, uint64_t addr)
{
	size_t i;

	if (!mapped->sorted)
		sort(mapped);
	CSG_BISECT(i, mapped->count, mapped->ranges[i].end <= addr);
	return i < mapped->count && mapped->ranges[i].start <= addr;
}
