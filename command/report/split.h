/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A range of instructions, split at the borders of symbols, mappings and source lines.  A range
 * ends at a waypoint (a branch, a barrier), so it runs on into the next function where one falls
 * through or ends in a call that doesn't return.
 *
 *	while (csg_split_next(&split))
 *		... split.found covers split.instructions instructions from split.from on
 */
#ifndef COMMAND_REPORT_SPLIT_H
#define COMMAND_REPORT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/element.h"
#include "lookup/lookup.h"
#include "report/source_lines.h"

struct csg_split {
	/* Set by the caller. */
	const struct csg_lookup *lookup;
	struct csg_space *space;
	uint64_t time;			/* as of csg_lookup */
	uint64_t at;			/* first address, then: first address of the next part */
	uint64_t end;			/* after the last instruction */
	uint8_t isa;			/* enum csg_isa */
	bool by_symbol;			/* false: not at the borders of symbols */
	struct csg_source_lines *lines; /* NULL: not at those of source lines */
	/* A part. */
	struct csg_symbol found;
	uint32_t line; /* csg_source_lines_at(); 0: none */
	uint64_t from;
	uint64_t instructions;
	bool last;
	/* Private; begin with 0. */
	unsigned int probes, line_probes;
};

/* The next part; false after the last.  Every call makes progress. */
bool csg_split_next(struct csg_split *split);

#endif
