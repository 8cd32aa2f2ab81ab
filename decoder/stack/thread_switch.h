/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel switches threads.  Its function that does so (csg_function.switches: cpu_switch_to of
 * arch/arm64/kernel/entry.S) is called on one stack and returns on another.  Who runs then is known
 * from the owner, which may name the thread a few instructions before the switch (a context ID,
 * which __switch_to writes first) or long after it (records of a guest):
 *
 *   at the function's return, the owner      the stack that runs now
 *   names another thread                     that thread's, where it called the function
 *   ... that begins here                     anew: WHOLE
 *   names the same thread, or none           the runner's nameless one: CUT, thread not known
 *   later, records name a thread             what ran since hangs in that thread's stack
 *   names another, no symbols                that thread's, at once
 */
#ifndef DECODER_STACK_THREAD_SWITCH_H
#define DECODER_STACK_THREAD_SWITCH_H

#include "stack/state.h"

/* The return of the function that switches threads.  CSG_STACKS_BLOCKED: a stream is awaited. */
int csg_thread_switch(struct csg_stacks *s, uint32_t stream, const struct csg_arrival *to);

/* The kernel names another thread than the stack's, without having switched. */
int csg_thread_named(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
		     const struct csg_arrival *to);

#endif
