/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What code of a guest its exits interrupted, as numbers: a function, a call chain of functions, or
 * a process.
 */
#ifndef COMMAND_CALLS_EXIT_CODE_H
#define COMMAND_CALLS_EXIT_CODE_H

#include "csguest/stack.h"
#include "lookup/lookup.h"
#include "util/keyset.h"

enum csg_exit_code_by {
	CSG_EXIT_CODE_NONE, /* exits are not distinguished by it */
	CSG_EXIT_CODE_SYMBOL,
	CSG_EXIT_CODE_STACK, /* kernel and, where it was entered from there, user */
	CSG_EXIT_CODE_PROCESS,
};

struct csg_exit_code {
	enum csg_exit_code_by by;
	struct csg_keyset entries; /* number 0: not known */
};

/* 0, or -CSG_E_NO_MEMORY. */
int csg_exit_code_init(struct csg_exit_code *code, enum csg_exit_code_by by);
void csg_exit_code_fini(struct csg_exit_code *code);

/*
 * The number of what a guest ran, which left off on this stack (its owner is number owner); or
 * -CSG_E_NO_MEMORY.
 */
int64_t csg_exit_code_of(struct csg_exit_code *code, const struct csg_stack *stack, uint32_t owner,
			 const struct csg_lookup *lookup);

/* Its text in buf, cut to size bytes: a chain outermost first, by ";"; "" for number 0.  Returns
 * buf. */
const char *csg_exit_code_text(const struct csg_exit_code *code, uint32_t number,
			       const struct csg_lookup *lookup, const struct csg_follower *follower,
			       char *buf, size_t size);

#endif
