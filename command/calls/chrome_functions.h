/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call chain of the vCPU that runs on each stream, as functions that are entered and left.
 * Nothing is open while the host runs, or where trace is lost: what a guest called before is
 * entered anew then.
 */
#ifndef COMMAND_CALLS_CHROME_FUNCTIONS_H
#define COMMAND_CALLS_CHROME_FUNCTIONS_H

#include "calls/call_filter.h"

struct csg_chrome_lane {
	int32_t vm, vcpu;
	uint32_t *labels; /* of functions that are open, the outermost first */
	size_t n, capacity;
};

struct csg_chrome_functions {
	const struct csg_lookup *lookup;
	const struct csg_follower *follower;
	const struct csg_call_filter *filter;
	/* A function is entered, or the innermost left.  0, or a negative error. */
	int (*event)(void *arg, uint32_t stream, const struct csg_chrome_lane *lane, bool entry,
		     uint32_t label);
	void *arg;
	/* Private. */
	struct csg_chrome_lane *lanes; /* by stream */
	size_t n;
};

/* For n streams; the rest is set.  -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_chrome_functions_init(struct csg_chrome_functions *functions, size_t n);
void csg_chrome_functions_fini(struct csg_chrome_functions *functions);

/* This stack runs on the stream now, for the owner with this number.  0, or a negative error. */
int csg_chrome_functions_run(struct csg_chrome_functions *functions, uint32_t stream,
			     const struct csg_stack *stack, uint32_t owner);

/* Nobody knows what runs there: leaves all. */
int csg_chrome_functions_cut(struct csg_chrome_functions *functions, uint32_t stream);

#endif
