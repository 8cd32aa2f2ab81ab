/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/stack.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "stack/function_cache.h"

/* arrive(): the stack is another stream's, nothing was changed. */
#define BLOCKED 1

/* How what ran before ended. */
enum pending {
	NOTHING, /* it goes on behind it */
	CALL,
	RETURN,
	SWITCH, /* the return of the function that switches threads */
	JUMP,
	INDIRECT,
	EXCEPTION,
	ERET,
	GAP,
	NO_CODE, /* runs in code that is not there */
};

struct cpu {
	struct csg_frames *now;
	struct csg_owner owner; /* who ran last, and its number */
	uint32_t number;
	uint8_t pending; /* enum pending */
	uint8_t gap;	 /* GAP, NO_CODE: enum csg_gap */
	uint32_t exception;
	uint64_t ret;  /* CALL, EXCEPTION: return address; 0: not known */
	uint64_t last; /* address of the last instruction */
	uint32_t awaits;
};

struct csg_stacks {
	struct csg_stacks_client client;
	struct csg_frames_client frames; /* counts, then tells the client */
	struct csg_function_cache functions;
	struct csg_tasks tasks;
	struct csg_stacks_counts counts;
	uint64_t when;
	bool force;
	size_t n;
	struct cpu cpus[];
};

static void find_function(void *arg, uint32_t owner, uint64_t address,
			  struct csg_function *function)
{
	struct csg_stacks *s = arg;

	csg_function_cache_find(&s->functions, s->client.space(s->client.arg, owner), address,
				s->when, function);
}

static void entered(void *arg, struct csg_frames *frames, enum csg_move why)
{
	struct csg_stacks *s = arg;

	s->counts.moves[why]++;
	if (why == CSG_MOVE_BEGIN)
		s->counts.cuts[frames->bottom]++;
	if (s->client.entered)
		s->client.entered(s->client.arg, frames, why);
}

static void leaving(void *arg, struct csg_frames *frames, enum csg_move why)
{
	struct csg_stacks *s = arg;

	if (why == CSG_MOVE_RETURN || why == CSG_MOVE_UNWIND || why == CSG_MOVE_ERET)
		s->counts.moves[why]++;
	if (s->client.leaving)
		s->client.leaving(s->client.arg, frames, why);
}

int csg_stacks_create(struct csg_stacks **stacks, const struct csg_stacks_client *client,
		      size_t streams)
{
	struct csg_stacks *s = calloc(1, sizeof(*s) + streams * sizeof(s->cpus[0]));

	*stacks = s;
	if (!s)
		return -CSG_E_NO_MEMORY;
	s->client = *client;
	s->frames = (struct csg_frames_client){s, find_function, entered, leaving};
	s->n = streams;
	for (size_t i = 0; i < streams; i++) {
		s->cpus[i].awaits = UINT32_MAX;
		s->cpus[i].pending = GAP;
		s->cpus[i].owner = CSG_OWNER_UNKNOWN;
	}
	if (!csg_function_cache_init(&s->functions, client->function, client->arg))
		return 0;
	csg_stacks_destroy(s);
	*stacks = NULL;
	return -CSG_E_NO_MEMORY;
}

void csg_stacks_destroy(struct csg_stacks *stacks)
{
	if (!stacks)
		return;
	csg_function_cache_fini(&stacks->functions);
	csg_tasks_fini(&stacks->tasks);
	free(stacks);
}

static bool is_user(const struct csg_owner *owner)
{
	return owner->privilege == CSG_USER;
}

/* Guests' code, or that of somebody who may be one. */
static bool is_inside(const struct csg_owner *owner)
{
	return owner->world == CSG_WORLD_GUEST || owner->world == CSG_WORLD_UNKNOWN;
}

static bool same_machine(const struct csg_owner *a, const struct csg_owner *b)
{
	if (a->world != b->world)
		return false;
	return a->world != CSG_WORLD_GUEST || (a->vm == b->vm && a->host_tid == b->host_tid);
}

static struct csg_runner *slot_of(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o)
{
	int32_t vm = o->world == CSG_WORLD_GUEST ? o->vm : -16 - (int32_t)o->world;

	return csg_tasks_runner(&s->tasks, vm, csg_owner_place(o, stream));
}

static struct csg_task *task_of(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
				bool nameless)
{
	struct csg_task_key key = csg_task_key(o, stream, nameless);

	return csg_tasks_find(&s->tasks, &key);
}

/* Another stack runs on the stream from here on. */
static void run(struct csg_stacks *s, uint32_t stream, struct csg_frames *to,
		const struct csg_arrival *at, enum csg_move why)
{
	struct cpu *c = &s->cpus[stream];
	const struct csg_owner *o = s->client.owner(s->client.arg, at->owner);
	struct csg_task *task = to->home;
	struct csg_stack_switch what = {
		.stream = stream,
		.why = why,
		.from = c->now,
		.to = to,
		.from_owner = c->number,
		.to_owner = at->owner,
		.left = c->pending == EXCEPTION ? c->ret : 0,
		.address = at->address,
		.number = c->exception,
		.crossed = (c->owner.world == CSG_WORLD_GUEST) != (o->world == CSG_WORLD_GUEST),
	};

	if (c->now)
		c->now->running = false;
	to->running = true;
	task->cpu = (int32_t)stream;
	task->owner = at->owner;
	if (o->world == CSG_WORLD_GUEST && c->owner.world == CSG_WORLD_HOST && c->now)
		task->host = c->now->home;
	else if (o->world == CSG_WORLD_GUEST && c->now && c->owner.world == CSG_WORLD_GUEST)
		task->host = csg_frames_task(c->now)->host;
	c->now = to;
	if (s->client.switched)
		s->client.switched(s->client.arg, &what);
}

/* True: another stream has it running, and may yet tell that it has left it. */
static bool blocked(struct csg_stacks *s, uint32_t stream, const struct csg_frames *frames)
{
	const struct csg_task *task = csg_frames_task(frames);

	if (!frames->running || frames == s->cpus[stream].now || task->cpu == (int32_t)stream)
		return false;
	s->cpus[stream].awaits = (uint32_t)task->cpu;
	return true;
}

/* The stack was interrupted, somewhere within it, and goes on now. */
static int resume(struct csg_frames *frames, const struct csg_arrival *to, bool user)
{
	uint64_t at = frames->at, address = to->address;
	struct csg_function function;
	uint32_t depth;

	frames->at = 0;
	if (!frames->depth)
		return csg_frames_begin(frames, to, CSG_BOTTOM_OLDER, CSG_MOVE_BEGIN);
	if (at && (address == at || address == at + 4 || address + 4 == at)) {
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	if (at && !user && !(address & 0x7f))
		return csg_frames_exception(frames, to, at);
	depth = csg_frames_find(frames, address, CSG_MOVE_SIGNAL);
	if (depth != UINT32_MAX) {
		csg_frames_leave(frames, to->client, depth, CSG_MOVE_ERET);
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	to->client->function(to->client->arg, to->owner, address, &function);
	if (function.begins)
		return csg_frames_begin(frames, to, CSG_BOTTOM_WHOLE, CSG_MOVE_BEGIN);
	if (at && user && function.known && function.start == address)
		return csg_frames_push(frames, to, at, CSG_MOVE_SIGNAL);
	if (function.known && function.start == csg_frames_top(frames)->function.start)
		return 0;
	return csg_frames_begin(frames, to, CSG_BOTTOM_ELSEWHERE, CSG_MOVE_CUT);
}

/* Begins a stack behind a gap, unless it goes on where it was left. */
static int behind_gap(const struct cpu *c, struct csg_frames *frames, const struct csg_arrival *to)
{
	bool seen = frames->depth || frames->bottom;
	uint64_t at = frames->at;

	frames->at = 0;
	if (frames->depth && at == to->address) {
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	frames->gap = c->gap;
	return csg_frames_begin(frames, to, seen ? CSG_BOTTOM_GAP : CSG_BOTTOM_OLDER, CSG_MOVE_CUT);
}

/* Code that was not there has ended, and this is where it went. */
static int behind_no_code(struct csg_stacks *s, const struct cpu *c, struct csg_frames *frames,
			  const struct csg_arrival *to)
{
	uint32_t depth = csg_frames_find(frames, to->address, CSG_MOVE_CALL);
	const struct csg_function *top = &csg_frames_top(frames)->function;
	struct csg_function function;

	if (depth != UINT32_MAX && depth) {
		csg_frames_leave(frames, to->client, depth, CSG_MOVE_RETURN);
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	if (to->address >= top->start && to->address < top->end)
		return 0;
	/* Who calls whom in code that is not there, nobody knows: it is one frame. */
	find_function(s, to->owner, to->address, &function);
	if (!function.known && !top->known) {
		csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
		return 0;
	}
	return behind_gap(c, frames, to);
}

/* Threads were switched, and who runs now is not known: its stack is nobody's. */
static int run_nameless(struct csg_stacks *s, uint32_t stream, struct csg_runner *slot,
			const struct csg_arrival *to)
{
	const struct csg_owner *o = s->client.owner(s->client.arg, to->owner);
	struct csg_task *task = task_of(s, stream, o, true);
	int err;

	if (!task)
		return -CSG_E_NO_MEMORY;
	slot->task = task;
	slot->unnamed = true;
	run(s, stream, &task->kernel, to, CSG_MOVE_RETURN);
	csg_frames_leave(&task->user, to->client, 0, CSG_MOVE_CUT);
	err = csg_frames_begin(&task->kernel, to, CSG_BOTTOM_THREAD, CSG_MOVE_CUT);
	return err;
}

/* True: the thread was elsewhere meanwhile, which has not been told so far. */
static bool comes_too_early(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o)
{
	uint32_t other = UINT32_MAX;

	if (s->client.await && !s->force && o->world == CSG_WORLD_HOST && o->tid > 0)
		other = s->client.await(s->client.arg, stream, o->tid);
	s->cpus[stream].awaits = other;
	return other != UINT32_MAX;
}

/* The return of the function that switches threads. */
static int switch_task(struct csg_stacks *s, uint32_t stream, const struct csg_arrival *to)
{
	struct cpu *c = &s->cpus[stream];
	const struct csg_owner *o = s->client.owner(s->client.arg, to->owner);
	struct csg_runner *slot = slot_of(s, stream, o);
	struct csg_task *task = task_of(s, stream, o, false);
	struct csg_frames *frames;
	struct csg_function function;

	if (!slot || !task)
		return -CSG_E_NO_MEMORY;
	frames = &task->kernel;
	if (blocked(s, stream, frames)) {
		if (!s->force)
			return BLOCKED;
		return run_nameless(s, stream, slot, to);
	}
	if (comes_too_early(s, stream, o))
		return BLOCKED;
	c->now->left = c->last;
	c->now->at = csg_frames_top(c->now)->ret;
	/* The host's nameless thread is a CPU's idle one; a guest's may be anybody. */
	if (frames == c->now || (o->tid < 0 && o->world == CSG_WORLD_GUEST))
		return run_nameless(s, stream, slot, to);
	slot->task = task;
	slot->unnamed = false;
	run(s, stream, frames, to, CSG_MOVE_RETURN);
	frames->at = 0;
	find_function(s, to->owner, to->address, &function);
	if (function.begins || (function.known && function.start == to->address))
		return csg_frames_begin(frames, to, CSG_BOTTOM_WHOLE, CSG_MOVE_BEGIN);
	if (!frames->depth)
		return csg_frames_begin(frames, to, CSG_BOTTOM_OLDER, CSG_MOVE_BEGIN);
	return csg_frames_return(frames, to);
}

/* How many of to's frames stay when from's outermost frame goes on in one of them. */
static uint32_t joint(const struct csg_frames *to, const struct csg_frames *from)
{
	for (uint32_t i = to->depth; i-- > 0;)
		if (from->frame[0].function.known &&
		    to->frame[i].function.start == from->frame[0].function.start)
			return i + 1;
	return 0;
}

/* It is now known who runs since a switch: what ran since goes on that thread's stack. */
static int name_task(struct csg_stacks *s, uint32_t stream, struct csg_runner *slot,
		     struct csg_task *task, const struct csg_arrival *at)
{
	struct csg_frames *from = s->cpus[stream].now, *to = &task->kernel;
	uint32_t keep = joint(to, from), first = keep ? 1 : 0, n = from->depth;
	int err = 0;

	slot->task = task;
	slot->unnamed = false;
	if (!keep)
		to->bottom = to->depth ? CSG_BOTTOM_MISMATCH : CSG_BOTTOM_OLDER;
	csg_frames_leave(to, at->client, keep, CSG_MOVE_RETURN);
	to->at = 0;
	run(s, stream, to, at, CSG_MOVE_RETURN);
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
static int other_thread(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
			const struct csg_arrival *to)
{
	struct cpu *c = &s->cpus[stream];
	struct csg_runner *slot = slot_of(s, stream, o);
	struct csg_task *task = task_of(s, stream, o, false);
	bool named = csg_frames_top(c->now)->function.known;
	struct csg_frames *frames;

	if (!slot || !task)
		return -CSG_E_NO_MEMORY;
	frames = is_user(o) ? &task->user : &task->kernel;
	if (frames == c->now || o->tid < 0 || frames->running)
		return 0;
	/* A context ID is written before the switch; records of a guest tell behind it. */
	if (slot->unnamed && !is_user(o) && o->witness & CSG_WITNESS_GUEST_SIDEBAND)
		return name_task(s, stream, slot, task, to);
	if (named && !is_user(o))
		return 0; /* the function that switches threads will say when */
	slot->task = task;
	c->now->left = c->last;
	run(s, stream, frames, to, CSG_MOVE_CUT);
	if (is_user(o) && frames->depth && frames->at != to->address)
		return csg_frames_begin(frames, to, CSG_BOTTOM_THREAD, CSG_MOVE_CUT);
	if (!frames->depth)
		return csg_frames_begin(frames, to, CSG_BOTTOM_OLDER, CSG_MOVE_BEGIN);
	csg_frames_go_on(frames, to, CSG_MOVE_JUMP);
	return 0;
}

/* Execution goes on on the stack that ran. */
static int go_on_here(struct csg_stacks *s, uint32_t stream, const struct csg_arrival *to)
{
	struct cpu *c = &s->cpus[stream];
	struct csg_frames *now = c->now;

	switch ((enum pending)c->pending) {
	case NOTHING:
		csg_frames_go_on(now, to, CSG_MOVE_JUMP);
		return 0;
	case CALL:
		return csg_frames_call(now, to, c->ret);
	case RETURN:
		return csg_frames_return(now, to);
	case SWITCH:
		return switch_task(s, stream, to);
	case JUMP:
		return csg_frames_jump(now, to, false);
	case INDIRECT:
		return csg_frames_jump(now, to, true);
	case EXCEPTION:
		return csg_frames_exception(now, to, c->ret);
	case ERET:
		return csg_frames_eret(now, to);
	case GAP:
		run(s, stream, now, to, CSG_MOVE_CUT);
		return behind_gap(c, now, to);
	case NO_CODE:
		return behind_no_code(s, c, now, to);
	}
	return 0;
}

/* Whose stack runs at another level, or in another machine. */
static struct csg_task *next_task(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
				  struct csg_runner *slot, uint64_t address)
{
	const struct cpu *c = &s->cpus[stream];
	bool from_user =
		c->pending == EXCEPTION && is_user(&c->owner) && same_machine(&c->owner, o);
	struct csg_task *task = slot->task;

	/* An exception does not change the thread, whether it is named or not. */
	if (from_user && o->tid < 0)
		return csg_frames_task(c->now);
	/* Threads may be named before or behind their switch: who was left goes on. */
	if (task && !is_user(o) && !from_user && task->kernel.depth &&
	    (task->kernel.at == address || slot->unnamed))
		return task;
	/* Nor does a thread's name help where none was said since. */
	if (task && slot->unnamed &&
	    task_of(s, stream, &s->cpus[stream].owner, false) == task_of(s, stream, o, false))
		return task;
	/* The kernel returns to the user code of its thread. */
	if (task && c->pending == ERET && is_user(o) && o->tid < 0 && same_machine(&c->owner, o))
		return task;
	slot->unnamed = false;
	return task_of(s, stream, o, false);
}

/* What becomes of the stack that ran when another level or machine runs. */
static void leave_now(struct csg_stacks *s, struct cpu *c, const struct csg_owner *o)
{
	struct csg_frames *from = c->now;

	if (!from)
		return;
	from->left = c->pending == EXCEPTION && c->ret ? c->ret : c->last;
	if (c->pending == EXCEPTION)
		from->at = c->ret;
	else if (c->pending != ERET)
		from->at = c->pending == GAP ? from->at : 0;
	else if (is_inside(o) && !is_inside(&c->owner))
		from->in_guest = true;
	else
		csg_frames_leave(from, &s->frames, 0, CSG_MOVE_ERET);
}

/* An exception went to a higher level. */
static int enter_kernel(const struct csg_owner *from, const struct csg_owner *o,
			struct csg_frames *frames, const struct csg_arrival *to)
{
	if (is_inside(from) && !is_inside(o)) {
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

static enum csg_move move_of(const struct cpu *c)
{
	if (c->pending == EXCEPTION)
		return CSG_MOVE_EXCEPTION;
	if (c->pending == ERET)
		return CSG_MOVE_ERET;
	return c->now ? CSG_MOVE_CUT : CSG_MOVE_BEGIN;
}

/* Execution goes on at another level, or in another machine. */
static int go_elsewhere(struct csg_stacks *s, uint32_t stream, const struct csg_owner *o,
			const struct csg_arrival *to)
{
	struct cpu *c = &s->cpus[stream];
	const struct csg_owner from = c->owner;
	struct csg_runner *slot = slot_of(s, stream, o);
	enum csg_move why = move_of(c);
	struct csg_frames *frames;
	struct csg_task *task;

	if (!slot)
		return -CSG_E_NO_MEMORY;
	task = next_task(s, stream, o, slot, to->address);
	if (!task)
		return -CSG_E_NO_MEMORY;
	frames = is_user(o) ? &task->user : &task->kernel;
	if (blocked(s, stream, frames)) {
		if (!s->force)
			return BLOCKED;
		task = task_of(s, stream, o, true);
		if (!task)
			return -CSG_E_NO_MEMORY;
		frames = is_user(o) ? &task->user : &task->kernel;
		csg_frames_leave(frames, to->client, 0, CSG_MOVE_CUT);
		frames->bottom = CSG_BOTTOM_ORDER;
	}
	slot->task = task;
	leave_now(s, c, o);
	run(s, stream, frames, to, why);
	if (why == CSG_MOVE_EXCEPTION)
		return enter_kernel(&from, o, frames, to);
	if (why == CSG_MOVE_ERET)
		return resume(frames, to, is_user(o));
	return behind_gap(c, frames, to);
}

/* Execution is at an address of owner, after what is pending. */
static int arrive(struct csg_stacks *s, uint32_t stream, uint64_t address, uint32_t owner)
{
	struct cpu *c = &s->cpus[stream];
	const struct csg_owner *o = s->client.owner(s->client.arg, owner);
	struct csg_arrival to = {&s->frames, address, owner};
	bool here = c->now && same_machine(&c->owner, o) && is_user(&c->owner) == is_user(o);
	int err;

	c->awaits = UINT32_MAX;
	if (!here) {
		err = go_elsewhere(s, stream, o, &to);
	} else {
		err = go_on_here(s, stream, &to);
		if (!err && owner != c->number)
			err = other_thread(s, stream, o, &to);
	}
	if (err == BLOCKED)
		return err;
	c->pending = NOTHING;
	c->owner = *o;
	c->number = owner;
	return err;
}

/* Instructions of a range that goes beyond the function it began in. */
static void ran_across(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct csg_frames *now = s->cpus[stream].now;
	uint64_t at = e->start, left = e->instructions, size = e->end - e->start;
	struct csg_function last;

	find_function(s, e->owner, e->end - e->last_size, &last);
	while (at < e->end) {
		const struct csg_function *function = &csg_frames_top(now)->function;
		uint64_t to = function->end < e->end ? function->end : e->end;
		uint64_t n = (to - at) * e->instructions / size;
		struct csg_arrival next = {&s->frames, to, e->owner};

		if (to <= at || to == e->end || n > left || (!function->known && !last.known))
			to = e->end, n = left;
		s->client.ran(s->client.arg, stream, now, n);
		left -= n;
		at = to;
		if (at < e->end)
			csg_frames_go_on(now, &next, CSG_MOVE_JUMP);
	}
}

static uint8_t pending_of(const struct cpu *c, const struct csg_element *range)
{
	if (!range->taken)
		return NOTHING;
	switch ((enum csg_branch)range->branch) {
	case CSG_BRANCH_DIRECT:
		return JUMP;
	case CSG_BRANCH_INDIRECT:
		return INDIRECT;
	case CSG_BRANCH_CALL:
	case CSG_BRANCH_INDIRECT_CALL:
		return CALL;
	case CSG_BRANCH_RETURN:
		return csg_frames_top(c->now)->function.switches ? SWITCH : RETURN;
	case CSG_BRANCH_ERET:
		return ERET;
	default:
		return NOTHING;
	}
}

static int on_range(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct cpu *c = &s->cpus[stream];
	const struct csg_function *function;
	int err = 0;

	if (c->pending != NOTHING || e->owner != c->number || !c->now) {
		err = arrive(s, stream, e->start, e->owner);
	} else {
		function = &csg_frames_top(c->now)->function;
		if (e->start < function->start || e->start >= function->end)
			err = arrive(s, stream, e->start, e->owner);
	}
	if (err)
		return err;
	if (s->client.ran && e->end <= csg_frames_top(c->now)->function.end)
		s->client.ran(s->client.arg, stream, c->now, e->instructions);
	else if (s->client.ran)
		ran_across(s, stream, e);
	c->last = e->end - e->last_size;
	c->ret = e->end;
	c->pending = pending_of(c, e);
	return 0;
}

static int on_exception(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct cpu *c = &s->cpus[stream];
	int err = 0;

	/* Where what is pending went to is where the exception was taken. */
	if (c->pending != NOTHING && e->has_return)
		err = arrive(s, stream, e->end, e->owner);
	if (err)
		return err;
	c->pending = EXCEPTION;
	c->ret = e->has_return ? e->end : 0;
	c->exception = e->info;
	return 0;
}

static int on_gap(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct cpu *c = &s->cpus[stream];
	int err;

	if (e->gap == CSG_GAP_NONE)
		return 0;
	if (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER) {
		err = arrive(s, stream, e->start, e->owner);
		if (err)
			return err;
		if (s->client.mark)
			s->client.mark(s->client.arg, stream, e);
		c->pending = NO_CODE;
		c->gap = e->gap;
		c->last = e->start;
		return 0;
	}
	if (s->client.mark)
		s->client.mark(s->client.arg, stream, e);
	if (c->now && c->pending != GAP)
		c->now->at = c->pending == EXCEPTION ? c->ret : 0;
	if (c->now)
		c->now->running = false; /* what became of it is lost */
	c->pending = GAP;
	c->gap = e->gap;
	return 0;
}

static int feed(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct cpu *c = &s->cpus[stream];
	struct csg_element lost = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_BUFFER};

	switch ((enum csg_element_kind)e->kind) {
	case CSG_ELEMENT_RANGE:
		return on_range(s, stream, e);
	case CSG_ELEMENT_EXCEPTION:
		return on_exception(s, stream, e);
	case CSG_ELEMENT_EXCEPTION_RET:
		if (c->pending == NOTHING)
			c->pending = ERET;
		return 0;
	case CSG_ELEMENT_GAP:
		return on_gap(s, stream, e);
	case CSG_ELEMENT_RANGE_NOPATH:
		if (s->client.ran && c->now)
			s->client.ran(s->client.arg, stream, c->now, e->instructions);
		lost.gap = CSG_GAP_DISCARD;
		return on_gap(s, stream, &lost);
	case CSG_ELEMENT_TIMESTAMP:
	case CSG_ELEMENT_CYCLES:
		if (s->client.mark)
			s->client.mark(s->client.arg, stream, e);
		return 0;
	case CSG_ELEMENT_END:
		return on_gap(s, stream, &lost);
	default:
		return 0;
	}
}

int64_t csg_stacks_feed(struct csg_stacks *stacks, uint32_t stream,
			const struct csg_element *elements, size_t n, uint64_t when, bool force)
{
	size_t done;
	int err;

	stacks->when = when;
	for (done = 0; done < n; done++) {
		stacks->force = force && !done;
		err = feed(stacks, stream, &elements[done]);
		if (err < 0)
			return err;
		if (err == BLOCKED)
			break;
		if (stacks->client.used)
			stacks->client.used(stacks->client.arg, stream, &elements[done]);
	}
	return (int64_t)done;
}

void csg_stacks_end(struct csg_stacks *stacks, uint32_t stream)
{
	if (stacks->cpus[stream].now)
		stacks->cpus[stream].now->running = false;
}

uint32_t csg_stacks_awaits(const struct csg_stacks *stacks, uint32_t stream)
{
	return stacks->cpus[stream].awaits;
}

const struct csg_frames *csg_stacks_now(const struct csg_stacks *stacks, uint32_t stream)
{
	return stacks->cpus[stream].now;
}

uint32_t csg_stacks_owner(const struct csg_stacks *stacks, uint32_t stream)
{
	return stacks->cpus[stream].number;
}

const struct csg_frames *csg_stacks_under(const struct csg_frames *frames, bool joined)
{
	const struct csg_task *task = csg_frames_task(frames);

	if (frames == &task->kernel && task->user.depth)
		return &task->user;
	if (joined && task->host && task->host->kernel.depth)
		return &task->host->kernel;
	return NULL;
}

size_t csg_stacks_chain(const struct csg_stacks *stacks, uint32_t stream, uint64_t ip, bool joined,
			struct csg_chain_entry *chain, size_t max)
{
	const struct csg_frames *frames = stacks->cpus[stream].now;
	size_t n = 0;

	for (; frames; frames = csg_stacks_under(frames, joined), ip = frames ? frames->left : 0) {
		for (uint32_t i = frames->depth; i-- > 0 && n < max;) {
			const struct csg_frame *frame = &frames->frame[i];

			chain[n++] = (struct csg_chain_entry){
				.address = ip,
				.owner = frame->owner,
				.label = frame->function.label,
				.frames = frames,
				.kind = frame->kind,
			};
			ip = frame->ret;
		}
	}
	return n;
}

const struct csg_stacks_counts *csg_stacks_counts(const struct csg_stacks *stacks)
{
	return &stacks->counts;
}
