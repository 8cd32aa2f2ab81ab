/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call chains by time, for the page (timeline/timeline_html.h): how many instructions each chain
 * executed in each of up to CSG_SPAN_BINS parts of the recording that are equally long.
 *
 * A bin is what has the same time after a shift, which grows while the recording does: no end need
 * be known.  Memory is bounded: where bins with their chains are too many, the shift grows as well.
 * At the end chains with less than one part in CSG_SPAN_LEAST of all instructions are added to
 * their callers', which bounds the size of the page.
 */
#ifndef COMMAND_CALLS_SPAN_FUNCTIONS_H
#define COMMAND_CALLS_SPAN_FUNCTIONS_H

#include "calls/call_tree.h"
#include "text/out.h"
#include "util/keyset.h"

#define CSG_SPAN_BINS 1024
#define CSG_SPAN_ENTRIES (1u << 20) /* bins with their chains, at most */
#define CSG_SPAN_LEAST 2000

struct csg_span_node {
	uint32_t parent; /* number of the node, below its own; the root is its own parent */
	char *name;
	uint8_t world, privilege; /* as csg_call_node has them */
	int32_t vm;
};

struct csg_span_entry {
	uint64_t bin; /* time >> shift */
	uint32_t node;
	uint64_t instructions;
};

struct csg_span_functions {
	unsigned int shift;
	uint64_t first, last; /* bins */
	struct csg_keyset keys;
	uint64_t *counts; /* by number of keys */
	size_t count_capacity;
	size_t max_entries; /* CSG_SPAN_ENTRIES, or less for tests */
	/* Made by csg_span_functions_settle(). */
	struct csg_span_node *nodes;
	size_t node_count;
	struct csg_span_entry *entries; /* by bin, then by node */
	size_t entry_count;
};

void csg_span_functions_init(struct csg_span_functions *functions);
void csg_span_functions_fini(struct csg_span_functions *functions);

/* Adds what the call chain of a node executed at time (ns; 0: not known, not counted). */
int csg_span_functions_add(struct csg_span_functions *functions, uint64_t time, uint32_t node,
			   uint64_t instructions);

/* All was added: takes what it needs of the tree.  0 or -CSG_E_NO_MEMORY. */
int csg_span_functions_settle(struct csg_span_functions *functions,
			      const struct csg_call_tree *tree);

/*
 * Writes them as JSON, which may stand in a page:
 *	begin, width	of the first bin and of each (ns)
 *	names		text of functions and threads
 *	worlds		names of worlds
 *	nodes		for each, by number of its name: parent, world, whether it is user code, VM
 *	bins		for each that has something: its number, then pairs of node and instructions
 */
void csg_span_functions_write(const struct csg_span_functions *functions, struct csg_out *out);

#endif
