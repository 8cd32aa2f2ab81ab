/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a CPU's on-CPU intervals turns in a row can lie (guest/turn_match.h). */
#ifndef DECODER_GUEST_TURN_PLACES_H
#define DECODER_GUEST_TURN_PLACES_H

#include "guest/kvm_visits.h"
#include "guest/residency.h"
#include "guest/turns.h"

#define CSG_TURN_WORK_MAX (UINT64_C(1) << 27) /* stays looked at for one piece: about a second */

/* Turns in a row, the first and where its stay may be. */
struct csg_turn_run {
	size_t turn, count;
	size_t low, high;
	bool shows, contradicted; /* KVM's events agree with it, or do not */
	uint8_t torn; /* at how many ends a turn follows, or precedes, that is not what it seems */
};

struct csg_turn_match {
	struct csg_turns *turns;
	const struct csg_stay *stays; /* in a row: nobody else was there */
	size_t stay_count;
	struct csg_turn_run *runs;
	size_t run_count, run_capacity;
	const struct csg_kvm_visit *visits; /* on this CPU */
	size_t visit_count;
	size_t first; /* turn */
	uint64_t work;
};

/* Whether the turn can have been the interval at a place. */
bool csg_turn_may_be(struct csg_turn_match *m, size_t turn, size_t at);

/* Whether the run can begin with the interval at a place. */
bool csg_turn_run_fits(struct csg_turn_match *m, const struct csg_turn_run *run, size_t at);

/* Finds the earliest place of each run, then the latest.  False: there is none, or too much to try. */
bool csg_turn_runs_find_lows(struct csg_turn_match *m);
bool csg_turn_runs_find_highs(struct csg_turn_match *m);

#endif
