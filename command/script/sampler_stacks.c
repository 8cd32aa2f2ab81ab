/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sampler_stacks.h"

#include <string.h>

void csg_sampler_add_chain(struct csg_sampler *s, uint64_t ip)
{
	struct csg_sample_frame chain[CSG_SAMPLER_CHAIN_MAX], *frames;
	size_t n;
	uint64_t at;

	n = s->setup.chain(s->setup.chain_arg, s->stream, ip, chain, CSG_SAMPLER_CHAIN_MAX);
	frames = n ? csg_sample_queue_add_frames(&s->queue, n, &at) : NULL;
	if (!frames)
		return;
	memcpy(frames, chain, n * sizeof(*chain));
	s->queue.samples[s->queue.end - 1].chain = at;
	s->queue.samples[s->queue.end - 1].chain_count = (uint32_t)n;
}

void csg_sampler_attach(const struct csg_sampler *s, struct csg_sample *sample, uint64_t stack)
{
	if (!s->last_branches.count)
		return;
	sample->branches = stack;
	sample->branch_count = s->last_branches.count;
}

void csg_sampler_push_branch(struct csg_sampler *s, const struct csg_element *to)
{
	if (!s->before.range || !s->before.taken)
		return;
	csg_last_branches_push(
		&s->last_branches,
		(struct csg_sample_branch){s->before.last, to->start, s->before.owner, to->owner});
}
