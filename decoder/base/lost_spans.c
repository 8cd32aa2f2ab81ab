/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lost_spans.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/bisect.h"

void csg_lost_spans_fini(struct csg_lost_spans *lost)
{
	free(lost->spans);
	*lost = (struct csg_lost_spans){0};
}

int csg_lost_spans_add(struct csg_lost_spans *lost, uint64_t from, uint64_t until)
{
	int err = csg_array_grow((void **)&lost->spans, lost->count, &lost->capacity,
				 sizeof(*lost->spans));

	if (!err)
		lost->spans[lost->count++] = (struct csg_lost_span){from, until};
	return err;
}

static int by_begin(const void *a, const void *b)
{
	const struct csg_lost_span *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

void csg_lost_spans_sort(struct csg_lost_spans *lost)
{
	size_t kept = 0;

	if (lost->count)
		qsort(lost->spans, lost->count, sizeof(*lost->spans), by_begin);
	for (size_t i = 0; i < lost->count; i++) {
		const struct csg_lost_span span = lost->spans[i];
		struct csg_lost_span *before = kept ? &lost->spans[kept - 1] : NULL;

		if (!before || span.from > before->until)
			lost->spans[kept++] = span;
		else if (span.until > before->until)
			before->until = span.until;
	}
	lost->count = kept;
}

bool csg_lost_between(const struct csg_lost_spans *lost, uint64_t from, uint64_t until)
{
	size_t i;

	CSG_BISECT(i, lost->count, lost->spans[i].until < from);
	return i < lost->count && lost->spans[i].from <= until;
}
