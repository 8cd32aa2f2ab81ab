/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/moves.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

#define NONE UINT32_MAX

/* Beyond these bytes intervals lie in a temporary file, of which what is put in between stays
 * resident. */
#define HEAP_BYTES (CSG_DISK_MEMORY_LIMIT / 4)
#define TRIM_INTERVALS 65536

static int by_time(const void *pa, const void *pb)
{
	const struct csg_move_interval *a = pa, *b = pb;

	return (a->from > b->from) - (a->from < b->from);
}

static bool interval_of(const struct csg_follower_source *source, uint32_t stream, size_t index,
			struct csg_interval *interval)
{
	return !source->interval(source->arg, stream, index, interval, sizeof(*interval));
}

/* Of each thread how many intervals it has, and of all together; or -CSG_E_NO_MEMORY. */
static int64_t count_intervals(struct csg_moves *moves, const struct csg_follower_source *source)
{
	struct csg_interval interval;
	int64_t all = 0;

	for (uint32_t i = 0; i < source->streams; i++)
		for (size_t k = 0; interval_of(source, i, k, &interval); k++) {
			int64_t number = csg_keyset_add(&moves->numbers, &interval.tid);

			if (number < 0 ||
			    csg_array_reach((void **)&moves->threads, &moves->thread_count,
					    (size_t)number, sizeof(*moves->threads)))
				return -CSG_E_NO_MEMORY;
			moves->threads[number].n++;
			all++;
		}
	return all;
}

/* Each goes to the others of its thread, stream after stream. */
static void put_intervals(struct csg_moves *moves, const struct csg_follower_source *source)
{
	struct csg_interval interval;
	size_t put = 0;

	for (uint32_t i = 0; i < source->streams; i++)
		for (size_t k = 0; interval_of(source, i, k, &interval); k++) {
			int64_t number = csg_keyset_find(&moves->numbers, &interval.tid);
			struct csg_move_thread *thread = &moves->threads[number];

			moves->intervals[thread->first + thread->n++] = (struct csg_move_interval){
				.from = interval.from, .until = interval.until, .stream = i};
			if (++put % TRIM_INTERVALS == 0)
				csg_disk_memory_trim(&moves->memory);
		}
}

static void sort_intervals(struct csg_moves *moves)
{
	size_t sorted = 0;

	for (size_t i = 0; i < moves->numbers.count; i++) {
		const struct csg_move_thread *thread = &moves->threads[i];

		qsort(&moves->intervals[thread->first], thread->n, sizeof(*moves->intervals),
		      by_time);
		sorted += thread->n;
		if (sorted >= TRIM_INTERVALS) {
			csg_disk_memory_trim(&moves->memory);
			sorted = 0;
		}
	}
}

int csg_moves_init(struct csg_moves *moves, const struct csg_follower_source *source,
		   const char *dir)
{
	size_t first = 0;
	int64_t all;

	*moves = (struct csg_moves){.memory = {.dir = dir, .limit = HEAP_BYTES}};
	csg_keyset_init(&moves->numbers, sizeof(int32_t));
	if (!source->interval)
		return 0;
	all = count_intervals(moves, source);
	if (all <= 0)
		return (int)all;
	moves->bytes = (size_t)all * sizeof(*moves->intervals);
	moves->intervals = csg_disk_memory_alloc(&moves->memory, moves->bytes);
	if (!moves->intervals)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < moves->numbers.count; i++) {
		moves->threads[i].first = first;
		first += moves->threads[i].n;
		moves->threads[i].n = 0;
	}
	put_intervals(moves, source);
	sort_intervals(moves);
	return 0;
}

void csg_moves_fini(struct csg_moves *moves)
{
	csg_disk_memory_close(&moves->memory);
	csg_disk_memory_free(&moves->memory, moves->intervals, moves->bytes);
	csg_disk_memory_fini(&moves->memory);
	csg_keyset_fini(&moves->numbers);
	free(moves->threads);
	*moves = (struct csg_moves){0};
}

/* The first interval of the thread that is not over, nor before what has been followed of its
 * stream. */
static size_t next_of(struct csg_moves *moves, struct csg_move_thread *thread,
		      const uint64_t *times)
{
	for (; thread->over < thread->n; thread->over++) {
		const struct csg_move_interval *interval =
			&moves->intervals[thread->first + thread->over];

		if (!interval->entered && times[interval->stream] <= interval->until)
			break;
	}
	return thread->over;
}

uint32_t csg_moves_await(struct csg_moves *moves, int32_t tid, uint32_t stream, uint64_t *times)
{
	const int64_t number = times[stream] ? csg_keyset_find(&moves->numbers, &tid) : -1;
	struct csg_move_thread *thread = number < 0 ? NULL : &moves->threads[number];
	uint32_t awaited = NONE;

	for (size_t i = thread ? next_of(moves, thread, times) : 0; thread && i < thread->n; i++) {
		struct csg_move_interval *interval = &moves->intervals[thread->first + i];

		if (interval->entered)
			continue;
		/* The interval that begins is the first here that the trace is not past. */
		if (interval->stream == stream && interval->until >= times[stream]) {
			interval->entered = awaited == NONE;
			if (interval->entered && times[stream] < interval->from)
				times[stream] = interval->from;
			return awaited;
		}
		if (interval->stream != stream && times[interval->stream] < interval->until)
			awaited = interval->stream;
	}
	return NONE;
}
