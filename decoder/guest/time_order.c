/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/time_order.h"

#define GROUP 7	    /* bits of a timestamp in a byte of its packet */
#define AT_LEAST 14 /* bits: most packets have two such bytes or more */
#define JUMP 8	    /* times as far apart as timestamps usually are */
#define AT_MOST 56  /* the last byte has 8 */

void csg_time_order_break(struct csg_time_order *order)
{
	*order = (struct csg_time_order){0};
}

static struct csg_ordered_time *last_of(struct csg_time_order *o, int32_t host_tid)
{
	for (unsigned int i = 0; i < o->count; i++)
		if (o->last[i].host_tid == host_tid)
			return &o->last[i];
	if (o->count == CSG_TIME_ORDER_THREADS)
		o->count = 0;
	o->last[o->count] = (struct csg_ordered_time){.host_tid = host_tid};
	return &o->last[o->count++];
}

/* How many bits a packet may have held that goes back so far. */
static unsigned int bits_of(uint64_t distance)
{
	unsigned int bits = AT_LEAST;

	while (bits < AT_MOST && distance >> bits)
		bits += GROUP;
	return bits;
}

/* Whether a timestamp lies much further from the last one than those before. */
static bool jumps(struct csg_time_order *o, uint64_t apart)
{
	if (o->usual && apart / JUMP > o->usual)
		return true;
	if (!o->usual || apart < o->usual / 2)
		o->usual = apart;
	o->usual = (15 * o->usual + apart) / 16;
	return false;
}

/* The timestamp goes back.  others: timestamps that were not the guest's came since the last
 * one. */
static void go_back(struct csg_time_order *o, const struct csg_ordered_time *last,
		    uint64_t previous, uint64_t index, uint64_t timestamp, struct csg_time_gap *gap)
{
	const uint64_t distance = last->timestamp - timestamp;
	const bool others = previous != last->timestamp;
	const unsigned int bits = bits_of(distance);
	const bool right = others && (timestamp ^ previous) >> bits;

	/* With the upper bits of the one before, what is missing is missing here. */
	gap->from = (right || distance >> AT_LEAST) && last->jump ? last->jump : last->index;
	gap->until = last->left ? last->left : index;
	/* Nobody believed it. */
	if (last->wrong)
		*gap = (struct csg_time_gap){0};
	o->shift = right ? 0 : bits;
}

bool csg_time_order_take(struct csg_time_order *o, int32_t host_tid, uint64_t index,
			 uint64_t timestamp, struct csg_time_gap *gap)
{
	const uint64_t previous = o->previous;
	const bool restated = timestamp >> AT_LEAST != previous >> AT_LEAST;
	struct csg_ordered_time *last;

	*gap = (struct csg_time_gap){0};
	if (o->shift && timestamp >> o->shift != previous >> o->shift)
		o->shift = 0;
	o->previous = timestamp;
	if (o->host_tid > 0 && o->host_tid != host_tid)
		last_of(o, o->host_tid)->left = index;
	o->host_tid = host_tid;
	if (host_tid <= 0)
		return true;
	last = last_of(o, host_tid);
	if (timestamp < last->timestamp) {
		go_back(o, last, previous, index, timestamp, gap);
		last->jump = 0;
	} else if (previous != last->timestamp || restated) {
		last->jump = 0;
	} else if (jumps(o, timestamp - last->timestamp) && !last->jump) {
		last->jump = last->index;
	}
	last->index = index;
	last->timestamp = timestamp;
	last->left = 0;
	last->wrong = o->shift;
	return !last->wrong;
}
