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

/* The gap that the segment added last stands behind. */
void csg_world_tell_gap(struct csg_world_segments *world, const struct csg_track_event *event);

/* The segment is nobody's: sources contradict each other. */
void csg_world_dispute_segment(const struct csg_world_segments *world, struct csg_segment *segment);

/* Sources contradict each other from one index to the other, text: what they say. */
void csg_world_contradict(struct csg_world_segments *world, enum csg_contradiction_kind kind,
			  uint64_t begin, uint64_t end, const char *text);

/* The contradiction that was found last reaches to end. */
void csg_world_extend_conflict(struct csg_world_segments *world, uint64_t end);

/* What to do with each kind of event; NULL: nothing. */
typedef void (*csg_world_step_fn)(struct csg_world_segments *world,
				  const struct csg_track_event *event);
struct csg_world_steps {
	csg_world_step_fn context, trace_on, gap, address, exception, eret;
};

/* Where the host and guests share EL1; csg_nvhe_before() comes before each. */
extern const struct csg_world_steps csg_nvhe_steps;
void csg_nvhe_before(struct csg_world_segments *world, const struct csg_track_event *event);

#endif
