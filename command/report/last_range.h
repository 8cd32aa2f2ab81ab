/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The range that was split last, where all of it was of one symbol and line: the same range comes
 * again for other places, and need not be split again.
 */
#ifndef COMMAND_REPORT_LAST_RANGE_H
#define COMMAND_REPORT_LAST_RANGE_H

#include "report/split.h"
#include "report/tally.h"

/* All zero: none. */
struct csg_last_range {
	struct csg_space *space;
	uint64_t start, time;
	uint32_t size;
	uint8_t isa;
	struct csg_symbol symbol;
	uint32_t line;
};

static inline bool csg_last_range_is(const struct csg_last_range *last, struct csg_space *space,
				     const struct csg_tally_range *range)
{
	return last->space && last->space == space && last->start == range->start &&
	       last->time == range->time && last->size == csg_tally_size(range) &&
	       last->isa == range->isa;
}

/* split has found all of it. */
static inline void csg_last_range_set(struct csg_last_range *last, const struct csg_split *split,
				      const struct csg_tally_range *range)
{
	*last = (struct csg_last_range){
		split->space, range->start, range->time, csg_tally_size(range),
		range->isa,   split->found, split->line};
}

#endif
