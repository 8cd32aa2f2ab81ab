/* SPDX-License-Identifier: BSD-3-Clause */
/* What KVM's events (guest/kvm_visits.h) tell of where turns lie (guest/turn_places.h). */
#ifndef DECODER_GUEST_TURN_EVENTS_H
#define DECODER_GUEST_TURN_EVENTS_H

#include "guest/turn_places.h"

/* Whether the turns from one to another, both included, show the visits that were told in the stay. */
bool csg_turn_shows_visits(struct csg_turn_match *m, size_t from, size_t to,
			   const struct csg_stay *stay, struct csg_kvm_proof *proof);

/*
 * The first or the last turn of a run may be a part of its stay only.  But where a guest shows in it, so
 * does, of what events tell of the stay, the last exit of the first turn, or the first entry of the last.
 */
bool csg_turn_shows_nearest(struct csg_turn_match *m, size_t turn, const struct csg_stay *stay,
			    bool is_last);

/*
 * Compares the places of each run with the events, which may leave one, and with it less for the other runs.
 * False: they contradict the records.
 */
bool csg_turn_runs_compare(struct csg_turn_match *m);

#endif
