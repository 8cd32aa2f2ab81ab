/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What packets have said and the unit has not committed yet: a queue of entries, oldest first.
 */
#ifndef DECODER_FLOW_FAST_FAST_QUEUE_H
#define DECODER_FLOW_FAST_FAST_QUEUE_H

#include "flow/fast/fast_state.h"

/* A new entry, the newest; zero but for its kind and the packet's index.  NULL: no memory. */
struct csg_fast_entry *csg_fast_push(struct csg_fast *f, enum csg_fast_kind kind, uint64_t index);
void csg_fast_pop_oldest(struct csg_fast *f);
/* The n newest P0 elements are taken back; false: there are fewer. */
bool csg_fast_cancel(struct csg_fast *f, uint32_t n);
/* The newest atom went the other way; false: there is none. */
bool csg_fast_mispredict(struct csg_fast *f);

static inline struct csg_fast_entry *csg_fast_entry_at(const struct csg_fast *f, size_t i)
{
	return &f->queue.entries[csg_ring_at(&f->queue.ring, i)];
}

#endif
