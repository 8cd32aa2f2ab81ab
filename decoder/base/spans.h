/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A set of numbers, as spans of them: times at which records may have been lost, addresses at which
 * something was mapped.  Both ends of a span are in it.
 */
#ifndef DECODER_BASE_SPANS_H
#define DECODER_BASE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_span {
	uint64_t from, until;
};

/* All zero is empty. */
struct csg_spans {
	struct csg_span *spans; /* after csg_spans_sort() in order, none meets another */
	size_t count, capacity;
	bool sorted; /* nothing was added since then */
};

void csg_spans_fini(struct csg_spans *spans);

/* In any order.  0 or -CSG_E_NO_MEMORY. */
int csg_spans_add(struct csg_spans *spans, uint64_t from, uint64_t until);

/* Before the first question. */
void csg_spans_sort(struct csg_spans *spans);

/* Whether one of the numbers between the two, both included, is in the set. */
bool csg_spans_meet(const struct csg_spans *spans, uint64_t from, uint64_t until);

#endif
