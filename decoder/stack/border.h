/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where stacks meet: a kernel's hangs under the user stack that entered it, a guest's under the
 * kernel stack of its vCPU's thread, in the frame that entered it (in_guest: parked there).  This
 * is what happens to a kernel's stack when an exception comes to it from below, and the chain
 * through all stacks that hang under each other: csg_stacks_under(), csg_stacks_chain().
 */
#ifndef DECODER_STACK_BORDER_H
#define DECODER_STACK_BORDER_H

#include "stack/state.h"

/* An exception went from one owner to a higher level of another, whose stack frames is. */
int csg_border_enter(const struct csg_owner *from, const struct csg_owner *o,
		     struct csg_stack *frames, const struct csg_arrival *to);

/* What becomes of the stack that ran when another level or machine runs. */
void csg_border_leave(struct csg_stacks *s, struct csg_stack_cpu *c, const struct csg_owner *o);

/* As csg_stack_under(). */
struct csg_stack *csg_stacks_under(const struct csg_stack *frames, bool joined);

/*
 * The chain of this stream now, innermost first, as perf has it; ip is where it runs.  Returns how
 * many of at most max entries, each entry_size bytes from the next, there are.
 */
size_t csg_stacks_chain(const struct csg_stacks *stacks, uint32_t stream, uint64_t ip, bool joined,
			void *chain, size_t entry_size, size_t max);

#endif
