/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/time_blocks.h"

#define BLOCK (UINT64_C(1) << CSG_STAMP_BLOCK_BITS)

/* A record of a thread's coming or going, and the trace unit's timestamp of that moment. */
#define SLACK_NS UINT64_C(2000)

enum follows {
	FOLLOWS,   /* less than a block later, or its thread was not there in between */
	IS_LATER,  /* a block later, or several */
	NOT_KNOWN, /* of another counter, at a time that is not known */
	WAITS,	   /* not known yet */
};

/* --- whether the block may have been later --- */

/* Ticks of the physical counter. */
struct later {
	const struct csg_time_conv *conv;
	int32_t tid;
	uint64_t low, high; /* the last timestamp of the block was sent in between */
};

/* Whether its thread was not there a block after the last timestamp, or several; csg_on_cpu_fn. */
static bool is_elsewhere(void *arg, const struct csg_on_cpu *interval)
{
	const struct later *l = arg;
	uint64_t from = interval->from > SLACK_NS ? interval->from - SLACK_NS : 1;
	uint64_t until = csg_time_conv_to_counter(l->conv, interval->until + SLACK_NS), blocks;

	from = csg_time_conv_to_counter(l->conv, from);
	blocks = from > l->high + BLOCK ? (from - l->high + BLOCK - 1) / BLOCK : 1;
	return interval->tid != l->tid || l->low + blocks * BLOCK > until;
}

/* Whether its thread can have been there at such a time, before the timestamp at index. */
static bool may_be_later(const struct csg_time_blocks *b, struct csg_host_clock *clock,
			 uint64_t index)
{
	struct later l = {.conv = &clock->shared->conv, .tid = b->tid};
	struct csg_stamp last, next;

	if (b->tid < 0 || !csg_stamps_find(&clock->stamps, b->index, &last) ||
	    !csg_stamps_find(&clock->stamps, index, &next))
		return true;
	l.low = last.low;
	l.high = last.high;
	return !csg_residency_among(clock->shared->residency, clock->cpu,
				    csg_time_conv_to_ns(l.conv, last.low + BLOCK),
				    csg_time_conv_to_ns(l.conv, next.high), is_elsewhere, &l);
}

/* *ticks: how much later it is. */
static enum follows compare(const struct csg_time_blocks *b, struct csg_host_clock *clock,
			    const struct csg_pending_item *item, uint64_t *ticks)
{
	*ticks = 0;
	if (item->timestamp >= b->last && item->timestamp - b->last < BLOCK)
		return FOLLOWS;
	if (!csg_host_clock_is_settled(clock, item->index))
		return WAITS;
	if (!csg_host_clock_between(clock, b->index, item->index, ticks))
		return NOT_KNOWN;
	return *ticks < BLOCK || !may_be_later(b, clock, item->index) ? FOLLOWS : IS_LATER;
}

/* --- blocks --- */

/*
 * The block ends before the next item, and its end may have been later by these ticks.  Its first
 * timestamp has changed the upper bits: it is right.
 */
static void end_block(struct csg_time_blocks *b, struct csg_pending *pending, uint64_t ticks)
{
	const uint64_t blocks = ticks >> CSG_STAMP_BLOCK_BITS;

	csg_pending_check(pending, b->begin + 1, b->next,
			  (uint16_t)(blocks < UINT16_MAX ? blocks : UINT16_MAX));
	b->any = false;
}

/* A timestamp.  False: whether it follows is not known yet. */
static bool take(struct csg_time_blocks *b, struct csg_pending *pending,
		 struct csg_host_clock *clock, const struct csg_pending_item *item)
{
	enum follows follows;
	uint64_t ticks;

	if (b->any && item->resumed)
		end_block(b, pending, 0);
	if (b->any && !csg_stamps_share_block(item->timestamp, b->last)) {
		follows = compare(b, clock, item, &ticks);
		if (follows == WAITS)
			return false;
		if (follows == NOT_KNOWN)
			return true;
		end_block(b, pending, follows == IS_LATER ? ticks : 0);
	}
	if (!b->any)
		*b = (struct csg_time_blocks){.next = b->next, .begin = b->next, .any = true};
	b->tid = item->host_tid;
	b->last = item->timestamp;
	b->index = item->index;
	return true;
}

void csg_time_blocks_check(struct csg_time_blocks *b, struct csg_pending *pending,
			   struct csg_host_clock *clock, uint64_t until)
{
	const struct csg_pending_item *item;

	while (b->next < until && (item = csg_pending_item(pending, &b->next)) && b->next < until) {
		if (item->is_time && !take(b, pending, clock, item))
			return;
		if (!item->is_time && item->segment.gap)
			end_block(b, pending, 0);
		if (!b->any)
			csg_pending_check(pending, b->next, b->next + 1, 0);
		b->next++;
	}
}
