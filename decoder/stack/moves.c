/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/moves.h"

#include <stdlib.h>

#include "util/bisect.h"
#include "csguest/error.h"

#define NONE UINT32_MAX

static int by_thread(const void *pa, const void *pb)
{
	const struct csg_move_interval *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static bool interval_of(const struct csg_follower_source *source, uint32_t stream, size_t index,
			struct csg_interval *interval)
{
	return !source->interval(source->arg, stream, index, interval, sizeof(*interval));
}

static size_t count_intervals(const struct csg_follower_source *source)
{
	struct csg_interval interval;
	size_t all = 0;

	for (uint32_t i = 0; i < source->streams; i++)
		for (size_t k = 0; interval_of(source, i, k, &interval); k++)
			all++;
	return all;
}

int csg_moves_init(struct csg_moves *moves, const struct csg_follower_source *source)
{
	struct csg_interval interval;
	size_t all;

	*moves = (struct csg_moves){0};
	if (!source->interval)
		return 0;
	all = count_intervals(source);
	moves->intervals = calloc(all + 1, sizeof(*moves->intervals));
	if (!moves->intervals)
		return -CSG_E_NO_MEMORY;
	for (uint32_t i = 0; i < source->streams; i++)
		for (size_t k = 0; moves->n < all && interval_of(source, i, k, &interval); k++)
			moves->intervals[moves->n++] = (struct csg_move_interval){
				.tid = interval.tid,
				.stream = i,
				.from = interval.from,
				.until = interval.until,
			};
	qsort(moves->intervals, moves->n, sizeof(*moves->intervals), by_thread);
	return 0;
}

void csg_moves_fini(struct csg_moves *moves)
{
	free(moves->intervals);
	moves->intervals = NULL;
	moves->n = 0;
}

/* The first interval of tid. */
static size_t first_of(const struct csg_moves *moves, int32_t tid)
{
	size_t i;

	CSG_BISECT(i, moves->n, moves->intervals[i].tid < tid);
	return i;
}

/* The first interval of tid that is not over, nor before what has been followed of its stream. */
static size_t next_of(struct csg_moves *moves, int32_t tid, const uint64_t *times)
{
	size_t first = first_of(moves, tid), i;

	if (first == moves->n || moves->intervals[first].tid != tid)
		return moves->n;
	for (i = first + moves->intervals[first].over; i < moves->n; i++) {
		const struct csg_move_interval *interval = &moves->intervals[i];

		if (interval->tid != tid ||
		    (!interval->entered && times[interval->stream] <= interval->until))
			break;
	}
	moves->intervals[first].over = i - first;
	return i;
}

uint32_t csg_moves_await(struct csg_moves *moves, int32_t tid, uint32_t stream,
			 const uint64_t *times)
{
	uint32_t awaited = NONE;

	if (!times[stream])
		return NONE;
	for (size_t i = next_of(moves, tid, times); i < moves->n && moves->intervals[i].tid == tid;
	     i++) {
		struct csg_move_interval *interval = &moves->intervals[i];

		if (interval->entered)
			continue;
		/* The interval that begins is the first here that the trace is not past. */
		if (interval->stream == stream && interval->until >= times[stream]) {
			interval->entered = awaited == NONE;
			return awaited;
		}
		if (interval->stream != stream && times[interval->stream] < interval->until)
			awaited = interval->stream;
	}
	return NONE;
}
