/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/leg.h"

#include <stdlib.h>
#include <string.h>

#include "image/space.h"
#include "util/array.h"
#include "csguest/error.h"

/* Appends *item to a list. */
#define ADD(list, item)                                                                            \
	(csg_array_grow((void **)&(list)->at, (list)->n, &(list)->room, sizeof(*(list)->at))       \
		 ? -CSG_E_NO_MEMORY                                                                \
		 : ((list)->at[(list)->n++] = *(item), 0))

void csg_leg_clear(struct csg_leg *leg)
{
	struct csg_leg empty = {0};

	empty.bytes.at = leg->bytes.at;
	empty.bytes.room = leg->bytes.room;
	empty.steps.at = leg->steps.at;
	empty.steps.room = leg->steps.room;
	empty.segments.at = leg->segments.at;
	empty.segments.room = leg->segments.room;
	empty.times.at = leg->times.at;
	empty.times.room = leg->times.room;
	empty.asyncs.at = leg->asyncs.at;
	empty.asyncs.room = leg->asyncs.room;
	empty.guess.bytes.at = leg->guess.bytes.at;
	empty.guess.bytes.room = leg->guess.bytes.room;
	empty.guess.steps.at = leg->guess.steps.at;
	empty.guess.steps.room = leg->guess.steps.room;
	empty.guess.segments.at = leg->guess.segments.at;
	empty.guess.segments.room = leg->guess.segments.room;
	empty.entries.at = leg->entries.at;
	empty.entries.room = leg->entries.room;
	empty.misses.at = leg->misses.at;
	empty.misses.room = leg->misses.room;
	*leg = empty;
}

void csg_leg_fini(struct csg_leg *leg)
{
	free(leg->bytes.at);
	free(leg->steps.at);
	free(leg->segments.at);
	free(leg->times.at);
	free(leg->asyncs.at);
	free(leg->guess.bytes.at);
	free(leg->guess.steps.at);
	free(leg->guess.segments.at);
	free(leg->entries.at);
	free(leg->misses.at);
	memset(leg, 0, sizeof(*leg));
}

void csg_leg_forget_walk(struct csg_leg *leg)
{
	leg->entries.n = leg->misses.n = 0;
	leg->eret = 0;
}

static int make_room(struct csg_leg *leg, size_t n)
{
	size_t room = leg->bytes.room ? leg->bytes.room : CSG_LEG_BYTES;
	uint8_t *bytes;

	while (room - leg->bytes.n < n)
		room *= 2;
	if (room == leg->bytes.room)
		return 0;
	bytes = realloc(leg->bytes.at, room);
	if (!bytes)
		return -CSG_E_NO_MEMORY;
	leg->bytes.at = bytes;
	leg->bytes.room = room;
	return 0;
}

/* Bytes that go on where the last run ends belong to it. */
static bool lengthen(struct csg_leg *leg, const struct csg_run *next)
{
	struct csg_leg_step *last = leg->steps.n ? &leg->steps.at[leg->steps.n - 1] : NULL;
	struct csg_run run;

	if (!last || last->kind != CSG_LEG_RUN)
		return false;
	run = csg_leg_run(last, leg->bytes.at);
	if (!csg_run_goes_on(&run, next))
		return false;
	last->n += (uint32_t)next->n;
	return true;
}

int csg_leg_add_run(struct csg_leg *leg, const struct csg_run *run)
{
	const struct csg_leg_step step = {.kind = CSG_LEG_RUN,
					  .index = run->index,
					  .at = (uint32_t)leg->bytes.n,
					  .n = (uint32_t)run->n,
					  .frame = run->frame};
	int err = make_room(leg, run->n);

	if (!err && !lengthen(leg, run))
		err = csg_leg_add_step(leg, &step);
	if (err)
		return err;
	memcpy(leg->bytes.at + leg->bytes.n, run->bytes, run->n);
	leg->bytes.n += run->n;
	return 0;
}

int csg_leg_add_step(struct csg_leg *leg, const struct csg_leg_step *step)
{
	return ADD(&leg->steps, step);
}

int csg_leg_add_segment(struct csg_leg *leg, const struct csg_leg_segment *segment)
{
	return ADD(&leg->segments, segment);
}

int csg_leg_add_time(struct csg_leg *leg, const struct csg_leg_time *time)
{
	return ADD(&leg->times, time);
}

int csg_leg_add_async(struct csg_leg *leg, uint64_t index)
{
	return ADD(&leg->asyncs, &index);
}

/* Kernel and guests are entered by few ERETs, again and again. */
int csg_leg_add_entry(struct csg_leg *leg, const struct csg_leg_entry *entry)
{
	for (size_t i = leg->entries.n; i--;) {
		struct csg_leg_entry *known = &leg->entries.at[i];

		if (known->eret != entry->eret || known->el != entry->el ||
		    known->owner != entry->owner)
			continue;
		known->n += entry->n;
		return 0;
	}
	return ADD(&leg->entries, entry);
}

int csg_leg_add_miss(struct csg_leg *leg, const struct csg_leg_miss *miss)
{
	return ADD(&leg->misses, miss);
}

/* How many timestamps there are up to index. */
static size_t times_until(const struct csg_leg *leg, uint64_t index)
{
	size_t low = 0, high = leg->times.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (leg->times.at[middle].index <= index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct csg_leg_time *csg_leg_time_at(const struct csg_leg *leg, uint64_t index)
{
	size_t n = times_until(leg, index);

	return n ? &leg->times.at[n - 1] : NULL;
}

const struct csg_leg_time *csg_leg_time_after(const struct csg_leg *leg, uint64_t index)
{
	size_t n = times_until(leg, index);

	return n < leg->times.n ? &leg->times.at[n] : NULL;
}

uint64_t csg_leg_async_at(const struct csg_leg *leg, uint64_t index)
{
	for (size_t i = 0; i < leg->asyncs.n; i++)
		if (leg->asyncs.at[i] >= index)
			return leg->asyncs.at[i];
	return UINT64_MAX;
}

void csg_leg_tell_misses(const struct csg_leg *leg)
{
	const uint8_t *bytes;
	size_t len;

	for (size_t i = 0; i < leg->misses.n; i++)
		csg_space_code(leg->misses.at[i].space, leg->misses.at[i].address,
			       leg->misses.at[i].time, &bytes, &len, NULL);
}

/* The part of a run that lies at index or behind it. */
static int overlap_run(struct csg_leg *leg, const struct csg_run *run, uint64_t index)
{
	size_t skip = run->index < index ? csg_run_before(run, index) : 0;
	struct csg_run part = csg_run_part(run, skip, run->n - skip);
	struct csg_leg_step step = {.kind = CSG_LEG_RUN,
				    .index = part.index,
				    .at = (uint32_t)leg->guess.bytes.n,
				    .n = (uint32_t)part.n,
				    .frame = part.frame};

	for (size_t i = 0; i < part.n; i++)
		if (ADD(&leg->guess.bytes, &part.bytes[i]))
			return -CSG_E_NO_MEMORY;
	return ADD(&leg->guess.steps, &step);
}

int csg_leg_overlap(struct csg_leg *leg, const struct csg_leg *before, uint64_t index)
{
	const struct csg_leg_time *time = csg_leg_time_at(before, index);
	int err = 0;

	leg->guess.index = index;
	leg->guess.time = time ? *time : (struct csg_leg_time){0};
	for (size_t i = 0; !err && i < before->steps.n; i++) {
		const struct csg_leg_step *step = &before->steps.at[i];

		const struct csg_run run = csg_leg_run(step, before->bytes.at);

		if (step->kind == CSG_LEG_RUN && csg_run_index(&run, run.n) > index)
			err = overlap_run(leg, &run, index);
	}
	for (size_t i = 0; !err && i < before->segments.n; i++)
		if (before->segments.at[i].index >= index)
			err = ADD(&leg->guess.segments, &before->segments.at[i]);
	leg->guess.possible = !err;
	return err;
}
