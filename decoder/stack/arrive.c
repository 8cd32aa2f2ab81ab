/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/arrive.h"

#include "csguest/error.h"
#include "stack/border.h"
#include "stack/resume.h"
#include "stack/running.h"
#include "stack/thread_switch.h"

/* Execution goes on on the stack that ran. */
static int go_on_here(struct csg_stacks *s, uint32_t stream, const struct csg_arrival *to)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	struct csg_stack *now = c->now;

	switch ((enum csg_pending)c->pending) {
	case CSG_PENDING_NOTHING:
		csg_frames_go_on(now, to, CSG_MOVE_JUMP);
		return 0;
	case CSG_PENDING_CALL:
		return csg_frames_call(now, to, c->ret);
	case CSG_PENDING_RETURN:
		return csg_frames_return(now, to);
	case CSG_PENDING_SWITCH:
		return csg_thread_switch(s, stream, to);
	case CSG_PENDING_JUMP:
		return csg_frames_jump(now, to, false);
	case CSG_PENDING_INDIRECT:
		return csg_frames_jump(now, to, true);
	case CSG_PENDING_EXCEPTION:
		return csg_frames_exception(now, to, c->ret);
	case CSG_PENDING_ERET:
		return csg_frames_eret(now, to);
	case CSG_PENDING_GAP:
		csg_running_set(s, stream, now, to, CSG_MOVE_CUT);
		return csg_resume_after_gap(now, to, c->gap);
	case CSG_PENDING_NO_CODE:
		return csg_resume_after_no_code(now, to, c->gap);
	}
	return 0;
}

/* Whose stack runs at another level, or in another machine. */
static struct csg_task *next_task(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
				  struct csg_runner *slot, uint64_t address)
{
	const struct csg_stack_cpu *c = &s->cpus[stream];
	bool from_user = c->pending == CSG_PENDING_EXCEPTION && csg_owner_is_user(&c->owner) &&
			 csg_owner_same_machine(&c->owner, o);
	struct csg_task *task = slot->task;

	/* An exception does not change the thread, whether it is named or not. */
	if (from_user && o->tid < 0)
		return c->now->task;
	/* Threads may be named before or after their switch: who was left goes on. */
	if (task && !csg_owner_is_user(o) && !from_user && task->kernel->depth &&
	    (task->kernel->at == address || slot->unnamed))
		return task;
	/* Nor does a thread's name help where none was said since. */
	if (task && slot->unnamed &&
	    csg_running_task(s, stream, &s->cpus[stream].owner, false) ==
		    csg_running_task(s, stream, o, false))
		return task;
	/* The kernel returns to the user code of its thread. */
	if (task && c->pending == CSG_PENDING_ERET && csg_owner_is_user(o) && o->tid < 0 &&
	    csg_owner_same_machine(&c->owner, o))
		return task;
	slot->unnamed = false;
	return csg_running_task(s, stream, o, false);
}

static enum csg_move move_of(const struct csg_stack_cpu *c)
{
	if (c->pending == CSG_PENDING_EXCEPTION)
		return CSG_MOVE_EXCEPTION;
	if (c->pending == CSG_PENDING_ERET)
		return CSG_MOVE_ERET;
	return c->now ? CSG_MOVE_CUT : CSG_MOVE_BEGIN;
}

/* Execution goes on at another level, or in another machine. */
static int go_elsewhere(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
			const struct csg_arrival *to)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	const struct csg_owner from = c->owner;
	struct csg_runner *slot = csg_running_place(s, stream, o);
	enum csg_move why = move_of(c);
	struct csg_stack *frames;
	struct csg_task *task;

	if (!slot)
		return -CSG_E_NO_MEMORY;
	task = next_task(s, stream, o, slot, to->address);
	if (!task)
		return -CSG_E_NO_MEMORY;
	frames = csg_task_frames(task, o);
	if (csg_running_elsewhere(s, stream, frames)) {
		if (!s->force)
			return CSG_STACKS_BLOCKED;
		task = csg_running_task(s, stream, o, true);
		if (!task)
			return -CSG_E_NO_MEMORY;
		frames = csg_task_frames(task, o);
		csg_frames_leave(frames, to->client, 0, CSG_MOVE_CUT);
		frames->bottom = CSG_BOTTOM_ORDER;
	}
	slot->task = task;
	csg_border_leave(s, c, o);
	csg_running_set(s, stream, frames, to, why);
	if (why == CSG_MOVE_EXCEPTION)
		return csg_border_enter(&from, o, frames, to);
	if (why == CSG_MOVE_ERET)
		return csg_resume_interrupted(frames, to, csg_owner_is_user(o));
	return csg_resume_after_gap(frames, to, c->gap);
}

/* The same for another owner than ran before. */
static int arrive_as(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
		     const struct csg_arrival *to)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	bool here = c->now && csg_owner_same_machine(&c->owner, o) &&
		    csg_owner_is_user(&c->owner) == csg_owner_is_user(o);
	int err;

	if (!here) {
		err = go_elsewhere(s, stream, o, to);
	} else {
		err = go_on_here(s, stream, to);
		if (!err)
			err = csg_thread_named(s, stream, o, to);
	}
	if (err == CSG_STACKS_BLOCKED)
		return err;
	c->owner = *o;
	c->number = to->owner;
	return err;
}

/*
 * An exception was taken where an ERET led, and nothing was executed there, so that the trace has
 * no context of it.  If a guest runs after the exception, it was entered and took the exception by
 * itself: its stack is interrupted, and goes on at the vector.
 */
static int settle_eret(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	const struct csg_arrival at = {&s->frames, c->ret, c->number};
	int err = 0;

	c->pending = CSG_PENDING_ERET;
	if (o->world != CSG_WORLD_GUEST || c->owner.world == CSG_WORLD_GUEST) {
		c->eret = false;
		err = go_on_here(s, stream, &at);
		c->pending = CSG_PENDING_EXCEPTION;
	}
	return err;
}

/* Execution is at an address of owner, after what is pending. */
int csg_stacks_arrive(struct csg_stacks *s, uint32_t stream, uint64_t address, uint32_t owner)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	struct csg_arrival to = {&s->frames, address, owner};
	int err = c->eret ? settle_eret(s, stream, csg_stacks_who(s, owner)) : 0;

	if (err)
		return err;
	c->awaits = UINT32_MAX;
	if (c->now && owner == c->number)
		err = go_on_here(s, stream, &to);
	else
		err = arrive_as(s, stream, csg_stacks_who(s, owner), &to);
	if (err == CSG_STACKS_BLOCKED)
		return err;
	c->pending = CSG_PENDING_NOTHING;
	c->eret = false;
	return err;
}
