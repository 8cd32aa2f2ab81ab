/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of one stream on their way out, in program order.  The newer ones may wait for
 * the timestamp that dates them; the older ones are ready to be taken.
 */
#ifndef COMMAND_SCRIPT_SAMPLE_QUEUE_H
#define COMMAND_SCRIPT_SAMPLE_QUEUE_H

#include <stddef.h>

#include "script/sample.h"

#define CSG_SAMPLES_FULL 16384
#define CSG_BRANCHES_FULL 262144
#define CSG_FRAMES_FULL 1048576

struct csg_sample_queue {
	struct csg_sample *samples; /* stacks in the same order: .branches, .chain never decrease */
	size_t first, ready, end, capacity; /* taken up to first, dated up to ready */
	struct csg_sample_branch *branches;
	size_t branch_end, branch_capacity;
	struct csg_sample_frame *frames;
	size_t frame_end, frame_capacity;
	bool no_memory; /* a sample was lost; stays until _fini */
};

void csg_sample_queue_fini(struct csg_sample_queue *queue);

/* Makes room for another sample.  False without memory. */
bool csg_sample_queue_grow(struct csg_sample_queue *queue);

/* Adds a sample without a branch stack.  Returns where it is until the next call, for filling in,
 * or NULL without memory. */
static inline struct csg_sample *csg_sample_queue_add(struct csg_sample_queue *queue)
{
	if (queue->end == queue->capacity && !csg_sample_queue_grow(queue))
		return NULL;
	queue->samples[queue->end] =
		(struct csg_sample){.branches = queue->branch_end, .chain = queue->frame_end};
	return &queue->samples[queue->end++];
}

/*
 * Adds room for a stack of n branches and returns it, or NULL without memory.  *at is for
 * csg_sample.branches of samples added before the next _take(); they may share it.
 */
struct csg_sample_branch *csg_sample_queue_add_branches(struct csg_sample_queue *queue, size_t n,
							uint64_t *at);

/* The same for a call chain of n frames, and csg_sample.chain. */
struct csg_sample_frame *csg_sample_queue_add_frames(struct csg_sample_queue *queue, size_t n,
						     uint64_t *at);

/* What waited happened at time; order is what the streams are merged by. */
void csg_sample_queue_date(struct csg_sample_queue *queue, uint64_t time, uint64_t order);

/* Full: no more samples should be added before some are taken or dated. */
static inline bool csg_sample_queue_full(const struct csg_sample_queue *queue)
{
	return queue->end - queue->first >= CSG_SAMPLES_FULL ||
	       queue->branch_end >= CSG_BRANCHES_FULL || queue->frame_end >= CSG_FRAMES_FULL;
}

/* The oldest sample that is ready, or NULL; _take() removes it and may move the others. */
static inline const struct csg_sample *csg_sample_queue_head(const struct csg_sample_queue *queue)
{
	return queue->first < queue->ready ? &queue->samples[queue->first] : NULL;
}

/* Moves what is left to the beginning, of which there is less than what was taken. */
void csg_sample_queue_close_up(struct csg_sample_queue *queue);

static inline void csg_sample_queue_take(struct csg_sample_queue *queue)
{
	queue->first++;
	if (queue->first >= queue->end - queue->first)
		csg_sample_queue_close_up(queue);
}

/* The branch stack of a sample that was not taken yet. */
static inline const struct csg_sample_branch *
csg_sample_queue_branches(const struct csg_sample_queue *queue, const struct csg_sample *sample)
{
	return queue->branches + sample->branches;
}

/* Its call chain. */
static inline const struct csg_sample_frame *
csg_sample_queue_frames(const struct csg_sample_queue *queue, const struct csg_sample *sample)
{
	return queue->frames + sample->chain;
}

#endif
