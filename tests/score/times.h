/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether instructions are dated within the window of trace that they lie in: not before the
 * window begins, as the truth's TIME says, nor after they were over, as its UNTIL says
 * (docs/truth.md).  Instructions without a time, and runs without UNTIL, do not count.
 */
#ifndef TESTS_SCORE_TIMES_H
#define TESTS_SCORE_TIMES_H

#include "score/truth.h"

#define CSG_TIMES_FAR 5000 /* ns, within which csguest states times */

struct csg_times {
	uint64_t dated;			/* instructions with a time, of runs with UNTIL */
	uint64_t early, late;		/* of these, dated before and after their window */
	uint64_t far;			/* of these, by more than CSG_TIMES_FAR */
	uint64_t most_early, most_late; /* ns */
	uint64_t window, begin;		/* the window in hand, and when it began */
	bool has_window;
};

/* Instructions of another stream follow. */
void csg_times_stream(struct csg_times *times);

/* n instructions of a piece of the truth, whose time csguest says; ns, 0: not known. */
void csg_times_add(struct csg_times *times, const struct csg_truth_piece *piece, uint64_t n,
		   uint64_t time);

#endif
