/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/slice_clock.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define PENDING_MAX 65536u
/* Longer between two timestamps of unsure clocks: another guest's, or the host's.  Offsets of VMs
 * are their age, which is more. */
#define SAME_CLOCK_MAX 500000000u
/* This long, and this many times as long as bytes say: a clock that changes did. */
#define CHANGED_MIN 1000000u
#define CHANGED 64
#define RATE_GUESS 2.0 /* before two timestamps have been seen */

void csg_slice_clock_init(struct csg_slice_clock *c, bool by_bytes)
{
	memset(c, 0, sizeof(*c));
	c->by_bytes = by_bytes;
}

void csg_slice_clock_fini(struct csg_slice_clock *c)
{
	free(c->slices);
	memset(c, 0, sizeof(*c));
}

struct csg_slice *csg_slice_clock_open(struct csg_slice_clock *c)
{
	return c->n ? &c->slices[c->n - 1].slice : NULL;
}

/* Room for one more: moves to the front before it grows. */
static int make_room(struct csg_slice_clock *c)
{
	if (c->first > c->capacity / 2 && c->n == c->capacity) {
		memmove(c->slices, c->slices + c->first, (c->n - c->first) * sizeof(*c->slices));
		c->n -= c->first;
		c->placed -= c->first;
		c->dated -= c->first;
		c->first = 0;
		return 0;
	}
	return csg_array_grow((void **)&c->slices, c->n, &c->capacity, sizeof(*c->slices));
}

/* --- counted time: what passed between two marks, shared out --- */

/* Bytes that a slice has between the last mark and index. */
static double bytes_of(const struct csg_slice_clock *c, size_t i, uint64_t index)
{
	uint64_t from = c->slices[i].slice.index;
	uint64_t to = i + 1 < c->n ? c->slices[i + 1].slice.index : index;

	if (c->marked && from < c->mark_index)
		from = c->mark_index;
	return to > from ? (double)(to - from) : 0;
}

/* The first slice that is open at the last mark or begins after it. */
static size_t since_mark(const struct csg_slice_clock *c)
{
	return c->placed > c->first ? c->placed - 1 : c->first;
}

/* Whether a clock went on since the last mark: bytes account for it, or something stood still. */
static bool goes_on(const struct csg_slice_clock *c, uint64_t index, uint64_t time)
{
	const uint64_t passed = time - c->mark_time, bytes = index - c->mark_index;
	const double rate = c->rate > 0 ? c->rate : RATE_GUESS;

	if (passed > SAME_CLOCK_MAX)
		return false;
	if (!c->changes || passed < CHANGED_MIN)
		return true;
	for (size_t i = since_mark(c); i < c->n; i++)
		if (c->slices[i].slack)
			return true;
	return (double)passed <= CHANGED * rate * (double)bytes;
}

/* Time between the last mark and the current one, by its clock; negative: it does not tell. */
static double elapsed(const struct csg_slice_clock *c, uint64_t index, uint64_t time,
		      uint64_t clock)
{
	const bool sure =
		clock == c->mark_clock && clock != CSG_CLOCK_UNSURE && clock != CSG_CLOCK_GUEST;

	if (!c->marked || time < c->mark_time)
		return -1;
	if ((clock == CSG_CLOCK_HOST) != (c->mark_clock == CSG_CLOCK_HOST))
		return -1;
	return sure || goes_on(c, index, time) ? (double)(time - c->mark_time) : -1;
}

/* What is shared: bytes, and how often slices stood still, in guests and otherwise. */
struct share {
	double bytes, total, rate, slack, guest;
	double guests; /* of total, time of the guests; 0: not known */
};

/* What a slice gets of the time between two marks that is not known to be guests'. */
static double share_of_rest(const struct share *s, double bytes, uint32_t slack)
{
	const double by_rate = s->bytes * s->rate, total = s->total - s->guests;
	const double all = s->guests > 0 ? s->slack - s->guest : s->slack;

	if (all > 0 && total > by_rate)
		return bytes * s->rate + (total - by_rate) * slack / all;
	return s->bytes > 0 ? total * bytes / s->bytes : 0;
}

/* What a slice gets of the time between two marks. */
static double share_of(const struct share *s, double bytes, const struct csg_slice_pending *p)
{
	if (s->guests <= 0)
		return share_of_rest(s, bytes, p->slack);
	return s->guests * p->guest / s->guest + share_of_rest(s, bytes, p->slack - p->guest);
}

/* Counts on to index; total is the time that passed, negative: not known; guests: what guests had
 * of it. */
static void count_to(struct csg_slice_clock *c, uint64_t index, double total, uint64_t guests)
{
	struct share s = {.rate = c->rate > 0 ? c->rate : RATE_GUESS};
	size_t from = since_mark(c);
	double at = c->now;

	for (size_t i = from; i < c->n; i++) {
		s.bytes += bytes_of(c, i, index);
		s.slack += c->slices[i].slack;
		s.guest += c->slices[i].guest;
	}
	s.total = total >= 0 ? total : s.bytes * s.rate;
	if (s.guest > 0 && total > 0)
		s.guests = (double)guests < total ? (double)guests : total;
	for (size_t i = from; i < c->n; i++) {
		if (i >= c->placed)
			c->slices[i].at = at;
		at += share_of(&s, bytes_of(c, i, index), &c->slices[i]);
		c->slices[i].slack = c->slices[i].guest = 0;
	}
	c->placed = c->n;
	c->now += s.total;
	if (total >= 0 && s.slack <= 0 && s.bytes > 0)
		c->rate = c->rate > 0 ? (7 * c->rate + total / s.bytes) / 8 : total / s.bytes;
}

/* --- real time --- */

static uint64_t real_time(const struct csg_slice_clock *c, double at, uint64_t time)
{
	double from = (double)c->anchor_time, span = c->now - c->anchor_at, t;

	if (!c->anchored)
		t = (double)time - (c->now - at);
	else if (span > 0)
		t = from + (at - c->anchor_at) / span * ((double)time - from);
	else
		t = from;
	return t > 0 ? (uint64_t)t : 0;
}

/* It is time now: everything counted so far is dated. */
static void date(struct csg_slice_clock *c, uint64_t time)
{
	for (; c->dated < c->placed; c->dated++) {
		struct csg_slice_pending *p = &c->slices[c->dated];

		p->slice.begin = real_time(c, p->at, time);
		if (c->dated > c->first)
			c->slices[c->dated - 1].slice.end = p->slice.begin;
	}
	c->anchored = true;
	c->anchor_time = time;
	c->anchor_at = c->now;
}

/* Where the clock would be if it went on as counted. */
static uint64_t counted_time(const struct csg_slice_clock *c)
{
	if (!c->anchored)
		return c->marked ? c->mark_time : (uint64_t)c->now;
	return c->anchor_time + (uint64_t)(c->now - c->anchor_at);
}

uint64_t csg_slice_clock_marked(const struct csg_slice_clock *c)
{
	return c->n && c->marked && c->mark_clock == CSG_CLOCK_HOST ? c->mark_time : 0;
}

void csg_slice_clock_mark(struct csg_slice_clock *c, uint64_t index, uint64_t time, uint64_t clock,
			  uint64_t guests)
{
	if (!c->n || c->by_bytes)
		return;
	if (clock == CSG_CLOCK_HOST && c->anchored && time < c->anchor_time)
		clock = CSG_CLOCK_UNSURE;
	c->changes |= clock > CSG_CLOCK_UNSURE || (c->marked && time + CHANGED_MIN <= c->mark_time);
	count_to(c, index, elapsed(c, index, time, clock), guests);
	c->marked = true;
	c->mark_index = index;
	c->mark_time = time;
	c->mark_clock = clock;
	if (clock == CSG_CLOCK_HOST)
		date(c, time);
}

static void date_by_index(struct csg_slice_clock *c, uint64_t end)
{
	for (; c->dated < c->n; c->dated++) {
		c->slices[c->dated].slice.begin = c->slices[c->dated].slice.index;
		if (c->dated > c->first)
			c->slices[c->dated - 1].slice.end = c->slices[c->dated].slice.begin;
	}
	c->slices[c->n - 1].slice.end = end;
}

int csg_slice_clock_push(struct csg_slice_clock *c, const struct csg_slice *slice)
{
	int err = make_room(c);

	if (err)
		return err;
	c->slices[c->n++] = (struct csg_slice_pending){.slice = *slice};
	if (c->by_bytes) {
		date_by_index(c, slice->index);
	} else if (c->n - c->first > PENDING_MAX) {
		count_to(c, slice->index, -1, 0);
		c->mark_index = slice->index;
		date(c, counted_time(c));
		/* What comes is counted from here; its clock is another's. */
		c->marked = true;
		c->mark_time = UINT64_MAX;
	}
	return 0;
}

void csg_slice_clock_slack(struct csg_slice_clock *c, bool guest)
{
	if (!c->n)
		return;
	c->slices[c->n - 1].slack++;
	c->slices[c->n - 1].guest += guest;
}

void csg_slice_clock_end(struct csg_slice_clock *c, uint64_t index, uint64_t time)
{
	if (!c->n)
		return;
	if (c->by_bytes) {
		date_by_index(c, index);
	} else {
		count_to(c, index, -1, 0);
		date(c, !c->anchored && time ? time : counted_time(c));
		c->slices[c->n - 1].slice.end = c->anchor_time;
	}
	c->dated = c->n + 1; /* the open one, too */
}

bool csg_slice_clock_next(struct csg_slice_clock *c, struct csg_slice *slice)
{
	if (c->first + 1 >= c->dated)
		return false;
	*slice = c->slices[c->first++].slice;
	if (c->first == c->n)
		c->first = c->n = c->placed = c->dated = 0;
	return true;
}

uint32_t csg_slice_clock_owner(const struct csg_slice_clock *c)
{
	return c->first < c->n ? c->slices[c->first].slice.owner : CSG_SLICE_LOST;
}
