/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/stamps.h"

#include <stdlib.h>
#include <string.h>

#include "clock/stamp_settle.h"
#include "util/array.h"

#define QUEUE_MAX (1u << 16) /* timestamps kept */

void csg_stamps_init(struct csg_stamps *s, struct csg_offsets *offsets, csg_stamp_whose_fn whose,
		     void *arg)
{
	*s = (struct csg_stamps){
		.offsets = offsets, .whose = whose, .arg = arg, .ceiling = UINT64_MAX};
}

void csg_stamps_fini(struct csg_stamps *s)
{
	free(s->queue);
	s->queue = NULL;
	s->first = s->settled = s->waiting = s->fresh = s->capacity = 0;
}

/* Nothing is concluded from it, nor from what was settled before. */
static void leave_open(struct csg_stamps *s, struct csg_stamp *stamp)
{
	s->settled++;
	s->anchor = s->floor;
	s->anchored = false;
	stamp->low = s->floor;
	stamp->high = s->ceiling;
}

/* A physical timestamp, after all that waits. */
static void on_physical(struct csg_stamps *s, struct csg_stamp *stamp)
{
	if (stamp->raw < s->anchor || stamp->raw > s->ceiling) {
		/* Which of the two is wrong nobody knows: neither counts. */
		csg_stamp_doubt(s, stamp - s->waiting, s->waiting + 1);
		csg_found(&s->finder, CSG_ASSUMPTION_TIMESTAMP_DOMAIN, false, stamp->index);
		csg_stamps_settle_waiting(s, s->ceiling, false);
		s->conflicts++;
		s->doubts = true;
		s->doubted = stamp->raw >> CSG_STAMP_BLOCK_BITS;
		leave_open(s, stamp);
		return;
	}
	if (s->anchored || (s->floor && s->ceiling != UINT64_MAX))
		csg_found(&s->finder, CSG_ASSUMPTION_TIMESTAMP_DOMAIN, true, stamp->index);
	csg_stamps_settle_waiting(s, stamp->raw, true);
	s->doubts = csg_stamp_is_doubted(s, stamp);
	if (s->doubts) {
		stamp->may = 0;
		leave_open(s, stamp);
		return;
	}
	stamp->low = stamp->high = s->anchor = stamp->raw;
	s->anchored = true;
	s->settled++;
}

static void drop_first(struct csg_stamps *s)
{
	s->first++;
	if (s->asked)
		s->asked--;
	if (s->settled)
		s->settled--;
	else if (s->waiting)
		s->waiting--;
	else
		s->fresh--;
}

static bool make_room(struct csg_stamps *s)
{
	size_t count = s->settled + s->waiting + s->fresh;

	if (count >= QUEUE_MAX) {
		/* What waits is settled as it stands before it is dropped. */
		if (!s->settled)
			csg_stamps_settle_waiting(s, s->ceiling, false);
		drop_first(s);
		s->dropped++;
	}
	if (s->first + count < s->capacity)
		return true;
	if (s->first && s->first >= s->capacity / 2) {
		memmove(s->queue, s->queue + s->first, count * sizeof(*s->queue));
		s->first = 0;
		return true;
	}
	return !csg_array_grow((void **)&s->queue, s->capacity, &s->capacity, sizeof(*s->queue));
}

void csg_stamps_begin(struct csg_stamps *s, uint64_t floor, uint64_t ceiling)
{
	csg_stamps_settle(s);
	s->floor = s->anchor = floor;
	s->ceiling = ceiling;
	s->anchored = false;
}

void csg_stamps_continue(struct csg_stamps *s, uint64_t ceiling)
{
	csg_stamps_settle(s);
	s->ceiling = ceiling;
}

void csg_stamps_add(struct csg_stamps *s, uint64_t index, uint64_t raw, bool traced)
{
	const bool again = raw == s->last;

	s->last = raw;
	if (!make_room(s)) {
		s->failed = true;
		return;
	}
	s->queue[s->first + s->settled + s->waiting + s->fresh++] = (struct csg_stamp){
		.index = index,
		.raw = raw,
		.high = UINT64_MAX,
		.vm = CSG_STAMP_ANY_VM,
		.may = CSG_STAMP_EITHER,
		.traced = traced && !again,
	};
}

void csg_stamps_tell(struct csg_stamps *s, uint64_t index, uint8_t may, int32_t vm)
{
	while (s->fresh) {
		struct csg_stamp *stamp = &s->queue[s->first + s->settled + s->waiting];

		if (stamp->index >= index)
			return;
		stamp->may = may;
		/* A guest ran all the same: the sideband does not know of all vCPUs. */
		if (!vm && stamp->may == CSG_STAMP_LOADED)
			continue;
		stamp->vm = vm;
		s->fresh--;
		s->doubts = csg_stamp_is_doubted(s, stamp);
		/* A guest that was taken for the host's process: its own are right. */
		if (s->doubts && may != CSG_STAMP_LOADED)
			stamp->may = 0;
		if (stamp->may == CSG_STAMP_PHYSICAL && csg_stamp_is_counter(stamp->raw))
			on_physical(s, stamp);
		else
			s->waiting++;
	}
}

void csg_stamps_settle(struct csg_stamps *s)
{
	s->waiting += s->fresh;
	s->fresh = 0;
	csg_stamps_settle_waiting(s, s->ceiling, false);
}

/* Forgets what is settled and was asked for. */
static void drop_asked(struct csg_stamps *s)
{
	size_t n = s->asked < s->settled ? s->asked : s->settled;

	s->first += n;
	s->settled -= n;
	s->asked -= n;
}

void csg_stamps_forget(struct csg_stamps *s, uint64_t index)
{
	size_t count = s->settled + s->waiting + s->fresh;

	while (s->asked < count && s->queue[s->first + s->asked].index < index)
		s->asked++;
	drop_asked(s);
}

/* Where the stamp at index is, or would be, in a queue of this many. */
static size_t place_of(const struct csg_stamp *queue, size_t count, uint64_t index)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (queue[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t csg_stamps_before(const struct csg_stamps *s, uint64_t index)
{
	const struct csg_stamp *queue = s->queue + s->first;
	size_t count = s->settled + s->waiting + s->fresh;
	size_t after = index == UINT64_MAX ? count : place_of(queue, count, index + 1);

	return after ? queue[after - 1].index : 0;
}

bool csg_stamps_find(struct csg_stamps *s, uint64_t index, struct csg_stamp *stamp)
{
	const struct csg_stamp *queue = s->queue + s->first;
	size_t count = s->settled + s->waiting + s->fresh, place = s->found - s->first;

	/* It is mostly the same as before, or the next. */
	if (place < count && queue[place].index < index)
		place++;
	if (place >= count || queue[place].index != index)
		place = place_of(queue, count, index);
	if (place == count || queue[place].index != index)
		return false;
	s->found = s->first + place;
	*stamp = queue[place];
	if (place >= s->settled)
		csg_stamp_read(s->offsets, csg_offsets_find, stamp, s->anchor, s->ceiling);
	return true;
}

/* Whether it is known to be one of the two, and fits as such. */
static bool is_read(const struct csg_stamp *stamp)
{
	if (!csg_stamp_is_counter(stamp->raw) || stamp->may == CSG_STAMP_EITHER)
		return false;
	return stamp->may == CSG_STAMP_LOADED
		       ? stamp->vm > 0
		       : stamp->low == stamp->raw && stamp->high == stamp->raw;
}

uint8_t csg_stamps_reading(const struct csg_stamps *s, uint64_t from, uint64_t to,
			   struct csg_stamp *first, struct csg_stamp *last)
{
	const struct csg_stamp *queue = s->queue + s->first;
	uint8_t readings = 0;

	for (size_t i = place_of(queue, s->settled, from); i < s->settled && queue[i].index < to;
	     i++) {
		if (!queue[i].traced || !is_read(&queue[i]))
			continue;
		if (!readings)
			*first = queue[i];
		*last = queue[i];
		readings |= queue[i].may;
	}
	return readings;
}

uint64_t csg_stamps_settled_to(const struct csg_stamps *s)
{
	return s->waiting + s->fresh ? s->queue[s->first + s->settled].index : UINT64_MAX;
}
