/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_queue.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

void csg_sample_queue_fini(struct csg_sample_queue *queue)
{
	free(queue->samples);
	free(queue->branches);
	free(queue->frames);
	*queue = (struct csg_sample_queue){0};
}

/* Room for n more elements of size bytes after the end-th. */
static bool reserve(void **array, size_t *capacity, size_t end, size_t n, size_t size)
{
	return !csg_array_reserve(array, capacity, end + n, size);
}

/* Takes the first gone of *end entries away. */
static void forget(void *entries, size_t *end, uint64_t gone, size_t size)
{
	if (!gone)
		return;
	*end -= gone;
	memmove(entries, (uint8_t *)entries + gone * size, *end * size);
}

void csg_sample_queue_close_up(struct csg_sample_queue *queue)
{
	const struct csg_sample *next = &queue->samples[queue->first];
	size_t left = queue->end - queue->first;
	uint64_t branches = left ? next->branches : queue->branch_end;
	uint64_t frames = left ? next->chain : queue->frame_end;

	memmove(queue->samples, next, left * sizeof(*queue->samples));
	queue->ready -= queue->first;
	queue->end = left;
	queue->first = 0;
	forget(queue->branches, &queue->branch_end, branches, sizeof(*queue->branches));
	forget(queue->frames, &queue->frame_end, frames, sizeof(*queue->frames));
	for (size_t i = 0; i < left; i++) {
		queue->samples[i].branches -= branches;
		queue->samples[i].chain -= frames;
	}
}

bool csg_sample_queue_grow(struct csg_sample_queue *queue)
{
	void *samples = queue->samples;

	if (!reserve(&samples, &queue->capacity, queue->end, 1, sizeof(*queue->samples))) {
		queue->no_memory = true;
		return false;
	}
	queue->samples = samples;
	return true;
}

struct csg_sample_branch *csg_sample_queue_add_branches(struct csg_sample_queue *queue, size_t n,
							uint64_t *at)
{
	void *branches = queue->branches;

	if (!reserve(&branches, &queue->branch_capacity, queue->branch_end, n,
		     sizeof(*queue->branches))) {
		queue->no_memory = true;
		return NULL;
	}
	queue->branches = branches;
	*at = queue->branch_end;
	queue->branch_end += n;
	return queue->branches + *at;
}

struct csg_sample_frame *csg_sample_queue_add_frames(struct csg_sample_queue *queue, size_t n,
						     uint64_t *at)
{
	void *frames = queue->frames;

	if (!reserve(&frames, &queue->frame_capacity, queue->frame_end, n,
		     sizeof(*queue->frames))) {
		queue->no_memory = true;
		return NULL;
	}
	queue->frames = frames;
	*at = queue->frame_end;
	queue->frame_end += n;
	return queue->frames + *at;
}

void csg_sample_queue_date(struct csg_sample_queue *queue, uint64_t time, uint64_t order)
{
	for (; queue->ready < queue->end; queue->ready++) {
		if (queue->samples[queue->ready].event != CSG_SAMPLE_EVENT)
			queue->samples[queue->ready].time = time;
		queue->samples[queue->ready].order = order;
	}
}
