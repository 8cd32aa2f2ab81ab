/* SPDX-License-Identifier: BSD-3-Clause */
/* What the policies of world/ share. */
#ifndef DECODER_WORLD_INTERNAL_H
#define DECODER_WORLD_INTERNAL_H

#include "world/world.h"

/* Adds a segment for the context in force, as the policy's table has it.  False: out of memory. */
bool csg_world_put(struct csg_world_segments *world, uint64_t index, bool at_context);

/* The segment that was added last. */
struct csg_segment *csg_world_last(struct csg_world_segments *world);

/* The segment turns out to be who's. */
void csg_world_settle_segment(const struct csg_world_segments *world, struct csg_segment *segment,
			      enum csg_world who, uint32_t witness);

bool csg_same_context(const struct csg_context *a, const struct csg_context *b);

/* Without VHE: the segments that were withheld get the worlds of their stretches. */
void csg_nvhe_settle(struct csg_world_segments *world);

/* The next event under KVM without VHE. */
void csg_nvhe_event(struct csg_world_segments *world, const struct csg_track_event *event);

#endif
