/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which exception levels ran, as the context track proves it.
 *
 * A context alone proves nothing: a trace unit may send where an exception goes to, context
 * included, though it does not trace what runs there (Neoverse N1 does).  A level has run in the
 * trace if, with no Trace On or gap since its context,
 *   it is left for another,
 *   an Exception Return packet comes, which stands for an instruction there, or
 *   an atom comes, which stands for a branch there.
 * A short window may hold no more than atoms.
 */
#ifndef DECODER_WORLD_RAN_H
#define DECODER_WORLD_RAN_H

#include "csguest/track.h"

struct csg_ran {
	uint8_t el;   /* non-secure EL in force since the last gap, or CSG_EL_UNKNOWN */
	uint8_t seen; /* bit n: non-secure ELn ran */
};

void csg_ran_init(struct csg_ran *ran);
void csg_ran_event(struct csg_ran *ran, const struct csg_track_event *event);

/* Committed atoms, after the events before them. */
void csg_ran_atoms(struct csg_ran *ran);

bool csg_ran_at(const struct csg_ran *ran, enum csg_el el);

#endif
