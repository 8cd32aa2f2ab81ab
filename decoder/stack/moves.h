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
#include "util/disk_memory.h"
#include "util/keyset.h"

struct csg_move_interval {
	uint64_t from, until;
	uint32_t stream;
	bool entered; /* the trace of it has been followed */
};

struct csg_move_thread {
	size_t first, n; /* of the intervals, in the order of time */
	size_t over;	 /* how many from its first on are, or lie before what was followed */
};

struct csg_moves {
	struct csg_keyset numbers; /* of threads, by TID */
	struct csg_move_thread *threads;
	size_t thread_count;
	struct csg_move_interval *intervals; /* thread after thread */
	size_t bytes;
	struct csg_disk_memory memory; /* of the intervals */
};

/*
 * By the source's intervals; without that function nothing is known.  dir: of the temporary file
 * for many of them, which stays; NULL: $TMPDIR, or /tmp.  -CSG_E_NO_MEMORY.
 */
int csg_moves_init(struct csg_moves *moves, const struct csg_follower_source *source,
		   const char *dir);
void csg_moves_fini(struct csg_moves *moves);

/*
 * Thread tid, which runs nowhere else, comes to a stream; times: the trace of each is at that or
 * later, 0: not known.  The stream that must be followed to where the thread left it; UINT32_MAX:
 * none, and it has come: then the stream's time is not before that interval's begin.
 */
uint32_t csg_moves_await(struct csg_moves *moves, int32_t tid, uint32_t stream, uint64_t *times);

#endif
