/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/pending.h"

#include <stdlib.h>

#include "clock/stamp.h"
#include "csguest/element.h"
#include "guest/levels.h"

#define ANY_TIME (-1)

void csg_pending_init(struct csg_pending *p, bool dated, bool guest_times)
{
	*p = (struct csg_pending){.dated = dated,
				  .guest_times = dated && guest_times,
				  .guest_tid = -1,
				  .host_tid = -1};
}

void csg_pending_fini(struct csg_pending *p)
{
	free(p->items);
	free(p->times);
	*p = (struct csg_pending){0};
}

static struct csg_pending_item *item_at(const struct csg_pending *p, uint64_t sequence)
{
	return &p->items[csg_ring_at(&p->queue, sequence - p->taken)];
}

/* The i-th of the timestamps that are not in the queue yet. */
static struct csg_pending_item *time_at(const struct csg_pending *p, size_t i)
{
	return &p->times[csg_ring_at(&p->time_queue, i)];
}

static uint64_t end_of(const struct csg_pending *p)
{
	return p->taken + p->queue.count;
}

/* --- in --- */

static bool append(struct csg_pending *p, const struct csg_pending_item *item)
{
	if (csg_ring_grow(&p->queue, (void **)&p->items, sizeof(*p->items))) {
		p->failed = true;
		return false;
	}
	p->items[csg_ring_push(&p->queue)] = *item;
	return true;
}

void csg_pending_timestamp(struct csg_pending *p, uint64_t index, uint64_t timestamp)
{
	const struct csg_pending_item item = {
		.is_time = true, .index = index, .timestamp = timestamp, .resumed = p->resumed};

	if (!p->dated || !timestamp)
		return;
	p->resumed = p->crossed = false;
	if (csg_ring_grow(&p->time_queue, (void **)&p->times, sizeof(*p->times)))
		p->failed = true;
	else
		p->times[csg_ring_push(&p->time_queue)] = item;
}

/* Timestamps that lie before index, after the segments in the queue. */
static void append_times(struct csg_pending *p, uint64_t index)
{
	while (p->time_queue.count && time_at(p, 0)->index < index) {
		struct csg_pending_item *time = time_at(p, 0);

		time->guest_tid = p->guest_tid;
		time->host_tid = p->host_tid;
		if (!append(p, time))
			return;
		csg_ring_pop(&p->time_queue);
	}
}

/* The newest timestamps that are open; true: all are. */
static bool decide(struct csg_pending_item *items, const struct csg_ring *queue,
		   enum csg_time_proof proof)
{
	for (size_t i = queue->count; i-- > 0;) {
		struct csg_pending_item *item = &items[csg_ring_at(queue, i)];

		if (!item->is_time || item->proof != CSG_TIME_OPEN)
			return false;
		item->proof = (uint8_t)proof;
	}
	return true;
}

static void decide_all(struct csg_pending *p, enum csg_time_proof proof)
{
	/* Those that are not in the queue yet are the last. */
	if (decide(p->times, &p->time_queue, proof))
		decide(p->items, &p->queue, proof);
}

/* Nothing more is seen of what ran. */
static void decide_at_end(struct csg_pending *p)
{
	decide_all(p, p->left ? CSG_TIME_ASTRAY : CSG_TIME_INSIDE);
}

void csg_pending_goes_on(struct csg_pending *p, enum csg_track_kind kind)
{
	switch (kind) {
	case CSG_TRACK_CONTEXT:
	case CSG_TRACK_ADDRESS:
	case CSG_TRACK_EXCEPTION:
	case CSG_TRACK_ERET:
	case CSG_TRACK_ATOM:
		decide_all(p, CSG_TIME_INSIDE);
		break;
	case CSG_TRACK_TRACE_ON:
		p->resumed |= !p->crossed;
		decide_all(p, CSG_TIME_ASTRAY);
		break;
	default:
		decide_at_end(p);
		break;
	}
	p->left = kind == CSG_TRACK_EXCEPTION || kind == CSG_TRACK_ERET;
	p->crossed |= p->left;
}

static const struct csg_guest_time *guest_time(const struct csg_pending *p, int32_t host_tid)
{
	for (unsigned int i = 0; i < p->guest_after_count; i++)
		if (p->guest_after[i].host_tid == host_tid)
			return &p->guest_after[i];
	return NULL;
}

/*
 * Whether a guest's timestamps are wanted around it: an open one may turn out to be a vCPU's
 * guest.
 */
static bool is_guest(const struct csg_pending *p, const struct csg_segment *segment)
{
	if (!p->guest_times || segment->owner.host_tid <= 0 ||
	    (p->levels && !csg_level_is_steady(p->levels, segment->index)))
		return false;
	return segment->owner.world == CSG_WORLD_GUEST ||
	       (segment->open && guest_time(p, segment->owner.host_tid));
}

void csg_pending_fill(struct csg_pending *p, struct csg_world_segments *world)
{
	struct csg_pending_item item = {.is_time = false};

	while (csg_world_next(world, &item.segment)) {
		append_times(p, item.segment.index);
		if (!append(p, &item))
			return;
		p->guest_tid = -1;
		p->host_tid = item.segment.owner.host_tid;
		if (item.segment.owner.world == CSG_WORLD_GUEST && is_guest(p, &item.segment))
			p->guest_tid = item.segment.owner.host_tid;
	}
	append_times(p, csg_world_settled_to(world));
	if (world->failed)
		p->failed = true;
}

void csg_pending_release(struct csg_pending *p)
{
	decide_at_end(p);
	p->released = end_of(p);
	if (p->checked < p->released)
		p->checked = p->released;
}

/* --- out --- */

static bool is_gap(const struct csg_pending_item *item)
{
	return !item->is_time && item->segment.gap;
}

static bool is_time_of(const struct csg_pending_item *item, int32_t guest_tid)
{
	return item->is_time &&
	       (guest_tid == ANY_TIME ||
		(item->guest_tid == guest_tid && !item->late && item->proof == CSG_TIME_INSIDE));
}

/* Trace of that guest is missing before it: nothing on the other side is a bound. */
static bool is_back_of(const struct csg_pending_item *item, int32_t guest_tid)
{
	return item->is_time && item->guest_tid == guest_tid && item->proof == CSG_TIME_BACK;
}

/*
 * Searches from a sequence number on for a timestamp of guest_tid, or a gap: true with *at when
 * there is one.  What was looked through for an earlier segment is not looked through again.
 */
static bool search(const struct csg_pending *p, struct csg_pending_search *s, int32_t guest_tid,
		   uint64_t from, uint64_t *at)
{
	if (!s->valid || s->guest_tid != guest_tid || from < s->from || s->at < from)
		*s = (struct csg_pending_search){
			.valid = true, .guest_tid = guest_tid, .from = from, .at = from};
	for (; !s->found && s->at < end_of(p); s->at++) {
		const struct csg_pending_item *item = item_at(p, s->at);

		if (guest_tid != ANY_TIME && item->is_time &&
		    (item->proof == CSG_TIME_OPEN || s->at >= p->checked))
			break;
		s->found =
			is_gap(item) || is_time_of(item, guest_tid) || is_back_of(item, guest_tid);
		if (s->found)
			break;
	}
	*at = s->at;
	return s->found;
}

/* The timestamp at a place that search() found; 0 for a gap. */
static uint64_t timestamp_at(const struct csg_pending *p, uint64_t at)
{
	return item_at(p, at)->is_time ? item_at(p, at)->timestamp : 0;
}

/* The same of a guest's; 0 as well where its time goes back. */
static uint64_t guest_timestamp_at(const struct csg_pending *p, uint64_t at)
{
	return item_at(p, at)->proof == CSG_TIME_BACK ? 0 : timestamp_at(p, at);
}

/*
 * The sequence number of the segment after the first item, a segment; end_of() where there is
 * none.
 */
static uint64_t next_segment(const struct csg_pending *p)
{
	uint64_t at = p->taken + 1;

	while (at < end_of(p) && item_at(p, at)->is_time)
		at++;
	return at;
}

static void remember_guest_time(struct csg_pending *p, int32_t host_tid, uint64_t timestamp)
{
	const struct csg_guest_time *known = guest_time(p, host_tid);
	size_t at = known ? (size_t)(known - p->guest_after) : p->guest_after_count;

	if (at == CSG_GUEST_TIMES)
		at = p->guest_after_count = 0;
	if (!known)
		p->guest_after_count++;
	p->guest_after[at] = (struct csg_guest_time){host_tid, timestamp};
}

/*
 * Timestamps inside the first item, a segment that ends at the sequence number end: those that are
 * not late.  In user code, where no thread is switched, late ones are better than none.
 */
static void look_inside(const struct csg_pending *p, uint64_t end, bool user,
			struct csg_guest_span *span)
{
	bool back = false;

	for (uint64_t at = p->taken + 1; at < end; at++) {
		const struct csg_pending_item *item = item_at(p, at);

		back |= item->proof == CSG_TIME_BACK;
		if (item->proof != CSG_TIME_INSIDE ||
		    (item->late && (!user || (span->first && !span->late))))
			continue;
		if (!span->first || (span->late && !item->late))
			span->first = item->timestamp;
		span->last = item->timestamp;
		span->late = item->late;
	}
	if (back)
		span->first = span->last = span->before = 0;
}

static void drop_first(struct csg_pending *p)
{
	p->taken++;
	csg_ring_pop(&p->queue);
}

bool csg_pending_is_piece(const struct csg_pending *p, const struct csg_pending_item *item)
{
	return p->divides && item->is_time && item->guest_tid > 0 && item->proof == CSG_TIME_INSIDE;
}

/* What is known of the piece that begins at the first item; false: its end is still to come. */
static bool look_at_piece(struct csg_pending *p, int32_t guest_tid, struct csg_guest_span *span)
{
	uint64_t at;

	span->after = item_at(p, p->taken)->timestamp;
	if (!search(p, &p->guest, guest_tid, p->taken + 1, &at))
		return p->taken < p->released;
	span->before = guest_timestamp_at(p, at);
	return true;
}

/* Timestamps with the same upper bits lack the same ones after a silent loss. */
static void take_block(struct csg_pending *p, const struct csg_pending_item *item)
{
	if (!p->block_index || !csg_stamps_share_block(item->timestamp, p->block))
		p->block_index = item->index;
	p->block = item->timestamp;
}

static bool take_time(struct csg_pending *p, struct csg_pending_item *item,
		      struct csg_guest_span *span)
{
	if (item->proof == CSG_TIME_OPEN ||
	    (csg_pending_is_piece(p, item) && !look_at_piece(p, item->guest_tid, span)))
		return false;
	take_block(p, item);
	p->after = item->timestamp;
	p->after_index = item->index;
	if (item->guest_tid > 0 && item->proof == CSG_TIME_INSIDE)
		remember_guest_time(p, item->guest_tid, item->timestamp);
	if (item->proof == CSG_TIME_BACK)
		remember_guest_time(p, item->guest_tid, 0);
	drop_first(p);
	return true;
}

/* The first timestamp after the first item, a segment, or a gap. */
static void look_at(const struct csg_pending *p, uint64_t at, struct csg_pending_item *item)
{
	item->segment.before = timestamp_at(p, at);
	item->before_index = item->segment.before ? item_at(p, at)->index : 0;
}

/* What is after the first item, a segment; false: some of it is still to come. */
static bool look_ahead(struct csg_pending *p, struct csg_pending_item *item,
		       struct csg_guest_span *span)
{
	const struct csg_segment *segment = &item->segment;
	uint64_t end = next_segment(p), at;
	bool known = end < end_of(p);

	if (!known && p->taken >= p->released)
		return false;
	if (search(p, &p->any, ANY_TIME, end, &at))
		look_at(p, at, item);
	else
		known = false;
	if (!is_guest(p, segment))
		return known;
	known &= end <= p->checked;
	if (search(p, &p->guest, segment->owner.host_tid, end, &at))
		span->before = guest_timestamp_at(p, at);
	else
		known = false;
	look_inside(p, end, segment->owner.privilege == CSG_USER, span);
	return known;
}

/* Where the first item, a segment, ends, if that is there already. */
static uint64_t end_index(const struct csg_pending *p)
{
	uint64_t end = next_segment(p);

	return end < end_of(p) ? item_at(p, end)->segment.index : 0;
}

static void look_before(struct csg_pending *p, struct csg_pending_item *item,
			struct csg_guest_span *span)
{
	struct csg_segment *segment = &item->segment;
	const struct csg_guest_time *time = guest_time(p, segment->owner.host_tid);

	if (segment->gap && segment->gap != CSG_GAP_TRACE_ON)
		p->block_index = 0;
	item->block_index = p->block_index;
	if (segment->gap) {
		p->after = p->after_index = 0;
		p->guest_after_count = 0;
		return;
	}
	segment->after = p->after;
	item->after_index = p->after_index;
	if (time && is_guest(p, segment))
		span->after = time->timestamp;
}

bool csg_pending_next(struct csg_pending *p, struct csg_pending_item *item,
		      struct csg_guest_span *span)
{
	*span = (struct csg_guest_span){0};
	if (!p->queue.count)
		return false;
	*item = *item_at(p, p->taken);
	if (item->is_time)
		return take_time(p, item, span);
	if (p->dated && !look_ahead(p, item, span) && p->taken >= p->released)
		return false;
	look_before(p, item, span);
	item->end = end_index(p);
	p->divides = false;
	drop_first(p);
	return true;
}

void csg_pending_divide(struct csg_pending *p)
{
	p->divides = true;
}

uint64_t csg_pending_index(const struct csg_pending *p)
{
	for (uint64_t at = p->taken; at < end_of(p); at++)
		if (!item_at(p, at)->is_time)
			return item_at(p, at)->segment.index;
		else if (p->divides)
			return item_at(p, at)->index;
	return p->divides && p->time_queue.count ? time_at(p, 0)->index : UINT64_MAX;
}

const struct csg_pending_item *csg_pending_item(const struct csg_pending *p, uint64_t *sequence)
{
	if (*sequence < p->taken)
		*sequence = p->taken;
	return *sequence < end_of(p) ? item_at(p, *sequence) : NULL;
}

void csg_pending_distrust(struct csg_pending *p, uint64_t sequence, bool back)
{
	item_at(p, sequence)->proof = back ? CSG_TIME_BACK : CSG_TIME_ASTRAY;
}

void csg_pending_check(struct csg_pending *p, uint64_t from, uint64_t until, uint16_t late)
{
	for (uint64_t at = from > p->taken ? from : p->taken; late && at < until; at++)
		item_at(p, at)->late = late;
	if (p->checked < until)
		p->checked = until;
}
