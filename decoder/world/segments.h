/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The segments of one stream (world/world.h) as they are made: the one for the context in force,
 * the queue of those that nobody has fetched yet, and whose they turn out to be.  What the policies
 * of world/ share.
 */
#ifndef DECODER_WORLD_SEGMENTS_H
#define DECODER_WORLD_SEGMENTS_H

#include "base/contradictions.h"
#include "base/findings.h"
#include "csguest/hypervisor.h"
#include "csguest/segment.h"
#include "csguest/track.h"
#include "util/ring.h"
#include "world/exception_context.h"
#include "world/exit_vectors.h"
#include "world/landmarks.h"
#include "world/stretch.h"

/* An exception on its way: from where, and what is known by now of where to. */
struct csg_exit {
	bool taken;
	bool has_target, has_context;
	uint8_t from_el;
	bool from_guest; /* EL0 that a neighbour has already shown to be a guest's */
	uint64_t target;
	uint64_t begin, index; /* of what it left, and of its packet */
};

/* Takes a contradiction; its CPU and times are not filled in. */
typedef void (*csg_world_contradiction_fn)(void *arg, const struct csg_contradiction *one);

/* A proof that counts if the stretch goes on after it. */
struct csg_proof {
	uint64_t index;
	uint32_t evidence;
	uint8_t world; /* enum csg_world; UNKNOWN: there is none */
	bool certain;  /* one record, or a stale timestamp, cannot have made it */
	/* Why trace was lost since the last one, and who runs is not known; NULL: it shows none. */
	const char *astray;
	bool by_guest; /* the timestamp at index is of a guest's counter; world may be UNKNOWN */
	uint64_t timestamp; /* raw */
};

struct csg_world_segments {
	enum csg_hypervisor kind;
	bool assumed; /* kind was chosen from the recording: the trace may contradict it */
	enum csg_vctx_kind vctx_kind;
	bool foreign_ids; /* context IDs of the host name no thread that anybody else names */

	struct csg_context context;
	uint8_t left_el; /* EL that ran right before the current one; unknown after a gap */
	bool resumed;	 /* after a gap or Trace On, neither context nor address seen yet */
	size_t withheld; /* segments at the queue's end that wait for the first of them */
	struct csg_exit exit;

	struct csg_landmarks landmarks;
	struct csg_exit_vectors exit_vectors;
	struct csg_contradiction conflict;	  /* that was found last */
	csg_world_contradiction_fn contradiction; /* NULL: nobody asks */
	void *contradiction_arg;
	struct csg_finder finder; /* of what the packets say of assumptions */
	struct csg_exception_context exception_context;
	uint64_t begun;			/* index of the segment in force */
	struct csg_stretches stretches; /* without VHE */
	bool el2_traced;		/* EL2 was left for EL1 or EL0 without Trace On */
	struct csg_proof proof;
	bool returned; /* the last event was an ERET */
	/* index of the last timestamp of the current stretch, whose counter is known */
	uint64_t stamped_at;
	uint64_t proved_at; /* index where the current stretch's world was proved last, or begins */
	bool astray;	    /* after a contradiction no stretch was proved yet */
	/* segments at the queue's end from that of the last Trace On on; 0: it is gone */
	size_t since_on;

	struct csg_segment *segments; /* that nobody has fetched yet */
	struct csg_ring queue;
	bool failed; /* out of memory: segments are missing */
};

/* kind is neither AUTO nor out of range. */
void csg_world_init(struct csg_world_segments *world, enum csg_hypervisor kind,
		    enum csg_vctx_kind vctx_kind);
void csg_world_fini(struct csg_world_segments *world);

/* Adds a segment for the context in force, as the policy's table has it.  False: out of memory. */
bool csg_world_put(struct csg_world_segments *world, uint64_t index, bool at_context);

/* The n-th last segment of the queue: 1 is the one that was added last. */
static inline struct csg_segment *csg_world_nth_last(const struct csg_world_segments *world,
						     size_t n)
{
	return &world->segments[csg_ring_at(&world->queue, world->queue.count - n)];
}

/* The segment turns out to be who's. */
void csg_world_settle_segment(const struct csg_world_segments *world, struct csg_segment *segment,
			      enum csg_world who, uint32_t evidence);

bool csg_same_context(const struct csg_context *a, const struct csg_context *b);

/* The gap that the segment added last stands after it. */
void csg_world_tell_gap(struct csg_world_segments *world, const struct csg_track_event *event);

/* The segment is nobody's: sources contradict each other. */
void csg_world_dispute_segment(const struct csg_world_segments *world, struct csg_segment *segment);

/* Sources contradict each other from one index to the other, text: what they say. */
void csg_world_contradict(struct csg_world_segments *world, enum csg_contradiction_kind kind,
			  uint64_t begin, uint64_t end, const char *text);

/* The contradiction that was found last reaches to end. */
void csg_world_extend_conflict(struct csg_world_segments *world, uint64_t end);

/* Nothing waits for what is not settled by now. */
void csg_world_release(struct csg_world_segments *world);

/* What to do with each kind of event; NULL: nothing. */
typedef void (*csg_world_step_fn)(struct csg_world_segments *world,
				  const struct csg_track_event *event);
struct csg_world_steps {
	csg_world_step_fn context, trace_on, gap, address, exception, eret;
};

#endif
