/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contradictions that the packets of one stream show (world/world.h), until their times are
 * known: a timestamp gets its host time when the clock has settled it (guest/facts/host_clock.h).
 */
#ifndef DECODER_GUEST_CONFLICTS_H
#define DECODER_GUEST_CONFLICTS_H

#include "base/contradictions.h"
#include "guest/facts/host_clock.h"

#define CSG_CONFLICTS 16 /* that wait; of more the oldest get the time of their piece */

struct csg_conflict {
	struct csg_contradiction one;
	uint64_t begin_stamp, end_stamp; /* indices of the last timestamps before; 0: none */
	uint64_t piece_time;		 /* when its piece of trace begins, ns */
};

/* All zero is none. */
struct csg_conflicts {
	struct csg_conflict *waiting; /* room for CSG_CONFLICTS, from the first one on */
	size_t count;
};

void csg_conflicts_fini(struct csg_conflicts *conflicts);

/*
 * Takes one, or a further end of the one that was taken last.  stamp: index of the last
 * timestamp.  piece_time: when its piece of trace begins, where no timestamp tells; 0 unknown.
 * into: where the oldest goes if too many wait.  0 or -CSG_E_NO_MEMORY.
 */
int csg_conflicts_take(struct csg_conflicts *conflicts, const struct csg_contradiction *one,
		       uint64_t stamp, uint64_t piece_time, struct csg_contradictions *into);

/*
 * Passes those on whose times are settled.  stamped: the index up to which the clock has all
 * timestamps; UINT64_MAX: no more will come, passes all.  0 or -CSG_E_NO_MEMORY.
 */
int csg_conflicts_pass(struct csg_conflicts *conflicts, struct csg_host_clock *clock,
		       uint64_t stamped, struct csg_contradictions *into);

#endif
