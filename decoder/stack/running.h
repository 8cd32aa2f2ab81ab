/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which stack runs on a stream: every task's stack runs on one CPU at a time, and the CPU that
 * comes to it takes it over.  Where another CPU's trace still has it running, that one must be
 * followed first.
 */
#ifndef DECODER_STACK_RUNNING_H
#define DECODER_STACK_RUNNING_H

#include "stack/state.h"

/* What o's tasks run on, and o's task (nameless: as though its thread were not known).  NULL: out
 * of memory. */
struct csg_runner *csg_running_place(struct csg_stacks *s, uint32_t stream,
				     const struct csg_owner *o);
struct csg_task *csg_running_task(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
				  bool nameless);

/* Another stack runs on the stream from here on; the client is called. */
void csg_running_set(struct csg_stacks *s, uint32_t stream, struct csg_stack *to,
		     const struct csg_arrival *at, enum csg_move why);

/* Nothing is known of what runs on a stream, as at its beginning. */
void csg_running_nothing(struct csg_stack_cpu *c);

/*
 * The stream goes on.  Where another one has run its stack meanwhile, or emptied it, the two
 * contradict each other, as they do where a thread is said to be on two CPUs: then nothing is known
 * of this one.
 */
void csg_running_check(struct csg_stacks *s, uint32_t stream);

/* True: another stream has it running, and may yet tell that it has left it; it is waited for. */
bool csg_running_elsewhere(struct csg_stacks *s, uint32_t stream, const struct csg_stack *frames);

#endif
