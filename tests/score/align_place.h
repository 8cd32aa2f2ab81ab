/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where in the truth the ranges belong that were decoded after a gap: the places where all of them
 * fit and that the position in the trace allows (score/align.h).
 */
#ifndef TESTS_SCORE_ALIGN_PLACE_H
#define TESTS_SCORE_ALIGN_PLACE_H

#include "score/align_look.h"

/* What the ranges that are pending leave open. */
enum csg_align_choice {
	CSG_ALIGN_ONLY,		/* no other place fits */
	CSG_ALIGN_SAME_OWNERS,	/* others do, of the same owners */
	CSG_ALIGN_OTHER_OWNERS, /* others do, of other owners */
};

/* What was executed so long before the first range that its packets are past is lost.  0 or an
 * error. */
int csg_align_skip_past(struct csg_align *a);

/* The first place from look[from] on where the first n ranges fit.  1, 0 where there is none, or an
 * error. */
int csg_align_find(struct csg_align *a, size_t from, unsigned int n, struct csg_align_place *place);

/*
 * Which owners the first n ranges have here and at the other places where they fit, in their
 * `owners`. Without offsets, which alone limit where those lie, the first place counts.  An enum
 * csg_align_choice, or an error.
 */
int csg_align_find_others(struct csg_align *a, struct csg_align_place place, unsigned int n);

/* Without a path: the last run that can be meant, at the level of the first range.  As
 * csg_align_find(). */
int csg_align_find_run(struct csg_align *a, struct csg_align_place *place);

/* 1 where all places of the first range are of one owner, 0, or an error. */
int csg_align_is_certain(struct csg_align *a, struct csg_align_place place);

#endif
