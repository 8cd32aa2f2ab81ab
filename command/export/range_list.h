/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every executed range with its owner, one a line, for whoever wants to compute: CSV with a header,
 * or JSON lines (https://jsonlines.org).  What is not known is empty, or null.
 *
 *	time	   perf time of the last timestamp before it, ns
 *	index	   where in the trace it comes from
 *	start, end addresses, hexadecimal; end is after the last instruction
 *	branch	   what its last instruction is; taken: whether it went elsewhere
 */
#ifndef COMMAND_EXPORT_RANGE_LIST_H
#define COMMAND_EXPORT_RANGE_LIST_H

#include "csguest/session.h"
#include "lookup/lookup.h"
#include "text/out.h"

struct csg_range_list {
	const struct csg_lookup *lookup;
	struct csg_out *out;
	bool json;
	/* Whether the range of an element is listed; NULL: all are. */
	bool (*wanted)(void *arg, const struct csg_lookup *lookup, const struct csg_element *e,
		       uint64_t time);
	void *arg;
};

/* The header, where there is one. */
void csg_range_list_begin(const struct csg_range_list *list);

/* The ranges of a batch of a stream that belongs to cpu. */
void csg_range_list_add(const struct csg_range_list *list, const struct csg_batch *batch,
			int32_t cpu);

#endif
