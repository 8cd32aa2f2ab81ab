/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/running.h"

struct csg_runner *csg_running_place(struct csg_stacks *s, uint32_t stream,
				     const struct csg_owner *o)
{
	int32_t vm = o->world == CSG_WORLD_GUEST ? o->vm : -16 - (int32_t)o->world;

	return csg_tasks_runner(&s->tasks, vm, csg_owner_place(o, stream), csg_owner_guest_tid(o));
}

struct csg_task *csg_running_task(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
				  bool nameless)
{
	struct csg_task_key key = csg_task_key(o, stream, nameless);

	return csg_tasks_find(&s->tasks, &key);
}

/*
 * What a guest's task runs on: the host's thread of its vCPU; of a guest of a guest the guest's
 * thread that runs it, which is the one that its kernel runs.
 */
static void set_host(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
		     struct csg_task *task, struct csg_task *host)
{
	struct csg_runner *runner = NULL;

	if (csg_owner_guest_tid(o))
		runner = csg_tasks_runner(&s->tasks, o->vm, csg_owner_place(o, stream), 0);
	if (runner && runner->task && runner->task != task) {
		runner->task->host = host;
		host = runner->task;
	}
	task->host = host;
}

/* Another stack runs on the stream from here on. */
void csg_running_set(struct csg_stacks *s, uint32_t stream, struct csg_stack *to,
		     const struct csg_arrival *at, enum csg_move why)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	const struct csg_owner *o = csg_stacks_who(s, at->owner);
	struct csg_task *task = to->task;
	struct csg_stack_switch what = {
		.size = sizeof(what),
		.stream = stream,
		.why = why,
		.from = c->now,
		.to = to,
		.from_owner = c->number,
		.to_owner = at->owner,
		.left = c->pending == CSG_PENDING_EXCEPTION ? c->ret : 0,
		.address = at->address,
		.number = c->exception,
		.hidden = c->pending == CSG_PENDING_GAP && c->hidden,
		.crossed = (c->owner.world == CSG_WORLD_GUEST) != (o->world == CSG_WORLD_GUEST),
	};

	if (c->now)
		c->now->running = false;
	to->running = true;
	csg_frames_own(to)->stream = stream;
	task->stream = (int32_t)stream;
	task->owner = at->owner;
	if (o->world == CSG_WORLD_GUEST && c->owner.world == CSG_WORLD_HOST && c->now)
		set_host(s, stream, o, task, c->now->task);
	else if (o->world == CSG_WORLD_GUEST && c->now && c->owner.world == CSG_WORLD_GUEST)
		task->host = c->now->task->host;
	c->now = to;
	if (s->client.switched)
		s->client.switched(s->client.to, &what);
}

void csg_running_check(struct csg_stacks *s, uint32_t stream)
{
	struct csg_stack_cpu *c = &s->cpus[stream];

	if (c->now && (csg_frames_own(c->now)->stream != stream || !c->now->depth))
		csg_running_nothing(c);
}

void csg_running_nothing(struct csg_stack_cpu *c)
{
	*c = (struct csg_stack_cpu){
		.awaits = UINT32_MAX,
		.pending = CSG_PENDING_GAP,
		.owner = CSG_OWNER_UNKNOWN,
	};
}

/* True: another stream has it running, and may yet tell that it has left it. */
bool csg_running_elsewhere(struct csg_stacks *s, uint32_t stream, const struct csg_stack *frames)
{
	const struct csg_task *task = frames->task;

	if (!frames->running || frames == s->cpus[stream].now || task->stream == (int32_t)stream)
		return false;
	s->cpus[stream].awaits = (uint32_t)task->stream;
	return true;
}
