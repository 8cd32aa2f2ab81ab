/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of one thread, which nest, cut by windows of time: what is open when a window begins is
 * entered then, and what is open when it ends is left then, so that each window shows pairs.
 */
#ifndef COMMAND_CALLS_NEST_H
#define COMMAND_CALLS_NEST_H

#include "timeline/slice_window.h"

/* All zero: nothing is open. */
struct csg_nest {
	uint64_t *open; /* what was entered, the outermost first */
	size_t n, capacity;
	size_t window; /* the first that has not ended */
	bool inside;   /* it has begun */
};

struct csg_nest_client {
	const struct csg_slice_windows *windows;
	/* What is entered or left, with depth others around it. */
	void (*event)(void *arg, bool entry, uint64_t time, size_t depth, uint64_t what);
	void *arg;
};

void csg_nest_fini(struct csg_nest *nest);

/* Another is entered; times never go back.  -CSG_E_NO_MEMORY. */
int csg_nest_enter(struct csg_nest *nest, const struct csg_nest_client *client, uint64_t time,
		   uint64_t what);

/* The innermost is left, if any is open. */
void csg_nest_leave(struct csg_nest *nest, const struct csg_nest_client *client, uint64_t time);

#endif
