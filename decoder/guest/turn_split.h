/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs of turns that have no place (guest/turn_places.h): a switch is missing in some of their turns,
 * as trace was lost there silently.
 */
#ifndef DECODER_GUEST_TURN_SPLIT_H
#define DECODER_GUEST_TURN_SPLIT_H

#include "guest/turn_places.h"

/*
 * Divides the runs that have no place by the fewest turns without which those between have one.  Which turns
 * these are is known up to a few: they contradict KVM's events.  0 or -CSG_E_NO_MEMORY.
 */
int csg_turn_runs_split(struct csg_turn_match *m);

#endif
