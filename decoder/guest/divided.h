/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A segment of a guest's kernel, divided at the timestamps inside it.
 *
 * The guest's kernel may switch threads in the middle of a segment.  Of a piece between two
 * timestamps it is known when it ran, so a piece that no switch can lie in is one thread's, though
 * the whole is not. What stays unknown is as long as the switch itself, and the distance of two
 * timestamps on either side.
 *
 * Where the time slices of the guest's threads are known (guest/slices/guest_time_slices.h), and
 * one of them in the segment names its thread, it is divided where they begin and end instead, and
 * at most the packets in which threads are switched stay unknown.
 *
 * World, VM and vCPU are those of the whole.  Pieces with the same owner in a row are one segment.
 */
#ifndef DECODER_GUEST_DIVIDED_H
#define DECODER_GUEST_DIVIDED_H

#include "guest/facts/facts.h"
#include "guest/facts/when.h"
#include "guest/pending.h"

struct csg_divided {
	bool active;
	struct csg_segment whole; /* its owner as it was before it was completed */
	struct csg_when when;
	struct csg_owner given; /* of the piece that was handed out last */
	struct csg_owner open;	/* of what lies in no time slice that names a thread */
	uint64_t at; /* divided at time slices: the piece to come begins here; 0: none does */
};

/*
 * Completes the owner of a segment.  Where that leaves its thread open and timestamps divide it,
 * only that of the first piece: the division is active then, and every timestamp to be passed to
 * _next().  Where time slices divide it, the other pieces come of _slice().  0 or -CSG_E_NO_MEMORY.
 */
int csg_divided_begin(struct csg_divided *divided, struct csg_facts *facts,
		      const struct csg_when *when, const struct csg_guest_span *span,
		      struct csg_segment *segment);

/*
 * The piece from the timestamp at index on, which span is around: 1 with *segment, 0 where its
 * owner is that of the piece before it, or -CSG_E_NO_MEMORY.
 */
int csg_divided_next(struct csg_divided *divided, struct csg_facts *facts, uint64_t index,
		     const struct csg_guest_span *span, struct csg_segment *segment);

/*
 * The next piece of a segment that time slices divide: 1 with *segment, 0 where there is none, or
 * -CSG_E_NO_MEMORY.  Before anything that follows the segment.
 */
int csg_divided_slice(struct csg_divided *divided, struct csg_facts *facts,
		      struct csg_segment *segment);

#endif
