/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels: whether a guest or a guest of it ran (FEAT_NV2), as stated for a piece of trace.
 *
 * KVM runs both on the same vCPU, at the same exception levels: a guest hypervisor at vEL2 executes
 * at EL1, as its guests do.  Owners are found first, without levels; what the host's kernel called
 * before it entered tells the level (guest/level_watch.h).  CONTEXTIDR_EL1 is a thread's of the
 * level that runs, and while a guest of a guest is loaded timestamps have a counter offset of their
 * own, so that neither is evidence of the guest's threads or times elsewhere than at its own level.
 */
#ifndef DECODER_GUEST_LEVELS_H
#define DECODER_GUEST_LEVELS_H

#include "csguest/attribution.h"
#include "guest/facts/facts.h"
#include "guest/facts/when.h"

/* The level stated of what ran at index; NULL: none. */
const struct csg_attribution_level *csg_level_at(const struct csg_attribution_piece *piece,
						 uint64_t index);

/*
 * Whether guests before and after index, or the one that runs there, are at level 1 for certain, so
 * that timestamps in between have no other offset than the VM's.
 */
bool csg_level_is_steady(const struct csg_attribution_piece *piece, uint64_t index);

/* Owner is at this level, which is below 2. */
void csg_owner_at_level(struct csg_owner *owner, uint8_t level);

/*
 * Completes a guest's owner by its level.  False: its threads are not to be looked for, as they are
 * not the guest's, or may not be.
 */
bool csg_owner_by_level(const struct csg_facts *facts, const struct csg_when *when,
			struct csg_owner *owner);

#endif
