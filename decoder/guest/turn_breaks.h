/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Breaks: where two timestamps of the trace lie much further apart than those before them, or go back.
 * Mostly the CPU waited there.  But trace that was lost silently leaves such a break, too, and a switch
 * of threads that was lost with it makes one turn (guest/turns.h) of two.
 *
 * So the turn watch divides turns at their breaks, and marks what is between the two timestamps
 * (CSG_TURN_BREAK).  What is divided is joined again to be matched.  Only where the turns so joined
 * contradict KVM's events, those are divided again and matched anew: the parts before and after a break are
 * then as far apart as trace that is known to be lost.
 */
#ifndef DECODER_GUEST_TURN_BREAKS_H
#define DECODER_GUEST_TURN_BREAKS_H

#include "guest/turns.h"

/* How turns were added, and how they were matched when they were joined.  All zero: there is no break. */
struct csg_turn_breaks {
	struct csg_turns added, joined;
};

void csg_turn_breaks_fini(struct csg_turn_breaks *breaks);

/*
 * The turn ended already: what it showed up to index is a turn, what follows a break.  0 or
 * -CSG_E_NO_MEMORY.
 */
int csg_turn_breaks_cut(struct csg_turns *turns, size_t turn, uint64_t index, uint8_t shown,
			size_t seen);

/* Joins the turns from first on.  0 or -CSG_E_NO_MEMORY. */
int csg_turn_breaks_join(struct csg_turn_breaks *breaks, struct csg_turns *turns, size_t first);

/* Divides those that contradict KVM's events again.  False: there is none to be divided. */
bool csg_turn_breaks_divide(struct csg_turn_breaks *breaks, struct csg_turns *turns, size_t first,
			    int *error);

/* Makes them again what they were when they were joined and matched. */
int csg_turn_breaks_undo(struct csg_turn_breaks *breaks, struct csg_turns *turns, size_t first);

#endif
