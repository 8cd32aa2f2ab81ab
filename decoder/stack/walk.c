/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/walk.h"

#include <stdlib.h>

#include "csguest/error.h"

int csg_walk_init(struct csg_walk *walk)
{
	walk->streams = calloc(walk->n + 1, sizeof(*walk->streams));
	return walk->streams ? 0 : -CSG_E_NO_MEMORY;
}

void csg_walk_fini(struct csg_walk *walk)
{
	free(walk->streams);
	walk->streams = NULL;
}

static uint64_t time_of(const struct csg_walk_stream *s)
{
	if (s->batch.time || !s->batch.chunk)
		return s->batch.time;
	return s->batch.chunk->time;
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
		if (ret)
			continue;
		s->over = true;
		s->batch.n = 0;
		csg_stacks_end(walk->stacks, stream);
	}
	return 0;
}

static int feed(struct csg_walk *walk, uint32_t stream, bool force)
{
	struct csg_walk_stream *s = &walk->streams[stream];
	uint64_t when = time_of(s);
	int64_t used;

	walk->time = s->batch.time;
	used = csg_stacks_feed(walk->stacks, stream, s->batch.elements + s->done,
			       s->batch.n - s->done, when ? when : UINT64_MAX, force);
	if (used < 0)
		return (int)used;
	s->done += (size_t)used;
	return 0;
}

/* Feeds a stream, or the one that it waits for. */
static int step(struct csg_walk *walk, uint32_t stream)
{
	uint64_t limit = time_of(&walk->streams[stream]) + CSG_WALK_PATIENCE;
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
		if (walk->streams[other].over || time_of(&walk->streams[other]) > limit)
			return feed(walk, stream, true);
		stream = other;
	}
	/* They wait for each other. */
	return feed(walk, stream, true);
}

int csg_walk_next(struct csg_walk *walk)
{
	uint32_t best = UINT32_MAX;
	int err;

	for (uint32_t i = 0; i < walk->n; i++) {
		err = load(walk, i);
		if (err)
			return err;
		if (!walk->streams[i].over &&
		    (best == UINT32_MAX ||
		     time_of(&walk->streams[i]) < time_of(&walk->streams[best])))
			best = i;
	}
	if (best == UINT32_MAX)
		return 0;
	err = step(walk, best);
	return err ? err : 1;
}
