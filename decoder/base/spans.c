/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/spans.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bisect.h"

void csg_spans_fini(struct csg_spans *set)
{
	free(set->spans);
	*set = (struct csg_spans){0};
}

int csg_spans_add(struct csg_spans *set, uint64_t from, uint64_t until)
{
	int err = csg_array_grow((void **)&set->spans, set->count, &set->capacity,
				 sizeof(*set->spans));

	if (err)
		return err;
	set->spans[set->count++] = (struct csg_span){from, until};
	set->sorted = false;
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct csg_span *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

void csg_spans_sort(struct csg_spans *set)
{
	size_t kept = 0;

	if (set->sorted)
		return;
	if (set->count)
		qsort(set->spans, set->count, sizeof(*set->spans), by_begin);
	for (size_t i = 0; i < set->count; i++) {
		const struct csg_span span = set->spans[i];
		struct csg_span *before = kept ? &set->spans[kept - 1] : NULL;

		if (!before || span.from > before->until)
			set->spans[kept++] = span;
		else if (span.until > before->until)
			before->until = span.until;
	}
	set->count = kept;
	set->sorted = true;
}

bool csg_spans_meet(const struct csg_spans *set, uint64_t from, uint64_t until)
{
	size_t i;

	CSG_BISECT(i, set->count, set->spans[i].until < from);
	return i < set->count && set->spans[i].from <= until;
}
