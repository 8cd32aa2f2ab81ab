/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/walk.h"

#include <stdlib.h>

#include "csguest/error.h"

static void note_fed(struct csg_walk *walk, uint32_t stream)
{
	if (!walk->streams[stream].fed)
		walk->fed[walk->fed_n++] = stream;
	walk->streams[stream].fed = true;
}

int csg_walk_init(struct csg_walk *walk)
{
	int err = csg_earliest_init(&walk->earliest, walk->n);

	walk->streams = calloc(walk->n + 1, sizeof(*walk->streams));
	walk->fed = calloc(walk->n + 1, sizeof(*walk->fed));
	walk->times = calloc(walk->n + 1, sizeof(*walk->times));
	if (err || !walk->streams || !walk->fed || !walk->times)
		return -CSG_E_NO_MEMORY;
	for (uint32_t i = 0; i < walk->n; i++)
		note_fed(walk, i);
	return 0;
}

void csg_walk_fini(struct csg_walk *walk)
{
	csg_earliest_fini(&walk->earliest);
	free(walk->streams);
	free(walk->fed);
	free(walk->times);
	walk->streams = NULL;
	walk->fed = NULL;
	walk->times = NULL;
}

/* A stream has another batch. */
static void note_time(struct csg_walk *walk, uint32_t stream)
{
	const struct csg_batch *batch = &walk->streams[stream].batch;
	uint64_t begin = batch->chunk ? batch->chunk->begin_time : 0;

	if (batch->time)
		walk->times[stream] = batch->time;
	else if (begin > walk->times[stream])
		walk->times[stream] = begin;
}

/* Sees to it that a stream has elements to feed, or is over. */
static int load(struct csg_walk *walk, uint32_t stream)
{
	struct csg_walk_stream *s = &walk->streams[stream];
	int ret;

	while (!s->over && s->done == s->batch.n) {
		s->done = 0;
		ret = walk->next(walk->arg, stream, &s->batch);
		if (ret < 0)
			return ret;
		if (ret) {
			note_time(walk, stream);
			continue;
		}
		s->over = true;
		s->batch.n = 0;
		walk->times[stream] = UINT64_MAX;
		csg_stacks_end(walk->stacks, stream);
	}
	return 0;
}

static int feed(struct csg_walk *walk, uint32_t stream, bool force)
{
	struct csg_walk_stream *s = &walk->streams[stream];
	int64_t used;

	note_fed(walk, stream);
	walk->time = s->batch.time;
	used = csg_stacks_feed(walk->stacks, stream, s->batch.elements + s->done,
			       s->batch.n - s->done, s->batch.lookup_time, force);
	if (used < 0)
		return (int)used;
	s->done += (size_t)used;
	return 0;
}

/* Feeds a stream, or the one that it waits for. */
static int step(struct csg_walk *walk, uint32_t stream)
{
	uint64_t limit = walk->times[stream] + CSG_WALK_PATIENCE;
	int err = 0;

	for (size_t hops = 0; hops <= walk->n; hops++) {
		const struct csg_walk_stream *s = &walk->streams[stream];
		uint32_t other;

		err = feed(walk, stream, false);
		if (err || s->done == s->batch.n)
			return err;
		other = csg_stacks_awaits(walk->stacks, stream);
		if (other == UINT32_MAX)
			return 0;
		err = load(walk, other);
		if (err)
			return err;
		if (walk->streams[other].over || walk->times[other] > limit)
			return feed(walk, stream, true);
		stream = other;
	}
	/* They wait for each other. */
	return feed(walk, stream, true);
}

/* Loads those that were fed, and finds their places among the others. */
static int put_in_order(struct csg_walk *walk)
{
	for (size_t i = 0; i < walk->fed_n; i++) {
		uint32_t stream = walk->fed[i];
		struct csg_walk_stream *s = &walk->streams[stream];
		int err = load(walk, stream);

		if (err)
			return err;
		if (s->over)
			csg_earliest_remove(&walk->earliest, stream);
		else
			csg_earliest_set(&walk->earliest, stream, walk->times[stream]);
		s->fed = false;
	}
	walk->fed_n = 0;
	return 0;
}

int csg_walk_next(struct csg_walk *walk)
{
	int err = put_in_order(walk);
	uint32_t best = csg_earliest_get(&walk->earliest);

	if (err)
		return err;
	if (best == UINT32_MAX)
		return 0;
	err = step(walk, best);
	return err ? err : 1;
}
