/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pieces of the truth that an alignment holds: from the one that the decode is at on, as far
 * ahead as it had to look, at most CSG_ALIGN_LOOK of them.  They are read once and in order; what
 * lies before the head is done.
 */
#ifndef TESTS_SCORE_ALIGN_LOOK_H
#define TESTS_SCORE_ALIGN_LOOK_H

#include "score/align.h"

/* A place in the truth: this many instructions into look[at]. */
struct csg_align_place {
	size_t at;
	uint64_t used;
};

/* Reads ahead until look[at] is held.  1; 0 where the truth, or the room, ends before; or an
 * error. */
int csg_align_hold(struct csg_align *a, size_t at);

/* Makes room: 1 where look[head] is held, 0 at the end of the truth; or an error. */
int csg_align_hold_head(struct csg_align *a);

/* All before the place is lost: the client is called of each piece.  0, or the client's error. */
int csg_align_lose_until(struct csg_align *a, struct csg_align_place to);

/* Whether the truth tells the address of the instruction `used` into the piece. */
bool csg_align_tells(const struct csg_truth_piece *p, uint64_t used, uint64_t *address);

/* Exception level of look[at]'s owner. */
unsigned int csg_align_el_of(const struct csg_align *a, size_t at);

#endif
