/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source lines of addresses as small numbers.  An address is looked up in the debug information
 * once, and again only where other code may lie there or others have taken its place in the cache.
 */
#ifndef COMMAND_REPORT_SOURCE_LINES_H
#define COMMAND_REPORT_SOURCE_LINES_H

#include "lookup/lookup.h"
#include "util/keyset.h"

struct csg_source_line_at;

struct csg_source_lines {
	const struct csg_lookup *lookup;
	struct csg_source_line_at *cache;
	struct csg_keyset lines;
	char **texts; /* of the lines, by number; NULL: not asked for yet */
	size_t text_n;
	bool no_memory; /* latches; lines are missing then */
};

void csg_source_lines_init(struct csg_source_lines *lines, const struct csg_lookup *lookup);
void csg_source_lines_fini(struct csg_source_lines *lines);

/* The number of the line at address at time; 0: none is known. */
uint32_t csg_source_lines_at(struct csg_source_lines *lines, struct csg_space *space,
			     uint64_t address, uint64_t time);

/* "path:12", with the path as the debug information has it; NULL: number is 0, or no memory. */
const char *csg_source_lines_text(struct csg_source_lines *lines, uint32_t number);

#endif
