/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the context track to segments where host and guests share EL1 and EL0, as without VHE:
 * world/stretch.h says how they are distinguished.
 */
#ifndef DECODER_WORLD_NVHE_H
#define DECODER_WORLD_NVHE_H

#include "world/segments.h"

extern const struct csg_world_steps csg_nvhe_steps;

/* Comes before each step. */
void csg_nvhe_before(struct csg_world_segments *world, const struct csg_track_event *event);

/* The segments that were withheld get the worlds of their stretches. */
void csg_nvhe_settle(struct csg_world_segments *world);

/*
 * Something outside proves who runs at this place of the trace, after the last event: the host's
 * switch records at the time of a timestamp, say.  Without VHE that settles what the packets leave
 * open, as soon as they show that the same stretch goes on: timestamps come while nothing is
 * traced, too. Where it contradicts what is known of the stretch, trace was lost in it without a
 * mark.
 */
void csg_world_proved(struct csg_world_segments *world, const struct csg_proof *proof);

/* Right after it the trace goes on (CSG_TRACK_ATOM): what was proved counts. */
void csg_world_goes_on(struct csg_world_segments *world);

#endif
