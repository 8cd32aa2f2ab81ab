/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States of a vCPU's thread in one shard of a recording, such that all shards' add up to what
 * csg_waits_between() says of the time that the whole trace lasts, which no shard knows.
 *
 * What lies within the trace of the shard itself, its core, is added up; what lies before and after
 * it is kept piece by piece, until the time that all traces last is known.  Switch records are
 * those of the whole recording, so that one shard gives the states by records; but each shows other
 * halts, and gives the times that become halted by them.
 */
#ifndef COMMAND_TIMELINE_WAIT_PARTS_H
#define COMMAND_TIMELINE_WAIT_PARTS_H

#include "timeline/slice_window.h"
#include "waits/waits.h"

/* A state from one time until another. */
struct csg_wait_piece {
	uint64_t from, until;
	uint8_t state; /* enum csg_wait_state */
	uint8_t was;   /* the time is taken from this state; CSG_WAIT_STATES: from none */
};

struct csg_wait_parts {
	struct csg_wait_sums sums; /* of the core; what is taken away may be below 0, modulo 2^64 */
	struct csg_wait_piece *pieces; /* of other times */
	size_t count, capacity;
};

void csg_wait_parts_fini(struct csg_wait_parts *parts);

/* The states by records, in windows that do not overlap; before any halt is known.
 * -CSG_E_NO_MEMORY. */
int csg_wait_parts_read(struct csg_wait_parts *parts, const struct csg_waits *waits, int32_t vm,
			int32_t tid, const struct csg_slice_windows *windows,
			const struct csg_slice_window *core);

/* What the halts change of it.  -CSG_E_NO_MEMORY. */
int csg_wait_parts_halt(struct csg_wait_parts *parts, const struct csg_waits *waits,
			const struct csg_wait_thread *thread,
			const struct csg_slice_windows *windows,
			const struct csg_slice_window *core);

/* Adds what of the parts lies in `all`, which has their core in it. */
void csg_wait_parts_sum(const struct csg_wait_parts *parts, const struct csg_slice_window *all,
			struct csg_wait_sums *sums);

#endif
