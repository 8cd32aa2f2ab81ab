/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Breaks: where two timestamps of the trace lie much further apart than those before them, or go
 * back.  Mostly the CPU waited there.  But trace that was lost silently leaves such a break, too,
 * and a switch of threads that was lost with it makes one time slice (guest/slices/time_slices.h)
 * of two.
 *
 * So the time slice watch divides time slices at their breaks, and marks what is between the two
 * timestamps (CSG_TIME_SLICE_BREAK).  What is divided is joined again to be matched.  Only where
 * the time slices so joined contradict KVM's events, those are divided again and matched anew: the
 * parts before and after a break are then as far apart as trace that is known to be lost.
 */
#ifndef DECODER_GUEST_SLICES_TIME_SLICE_BREAKS_H
#define DECODER_GUEST_SLICES_TIME_SLICE_BREAKS_H

#include "guest/slices/time_slices.h"

/*
 * How time slices were added, and how they were matched when they were joined.  All zero: there is
 * no break.
 */
struct csg_time_slice_breaks {
	struct csg_time_slices added, joined;
};

void csg_time_slice_breaks_fini(struct csg_time_slice_breaks *breaks);

/*
 * The time slice ended already: what it showed up to index is a time slice, what follows a break.
 * 0 or -CSG_E_NO_MEMORY.
 */
int csg_time_slice_breaks_cut(struct csg_time_slices *slices, size_t slice, uint64_t index,
			      uint8_t shown, size_t seen);

/* Joins the time slices from first on.  0 or -CSG_E_NO_MEMORY. */
int csg_time_slice_breaks_join(struct csg_time_slice_breaks *breaks, struct csg_time_slices *slices,
			       size_t first);

/* Divides those that contradict KVM's events again.  False: there is none to be divided. */
bool csg_time_slice_breaks_divide(struct csg_time_slice_breaks *breaks,
				  struct csg_time_slices *slices, size_t first, int *error);

/* Makes them again what they were when they were joined and matched. */
int csg_time_slice_breaks_undo(struct csg_time_slice_breaks *breaks, struct csg_time_slices *slices,
			       size_t first);

#endif
