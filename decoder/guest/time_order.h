/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timestamps of guests that go back.
 *
 * While a vCPU is loaded on a CPU, its counter does not go back.  A timestamp packet holds the low
 * bits that have changed since the one before (ETMv4 architecture, "Timestamp packets": groups of 7
 * bits).  So where trace is missing and nothing says so, or pages of it have changed places, the
 * upper bits are those from before, and the value is too low by a power of two.  From such a
 * timestamp on, the bits above those that its packet may hold are wrong until a packet changes one
 * of them: a packet holds all bits up to the highest that changes.
 *
 * A loss that leaves the value higher than the one before shows as a jump, as a CPU that waited
 * does. Where a timestamp goes back later, and the upper bits have not changed in between, the loss
 * may be at that jump.  What came in between of other counters has restated the upper bits: the
 * guest's were wrong up to there, and are right again.
 */
#ifndef DECODER_GUEST_TIME_ORDER_H
#define DECODER_GUEST_TIME_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define CSG_TIME_ORDER_THREADS 16 /* vCPU threads of which the last timestamp is remembered */

struct csg_ordered_time {
	int32_t host_tid;
	uint64_t index, timestamp;
	uint64_t jump; /* index of the one before the first jump that may be a loss; 0: none */
	uint64_t left; /* index of the first timestamp that was not its own since; 0: none */
	bool wrong;    /* its upper bits may be */
};

/* Of one stream.  All zero is the beginning. */
struct csg_time_order {
	uint64_t previous;  /* the last timestamp, whoever's */
	unsigned int shift; /* bits from this one on may be from before a loss; 0: none */
	struct csg_ordered_time last[CSG_TIME_ORDER_THREADS];
	unsigned int count;
	uint64_t usual;	  /* what lies between two timestamps of a guest; 0: not known */
	int32_t host_tid; /* of the last timestamp; 0 or less: no guest's */
};

/* Trace was lost and that is known: nothing is compared with what came before. */
void csg_time_order_break(struct csg_time_order *order);

/* Where a timestamp that goes back shows that trace is missing: bytes of the stream. */
struct csg_time_gap {
	uint64_t from, until; /* 0: it does not go back */
};

/*
 * The next timestamp of the stream, at index; host_tid: of the vCPU's thread in whose guest it was
 * sent, or -1.  False: its upper bits may be wrong.
 */
bool csg_time_order_take(struct csg_time_order *order, int32_t host_tid, uint64_t index,
			 uint64_t timestamp, struct csg_time_gap *gap);

#endif
