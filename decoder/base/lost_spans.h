/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When records were lost: between the last that a CPU wrote before a PERF_RECORD_LOST, and that.  A
 * FORK, an EXIT or a COMM may be among them.
 */
#ifndef DECODER_BASE_LOST_SPANS_H
#define DECODER_BASE_LOST_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_lost_span {
	uint64_t from, until;
};

/* All zero: nothing was lost. */
struct csg_lost_spans {
	struct csg_lost_span *spans; /* after csg_lost_spans_sort() in order, none meets another */
	size_t count, capacity;
};

void csg_lost_spans_fini(struct csg_lost_spans *lost);

/* In any order.  0 or -CSG_E_NO_MEMORY. */
int csg_lost_spans_add(struct csg_lost_spans *lost, uint64_t from, uint64_t until);

/* Before the first question. */
void csg_lost_spans_sort(struct csg_lost_spans *lost);

/* Whether a record that was lost may be of a time between the two, both included. */
bool csg_lost_between(const struct csg_lost_spans *lost, uint64_t from, uint64_t until);

#endif
