/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that move between CPUs, as the host's switch records tell: when one
 * comes to a CPU, was it on another CPU meanwhile, whose trace has not been
 * followed so far?  Timestamps in the trace are too few to tell, and a stack
 * that is followed in another order than it ran is wrong.
 */
#ifndef DECODER_STACK_MOVES_H
#define DECODER_STACK_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/stack.h"

struct csg_move_interval {
	int32_t tid;
	uint32_t stream;
	uint64_t from, until;
	bool entered; /* the trace of it has been followed */
	size_t over; /* of its thread's first: how many from it on are, or lie before what was followed */
};

struct csg_moves {
	struct csg_move_interval *intervals; /* by thread, then by time */
	size_t n;
};

/* By the source's intervals; without that function nothing is known.  -CSG_E_NO_MEMORY. */
int csg_moves_init(struct csg_moves *moves, const struct csg_follower_source *source);
void csg_moves_fini(struct csg_moves *moves);

/*
 * Thread tid, which runs nowhere else, comes to a stream; times: what the trace
 * of each is at, 0: not known.  The stream that must be followed to where the
 * thread left it; UINT32_MAX: none, and it has come.
 */
uint32_t csg_moves_await(struct csg_moves *moves, int32_t tid, uint32_t stream,
			 const uint64_t *times);

#endif
