/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * World: from the context track of one stream to segments with their owner.
 *
 * A segment reaches from its index to the index of the next.  It begins where the
 * exception level or a context ID changes, or behind a gap.  The policy table
 * (world/policy.h) settles most segments at once.  EL0 under KVM with VHE stays open until
 * a neighbour speaks: EL0 entered from EL1, or left to EL1, with no gap in between, is a
 * guest's, because host EL0 only ever meets EL2.  Only the last segment can be open, so
 * everything before it may be decoded while the scan looks ahead.
 *
 * Plain state machine: no I/O, no OpenCSD; the only allocation is the queue of settled
 * segments that nobody has fetched yet.
 */
#ifndef DECODER_WORLD_WORLD_H
#define DECODER_WORLD_WORLD_H

#include "csguest/hypervisor.h"
#include "csguest/owner.h"
#include "csguest/track.h"

/* From index on, owner ran. */
struct csg_segment {
	uint64_t index;
	/*
	 * True: in force from the context element with this index on.  False: from the
	 * trace byte at index on, as no context element marks it.
	 */
	bool at_context;
	uint8_t gap;   /* enum csg_gap: what is missing right before it, as the track told */
	uint64_t lost; /* bytes of the stream that were lost with it, where known by then */
	struct csg_owner owner;
};

struct csg_world_segments {
	enum csg_hypervisor kind;
	enum csg_vctx_kind vctx_kind;

	struct csg_context context;
	uint8_t left_el; /* EL that ran right before the current one; unknown behind a gap */
	bool resumed;	 /* behind a gap or Trace On, neither context nor address seen yet */
	bool open;	 /* the last segment of the queue is not settled */

	struct csg_segment *queue;
	size_t first, count, room;
	bool failed; /* out of memory: segments are missing */
};

/* kind is neither AUTO nor out of range. */
void csg_world_init(struct csg_world_segments *world, enum csg_hypervisor kind,
		    enum csg_vctx_kind vctx_kind);
void csg_world_fini(struct csg_world_segments *world);

/* Another policy from here on, because the trace contradicts the one in force. */
void csg_world_set_kind(struct csg_world_segments *world, enum csg_hypervisor kind);

void csg_world_event(struct csg_world_segments *world, const struct csg_track_event *event);

/* Settles the open segment as the policy has it by default: the window is full, or the trace ends. */
void csg_world_settle(struct csg_world_segments *world);

/* The index from which on owners are not settled yet; UINT64_MAX: all that was fed is. */
uint64_t csg_world_settled_to(const struct csg_world_segments *world);

/* Takes the next settled segment; false when there is none. */
bool csg_world_next(struct csg_world_segments *world, struct csg_segment *segment);

#endif
