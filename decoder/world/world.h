/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * World: from the context track of one stream to segments with their owner.
 *
 * A segment reaches from its index to the index of the next.  It begins where the
 * exception level or a context ID changes, or after a gap.  The policy table
 * (world/policy.h) settles most segments at once.  EL0 under KVM with VHE stays open until
 * there is evidence:
 *
 *   neighbouring EL   entered from EL1, or left to EL1, with no gap in between: a guest's, because
 *                     host EL0 only ever meets EL2
 *   vector base       left to EL2 by an exception: the target (less its low 11 bits) is the vectors
 *                     that were in VBAR_EL2.  KVM has its own there while a guest runs, one base
 *                     on each CPU: host EL0 never leaves to it, and a guest's EL0 to no other.
 *                     Known by symbols, or learned per stream from exceptions EL1 to EL2 and from
 *                     EL0 whose neighbour is EL1; never from EL2 to EL2, as faults inside hyp code
 *                     use the same vectors.  An exit that contradicts the symbols, or those
 *                     before it, teaches nothing (world/exit_vectors.h).
 *   entry ERET        entered by an ERET of KVM, or of the kernel's way out to processes.  Which
 *                     ERET it was only the code says: a segment that is still open when the
 *                     flow comes to it is settled by csg_world_entered()
 *
 * Without VHE host and guests share EL1 and EL0: world/stretch.h says how they are distinguished.
 *
 * Segments from the first open one on are withheld; everything before may be decoded
 * while the scan looks ahead.
 *
 * Plain state machine: no I/O, no OpenCSD; the only allocation is the queue of settled
 * segments that nobody has fetched yet.
 */
#ifndef DECODER_WORLD_WORLD_H
#define DECODER_WORLD_WORLD_H

#include "world/nvhe.h"
#include "world/segments.h"

/* Another policy from here on, because the trace contradicts the one in force. */
void csg_world_set_kind(struct csg_world_segments *world, enum csg_hypervisor kind);

void csg_world_event(struct csg_world_segments *world, const struct csg_track_event *event);

/* Takes over what another, which has seen trace of the same CPU, has learned. */
void csg_world_learn_from(struct csg_world_segments *world, const struct csg_world_segments *other);

/*
 * An open segment (segment->open) was entered by the ERET at this address, as the code that was
 * decoded before it says.  Settles it where that is a landmark; else it stays as it is.
 */
void csg_world_entered(struct csg_world_segments *world, struct csg_segment *segment,
		       uint64_t eret);

/* Something outside proves who ran an open segment: the timestamps in it, say. */
void csg_world_open_is(const struct csg_world_segments *world, struct csg_segment *segment,
		       enum csg_world who, uint32_t evidence);

/*
 * The same ERET led to el, to a segment of owner: learns what kind of landmark it is.  1: as was
 * known before; -1: otherwise; 0: nothing was known of it, or nothing is shown.
 */
int csg_world_learn_entry(struct csg_world_segments *world, uint64_t eret, uint8_t el,
			  const struct csg_owner *owner);

/* Settles what is open as the policy has it by default: the window is full, or the trace ends. */
void csg_world_settle(struct csg_world_segments *world);

/* The index from which on owners are not settled yet; UINT64_MAX: all that was fed is. */
uint64_t csg_world_settled_to(const struct csg_world_segments *world);

/* Takes the next settled segment; false when there is none. */
bool csg_world_next(struct csg_world_segments *world, struct csg_segment *segment);

#endif
