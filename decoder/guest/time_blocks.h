/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timestamps that may be too low after a silent loss.
 *
 * A timestamp packet holds the low bits that have changed since the one before it, in groups of 7
 * (ETMv4 architecture, "Timestamp packets"); the decoder takes the upper bits from before.  After
 * trace that was lost and not marked, these are from before the loss, and the value is too low by a
 * multiple of 2^14 (most packets hold two groups or more) until a packet changes one of them.
 * Where it is still higher than the one before the loss, nothing goes back (guest/time_order.h).
 *
 * But the timestamp that changes the upper bits is right, and at least as much later than the one
 * before it.  So timestamps with equal upper bits, a block, are right if the first one after them
 * comes less than 2^14 ticks after the last of them.  Where that is of another counter, as the
 * guest was left, the physical counter at both says it.  Else the CPU waited, or the block is too
 * low from some place on.  The latter can only be if its thread was on the CPU at the last
 * timestamp of the block and a multiple of 2^14 ticks, before the next one.  The host's records say
 * whether; a thread that waits is mostly not.  Where the trace was off in between, and nothing that
 * ran has caused that (a window ended), it takes the time, and they are right.  Timestamps that may
 * be too low are late: sent at their value or later.
 *
 * Not looked for: multiples of 2^21 after a loss of as many ticks, in which no timestamp of another
 * counter was sent; and multiples of 2^7, which last for two timestamps.
 */
#ifndef DECODER_GUEST_TIME_BLOCKS_H
#define DECODER_GUEST_TIME_BLOCKS_H

#include "guest/facts/host_clock.h"
#include "guest/pending.h"

/* Of one stream.  All zero is the beginning. */
struct csg_time_blocks {
	uint64_t next;	      /* sequence number of the first item that was not looked at */
	uint64_t begin;	      /* of the first timestamp of the block */
	uint64_t last, index; /* of its last timestamp: value, place */
	int32_t tid;	      /* the host's thread in which that was sent; -1: not known */
	bool any;	      /* there is a block */
};

/* Looks at the items before a sequence number, and says of blocks that ended whether they are
 * late. */
void csg_time_blocks_check(struct csg_time_blocks *blocks, struct csg_pending *pending,
			   struct csg_host_clock *clock, uint64_t until);

#endif
