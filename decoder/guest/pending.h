/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Segments of one stream that wait for the timestamps around them.
 *
 * A segment's time is bounded by the last timestamp before it and the first after its end, so it
 * waits for the latter: until a timestamp comes after the next segment's beginning, or a gap, after
 * which time may be any.  A guest's segment also waits for the next timestamp that was sent while
 * the same vCPU thread was in its guest: only such a one is the guest's counter for certain, as
 * around a guest's exits the host may have put the vCPU and taken its offset (CNTVOFF_EL2) away.
 * Timestamps are also sent while nothing is traced, after an exit to an EL2 that is excluded, say:
 * one lies in the guest if the trace goes on after it without Trace On, or ends where nothing had
 * left the guest.
 *
 * Of a guest's kernel the timestamps inside the segment divide it into pieces, of which each may be
 * asked for by itself (csg_pending_divide()): a guest's thread switch lies in few of them.
 *
 * The caller bounds the waiting: csg_pending_release() lets go what is there.
 */
#ifndef DECODER_GUEST_PENDING_H
#define DECODER_GUEST_PENDING_H

#include "csguest/segment.h"
#include "csguest/track.h"
#include "util/ring.h"
#include "world/world.h"

/* Raw timestamps sent while the segment's vCPU thread was in its guest; 0 where there is none. */
struct csg_guest_span {
	uint64_t after, before; /* before the segment's beginning, after its end */
	uint64_t first, last;	/* inside it */
	uint16_t late; /* both of the latter may be by as many blocks later: guest/time_blocks.h */
};

/* The last such timestamp of a vCPU thread before the segments that wait. */
struct csg_guest_time {
	int32_t host_tid;
	uint64_t timestamp;
};
#define CSG_GUEST_TIMES 16 /* vCPU threads of which the last one is remembered */

/* Whether a timestamp was sent while something ran that is traced. */
enum csg_time_proof {
	CSG_TIME_OPEN, /* what comes after it tells */
	CSG_TIME_INSIDE,
	CSG_TIME_ASTRAY, /* or it is not known */
	CSG_TIME_BACK,	 /* inside, and it goes back: those before it may be wrong, and it, too */
};

/* A segment or a timestamp, in the order of the trace. */
struct csg_pending_item {
	bool is_time;
	uint8_t proof; /* of a timestamp: enum csg_time_proof */
	uint16_t late; /* it may have been sent by as many blocks later: guest/time_blocks.h */
	bool resumed;  /* timestamp: trace was off before it, which nothing that ran had caused */
	uint64_t index, timestamp; /* of a timestamp */
	int32_t guest_tid; /* timestamp in a guest's segment: its vCPU's thread; otherwise -1 */
	int32_t host_tid;  /* timestamp: the host's thread by context IDs; otherwise -1 */
	struct csg_segment segment;
	uint64_t after_index,
		before_index; /* of the timestamps around a segment; 0: there is none */
	/* Of the first timestamp with the upper bits of the last one, also before a Trace On; 0 */
	uint64_t block_index;
	uint64_t end;	      /* of a segment: index of the next; 0: not known yet */
	uint64_t from, until; /* host perf times, ns, between which its thread ran; 0: not known */
};

/*
 * A search through the queue that goes on where it stopped: for a timestamp of guest_tid (-1:
 * any).
 */
struct csg_pending_search {
	bool valid, found;
	int32_t guest_tid;
	uint64_t from, at; /* sequence numbers: began at, got to */
};

struct csg_pending {
	bool dated;	  /* the trace has timestamps at all */
	/* they are the guest's while its vCPU is loaded, and somebody wants them */
	bool guest_times;
	/* Where guests have levels: times are of level 1 alone (guest/levels.h); or NULL. */
	const struct csg_attribution_piece *levels;
	struct csg_pending_item *items;
	struct csg_ring queue; /* of items */
	uint64_t taken;	       /* items taken so far: sequence number of the first */
	uint64_t released;     /* items before this sequence number wait no longer */
	uint64_t checked;      /* of timestamps before this one it is known whether they are late */

	struct csg_pending_item *times; /* timestamps not in the queue yet: segments are withheld */
	struct csg_ring time_queue;
	int32_t guest_tid; /* of the last segment in the queue, -1: the host's or unknown */
	int32_t host_tid;  /* of the same */
	bool left;	   /* by an exception or an ERET, and nothing was traced since */
	bool crossed;	   /* an exception or an ERET came since the last timestamp */
	bool resumed;	   /* Trace On came, and none of those before it */
	bool divides;	   /* the segment that was taken last, in pieces */

	uint64_t after, after_index; /* last timestamp that was taken, 0 after a gap */
	uint64_t block, block_index; /* the same, and the first with its upper bits */
	struct csg_guest_time guest_after[CSG_GUEST_TIMES];
	unsigned int guest_after_count;
	struct csg_pending_search any, guest;
	bool failed; /* out of memory */
};

void csg_pending_init(struct csg_pending *pending, bool dated, bool guest_times);
void csg_pending_fini(struct csg_pending *pending);

/* A timestamp at index, in order with the events that world is fed. */
void csg_pending_timestamp(struct csg_pending *pending, uint64_t index, uint64_t timestamp);

/* The next event that is no timestamp: it tells where those before it were sent. */
void csg_pending_goes_on(struct csg_pending *pending, enum csg_track_kind kind);

/* Takes over the segments that world has settled. */
void csg_pending_fill(struct csg_pending *pending, struct csg_world_segments *world);

/* What is in there now waits no longer. */
void csg_pending_release(struct csg_pending *pending);

/*
 * The next item that waits for nothing: a timestamp alone (is_time), or a segment with its
 * bounds, and for a guest's *span.  False where there is none.
 */
bool csg_pending_next(struct csg_pending *pending, struct csg_pending_item *item,
		      struct csg_guest_span *span);

/*
 * The segment that was taken last is to be had in pieces: of each timestamp inside its guest *span
 * gets this one (after) and the next (before).
 */
void csg_pending_divide(struct csg_pending *pending);

/* Whether a timestamp that was taken begins a piece of it. */
bool csg_pending_is_piece(const struct csg_pending *pending, const struct csg_pending_item *item);

/*
 * The item with a sequence number: at least *sequence, which is raised to that of the first that
 * is there; NULL after the last.  Valid until the next call.
 */
const struct csg_pending_item *csg_pending_item(const struct csg_pending *pending,
						uint64_t *sequence);

/* The timestamp with a sequence number that is there is CSG_TIME_BACK, or else not the guest's. */
void csg_pending_distrust(struct csg_pending *pending, uint64_t sequence, bool back);

/* The timestamps from one sequence number up to another are late, or not (0): the next to be
 * checked. */
void csg_pending_check(struct csg_pending *pending, uint64_t from, uint64_t until, uint16_t late);

/* The index of the first segment, or piece of one, that waits; UINT64_MAX: none. */
uint64_t csg_pending_index(const struct csg_pending *pending);

#endif
