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

static void look_for_jump(struct csg_time_order *o, const struct csg_ordered_time *last,
			  uint64_t timestamp)
{
	bool jump =
		last->index && timestamp > last->timestamp && jumps(o, timestamp - last->timestamp);

	/* The packet held all that may be wrong. */
	if (timestamp >> AT_LEAST != last->timestamp >> AT_LEAST)
		o->jump = 0;
	else if (jump && !o->jump)
		o->jump = last->index;
}

bool csg_time_order_take(struct csg_time_order *o, int32_t host_tid, uint64_t index,
			 uint64_t timestamp, uint64_t *back)
{
	struct csg_ordered_time *last;

	*back = 0;
	if (o->shift && timestamp >> o->shift != o->previous >> o->shift)
		o->shift = 0;
	o->previous = timestamp;
	if (host_tid <= 0)
		return true;
	last = last_of(o, host_tid);
	if (timestamp < last->timestamp) {
		*back = o->jump ? o->jump : last->index;
		o->shift = bits_of(last->timestamp - timestamp);
	}
	look_for_jump(o, last, timestamp);
	last->index = index;
	last->timestamp = timestamp;
	return !o->shift;
}
