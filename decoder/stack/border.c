/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/border.h"

#include <string.h>

/* What becomes of the stack that ran when another level or machine runs. */
void csg_border_leave(struct csg_stacks *s, struct csg_stack_cpu *c, const struct csg_owner *o)
{
	struct csg_stack *from = c->now;

	if (!from)
		return;
	from->left = c->pending == CSG_PENDING_EXCEPTION && c->ret ? c->ret : c->last;
	if (c->pending == CSG_PENDING_EXCEPTION)
		from->at = c->ret;
	else if (c->pending != CSG_PENDING_ERET)
		from->at = c->pending == CSG_PENDING_GAP ? from->at : 0;
	else if (csg_owner_is_inside(o) && !csg_owner_is_inside(&c->owner))
		from->in_guest = true;
	else
		csg_frames_leave(from, &s->frames, 0, CSG_MOVE_ERET);
}

/* An exception went to a higher level. */
int csg_border_enter(const struct csg_owner *from, const struct csg_owner *o,
		     struct csg_stack *frames, const struct csg_arrival *to)
{
	if (csg_owner_is_inside(from) && !csg_owner_is_inside(o)) {
		bool in_guest = frames->in_guest;

		frames->in_guest = false;
		frames->at = 0;
		if (in_guest && frames->depth) {
			csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
			return 0;
		}
		if (o->world == CSG_WORLD_HOST)
			return csg_frames_begin(frames, to, CSG_BOTTOM_OLDER, CSG_MOVE_BEGIN);
	}
	csg_frames_leave(frames, to->client, 0, CSG_MOVE_CUT);
	frames->bottom = CSG_BOTTOM_WHOLE;
	frames->in_guest = false;
	frames->at = 0;
	return csg_frames_exception(frames, to, 0);
}

struct csg_stack *csg_stacks_under(const struct csg_stack *frames, bool joined)
{
	const struct csg_task *task = frames->task;

	if (frames == task->kernel && task->user->depth)
		return task->user;
	for (task = joined ? task->host : NULL; task; task = task->host)
		if (task->kernel->depth)
			return task->kernel;
	return NULL;
}

/* A client that knows a larger entry finds 0 in its tail. */
static void put_entry(char *to, size_t size, const struct csg_chain_entry *entry)
{
	memcpy(to, entry, sizeof(*entry));
	if (size > sizeof(*entry))
		memset(to + sizeof(*entry), 0, size - sizeof(*entry));
}

size_t csg_stacks_chain(const struct csg_stacks *stacks, uint32_t stream, uint64_t ip, bool joined,
			void *chain, size_t entry_size, size_t max)
{
	struct csg_stack *frames = stacks->cpus[stream].now;
	size_t n = 0;

	for (; frames; frames = csg_stacks_under(frames, joined), ip = frames ? frames->left : 0) {
		for (uint32_t i = frames->depth; i-- > 0 && n < max;) {
			const struct csg_frame *frame = &frames->frame[i];

			const struct csg_chain_entry entry = {
				.address = ip,
				.owner = frame->owner,
				.label = frame->function.label,
				.stack = frames,
				.kind = frame->kind,
			};

			put_entry((char *)chain + n++ * entry_size, entry_size, &entry);
			ip = frame->ret;
		}
	}
	return n;
}
