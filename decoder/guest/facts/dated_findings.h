/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first places of findings (base/findings.h) of one stream, until their times are known: a
 * timestamp gets its host time when the clock has settled it (guest/facts/host_clock.h).  Until
 * then a place has the time at which its piece of trace begins.
 */
#ifndef DECODER_GUEST_FACTS_DATED_FINDINGS_H
#define DECODER_GUEST_FACTS_DATED_FINDINGS_H

#include "base/findings.h"
#include "guest/facts/host_clock.h"

/* All zero is none. */
struct csg_undated {
	struct csg_assumption_place *waiting[2 * CSG_ASSUMPTION_COUNT];
	size_t count;
};

/* place waits for the time of the last timestamp before it. */
void csg_undated_take(struct csg_undated *undated, struct csg_assumption_place *place);

/* Dates those that can be.  stamped: the clock has all timestamps up to this index. */
void csg_undated_date(struct csg_undated *undated, struct csg_host_clock *clock, uint64_t stamped);

#endif
