/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/thread_switch.h"

#include "csguest/error.h"
#include "stack/running.h"

/* Threads were switched, and who runs now is not known: its stack is nobody's. */
static int run_nameless(struct csg_stacks *s, uint32_t stream, struct csg_runner *slot,
			const struct csg_arrival *to)
{
	const struct csg_owner *o = csg_stacks_who(s, to->owner);
	struct csg_task *task = csg_running_task(s, stream, o, true);
	int err;

	if (!task)
		return -CSG_E_NO_MEMORY;
	slot->task = task;
	slot->unnamed = true;
	csg_running_set(s, stream, task->kernel, to, CSG_MOVE_RETURN);
	csg_frames_leave(task->user, to->client, 0, CSG_MOVE_CUT);
	err = csg_frames_begin(task->kernel, to, CSG_BOTTOM_THREAD, CSG_MOVE_CUT);
	return err;
}

/* True: the thread was elsewhere meanwhile, which has not been reported so far. */
static bool comes_too_early(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o)
{
	uint32_t other = UINT32_MAX;

	if (s->client.await && !s->force && o->world == CSG_WORLD_HOST && o->tid > 0)
		other = s->client.await(s->client.arg, stream, o->tid);
	s->cpus[stream].awaits = other;
	return other != UINT32_MAX;
}

/* The return of the function that switches threads. */
int csg_thread_switch(struct csg_stacks *s, uint32_t stream, const struct csg_arrival *to)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	const struct csg_owner *o = csg_stacks_who(s, to->owner);
	struct csg_runner *slot = csg_running_place(s, stream, o);
	struct csg_task *task = csg_running_task(s, stream, o, false);
	struct csg_stack *frames;
	struct csg_function function;

	if (!slot || !task)
		return -CSG_E_NO_MEMORY;
	frames = task->kernel;
	if (csg_running_elsewhere(s, stream, frames)) {
		if (!s->force)
			return CSG_STACKS_BLOCKED;
		return run_nameless(s, stream, slot, to);
	}
	if (comes_too_early(s, stream, o))
		return CSG_STACKS_BLOCKED;
	c->now->left = c->last;
	c->now->at = csg_frames_top(c->now)->ret;
	/* The host's nameless thread is a CPU's idle one; a guest's may be anybody. */
	if (frames == c->now || (o->tid < 0 && o->world == CSG_WORLD_GUEST))
		return run_nameless(s, stream, slot, to);
	slot->task = task;
	slot->unnamed = false;
	csg_running_set(s, stream, frames, to, CSG_MOVE_RETURN);
	frames->at = 0;
	to->client->function(to->client->arg, to->owner, to->address, &function);
	if (function.begins || (function.known && function.start == to->address))
		return csg_frames_begin(frames, to, CSG_BOTTOM_WHOLE, CSG_MOVE_BEGIN);
	if (!frames->depth)
		return csg_frames_begin(frames, to, CSG_BOTTOM_OLDER, CSG_MOVE_BEGIN);
	return csg_frames_return(frames, to);
}

/*
 * How many of to's frames stay when from's outermost frame goes on in the innermost of them: the
 * one that was returned to, or else one of the same function.
 */
static uint32_t joint(const struct csg_stack *to, const struct csg_stack *from)
{
	uint32_t outer = csg_frames_find(to, csg_frames_own(from)->outer, CSG_MOVE_CALL);

	if (outer != UINT32_MAX)
		return outer;
	for (uint32_t i = to->depth; i-- > 0;)
		if (from->frame[0].function.known &&
		    to->frame[i].function.start == from->frame[0].function.start)
			return i + 1;
	return 0;
}

/* What is below from's frames, none of which is to's: it may have returned from all that were
 * known. */
static uint8_t bottom_beyond(const struct csg_stack *to, const struct csg_stack *from)
{
	if (!to->depth)
		return CSG_BOTTOM_OLDER;
	return csg_frames_own(from)->outer && to->bottom != CSG_BOTTOM_WHOLE ? to->bottom
									     : CSG_BOTTOM_MISMATCH;
}

/* It is now known who runs since a switch: what ran since goes on that thread's stack. */
static int name_task(struct csg_stacks *s, uint32_t stream, struct csg_runner *slot,
		     struct csg_task *task, const struct csg_arrival *at)
{
	struct csg_stack *from = s->cpus[stream].now, *to = task->kernel;
	uint32_t keep = joint(to, from), first = keep ? 1 : 0, n = from->depth;
	int err = 0;

	slot->task = task;
	slot->unnamed = false;
	if (!keep) {
		to->bottom = bottom_beyond(to, from);
		csg_frames_own(to)->outer = csg_frames_own(from)->outer;
	}
	csg_frames_leave(to, at->client, keep, CSG_MOVE_RETURN);
	to->at = 0;
	csg_running_set(s, stream, to, at, CSG_MOVE_RETURN);
	if (keep && from->frame[0].function.known) {
		/* Which may have called another at its tail since. */
		struct csg_arrival tail = {at->client, from->frame[0].function.start,
					   from->frame[0].owner};

		csg_frames_go_on(to, &tail, CSG_MOVE_TAIL_CALL);
	}
	for (uint32_t i = first; i < n && !err; i++) {
		const struct csg_frame *frame = &from->frame[i];
		struct csg_arrival entry = {at->client, frame->entry, frame->owner};

		err = csg_frames_push(to, &entry, frame->ret, (enum csg_move)frame->kind);
		csg_frames_top(to)->function = frame->function;
	}
	csg_frames_leave(from, at->client, 0, CSG_MOVE_CUT);
	return err;
}

/* The kernel names another thread than the stack's, without having switched. */
int csg_thread_named(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
		     const struct csg_arrival *to)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	struct csg_runner *slot = csg_running_place(s, stream, o);
	struct csg_task *task = csg_running_task(s, stream, o, false);
	bool named = csg_frames_top(c->now)->function.known;
	struct csg_stack *frames;

	if (!slot || !task)
		return -CSG_E_NO_MEMORY;
	frames = csg_task_frames(task, o);
	if (frames == c->now || o->tid < 0 || frames->running)
		return 0;
	/* A context ID is written before the switch; records of a guest tell after it. */
	if (slot->unnamed && !csg_owner_is_user(o) && o->evidence & CSG_EVIDENCE_GUEST_SIDEBAND)
		return name_task(s, stream, slot, task, to);
	if (named && !csg_owner_is_user(o))
		return 0; /* the function that switches threads will say when */
	slot->task = task;
	c->now->left = c->last;
	csg_running_set(s, stream, frames, to, CSG_MOVE_CUT);
	if (csg_owner_is_user(o) && frames->depth && frames->at != to->address)
		return csg_frames_begin(frames, to, CSG_BOTTOM_THREAD, CSG_MOVE_CUT);
	if (!frames->depth)
		return csg_frames_begin(frames, to, CSG_BOTTOM_OLDER, CSG_MOVE_BEGIN);
	csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
	return 0;
}
