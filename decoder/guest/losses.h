/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Losses of trace that nothing marks, but the path of the code shows
 * (csg_attribution_piece.losses).
 *
 * Where one begins is known within a time slice only.  What is said on both sides of it is of
 * different times: a timestamp in it, and one after it that lacks its upper bits
 * (guest/time_blocks.h), names nobody; also across windows, as a trace unit sends the bits that
 * have changed after Trace On as well.  A segment that goes on across the place where the path
 * ends is two, and nobody's.
 */
#ifndef DECODER_GUEST_LOSSES_H
#define DECODER_GUEST_LOSSES_H

#include "guest/facts/when.h"

/* Of one stream.  All zero is the beginning. */
struct csg_lost_times {
	size_t next;	   /* the first loss that does not end before the last timestamp */
	uint64_t previous; /* timestamp */
	bool lacks;	   /* its upper bits may be from before a loss */
};

/* The next timestamp of the stream.  False: it names nobody. */
bool csg_lost_times_take(struct csg_lost_times *times, const struct csg_attribution_piece *piece,
			 uint64_t index, uint64_t timestamp);

/* The first loss that is shown inside the segment; NULL: there is none. */
const struct csg_attribution_loss *csg_loss_in(const struct csg_when *when);

#endif
