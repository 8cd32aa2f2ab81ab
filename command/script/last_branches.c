/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/last_branches.h"

#include <stdlib.h>

bool csg_last_branches_init(struct csg_last_branches *last, uint32_t size)
{
	*last = (struct csg_last_branches){.ring = calloc(size, sizeof(*last->ring)), .size = size};
	return last->ring;
}

void csg_last_branches_fini(struct csg_last_branches *last)
{
	free(last->ring);
	*last = (struct csg_last_branches){0};
}

void csg_last_branches_push(struct csg_last_branches *last, struct csg_sample_branch branch)
{
	if (!last->ring)
		return;
	last->first = (last->first ? last->first : last->size) - 1;
	last->ring[last->first] = branch;
	if (last->count < last->size)
		last->count++;
}

void csg_last_branches_clear(struct csg_last_branches *last)
{
	last->first = last->count = 0;
}

uint64_t csg_last_branches_copy(const struct csg_last_branches *last,
				struct csg_sample_queue *queue)
{
	struct csg_sample_branch *stack;
	uint64_t at = 0;

	if (!last->count)
		return 0;
	stack = csg_sample_queue_add_branches(queue, last->count, &at);
	for (uint32_t i = 0; stack && i < last->count; i++)
		stack[i] = last->ring[(last->first + i) % last->size];
	return at;
}
