/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The branches that were taken last, as perf's cs-etm keeps them (cs_etm__update_last_branch_rb()
 * and cs_etm__copy_last_branch_rb() in tools/perf/util/cs-etm.c): a ring of a fixed size, in which
 * a new branch replaces the oldest (util/ring would keep it, and wants a power of two).  A sample
 * of an instruction shows them as its branch stack, the newest first.  Where tracing was
 * interrupted the ring is emptied: what led to the code after it is not known.
 */
#ifndef COMMAND_SCRIPT_LAST_BRANCHES_H
#define COMMAND_SCRIPT_LAST_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "script/sample_queue.h"

/* All zero: keeps none. */
struct csg_last_branches {
	struct csg_sample_branch *ring; /* the newest is at first */
	uint32_t size, first, count;
};

/* Keeps the last size branches, at least 1.  False without memory. */
bool csg_last_branches_init(struct csg_last_branches *last, uint32_t size);
void csg_last_branches_fini(struct csg_last_branches *last);

/* A branch was taken. */
void csg_last_branches_push(struct csg_last_branches *last, struct csg_sample_branch branch);

/* Tracing was interrupted. */
void csg_last_branches_clear(struct csg_last_branches *last);

/*
 * Copies them as they are now into the queue.  Returns where they are, for csg_sample.branches; 0
 * where there are none, or without memory, which the queue tells.
 */
uint64_t csg_last_branches_copy(const struct csg_last_branches *last,
				struct csg_sample_queue *queue);

#endif
