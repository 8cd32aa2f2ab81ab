/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/stack.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "stack/arrive.h"
#include "stack/running.h"

static void find_function(void *arg, uint32_t owner, uint64_t address,
			  struct csg_function *function)
{
	struct csg_stacks *s = arg;

	if (owner != s->space_owner) {
		s->space = s->client.space(s->client.arg, owner);
		s->space_owner = owner;
	}
	csg_function_cache_find(&s->functions, s->space, address, s->when, function);
}

static void entered(void *arg, struct csg_stack *frames, enum csg_move why)
{
	struct csg_stacks *s = arg;

	s->counts.moves[why]++;
	if (why == CSG_MOVE_BEGIN)
		s->counts.cuts[frames->bottom]++;
	if (s->client.entered)
		s->client.entered(s->client.to, frames, why);
}

static void leaving(void *arg, struct csg_stack *frames, enum csg_move why)
{
	struct csg_stacks *s = arg;

	if (why == CSG_MOVE_RETURN || why == CSG_MOVE_UNWIND || why == CSG_MOVE_ERET)
		s->counts.moves[why]++;
	if (s->client.leaving)
		s->client.leaving(s->client.to, frames, why);
}

int csg_stacks_create(struct csg_stacks **stacks, const struct csg_stacks_client *client,
		      size_t streams)
{
	struct csg_stacks *s = calloc(1, sizeof(*s) + streams * sizeof(s->cpus[0]));

	*stacks = s;
	if (!s)
		return -CSG_E_NO_MEMORY;
	s->client = *client;
	csg_tasks_init(&s->tasks);
	s->frames = (struct csg_frames_client){s, find_function, entered, leaving};
	s->n = streams;
	s->counts.size = sizeof(s->counts);
	s->space_owner = UINT32_MAX;
	for (size_t i = 0; i < streams; i++)
		csg_running_nothing(&s->cpus[i]);
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

/* Tells of what the innermost frame executed so far. */
static void tell_ran(struct csg_stacks *s, uint32_t stream)
{
	struct csg_stack_cpu *c = &s->cpus[stream];

	if (c->ran && s->client.ran)
		s->client.ran(s->client.to, stream, c->now, c->ran);
	c->ran = 0;
}

static int arrive(struct csg_stacks *s, uint32_t stream, uint64_t address, uint32_t owner)
{
	tell_ran(s, stream);
	return csg_stacks_arrive(s, stream, address, owner);
}

static void mark(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	tell_ran(s, stream);
	if (s->client.mark)
		s->client.mark(s->client.to, stream, e);
}

/* Instructions of a range that goes beyond the function it began in. */
static void ran_across(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct csg_stack *now = s->cpus[stream].now;
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
		s->cpus[stream].ran += n;
		left -= n;
		at = to;
		if (at >= e->end)
			break;
		tell_ran(s, stream);
		csg_frames_go_on(now, &next, CSG_MOVE_JUMP);
	}
}

/* How a range ends. */
static uint8_t pending_of(const struct csg_element *range)
{
	static const uint8_t taken[] = {
		[CSG_BRANCH_NONE] = CSG_PENDING_NOTHING,
		[CSG_BRANCH_DIRECT] = CSG_PENDING_JUMP,
		[CSG_BRANCH_CALL] = CSG_PENDING_CALL,
		[CSG_BRANCH_INDIRECT] = CSG_PENDING_INDIRECT,
		[CSG_BRANCH_INDIRECT_CALL] = CSG_PENDING_CALL,
		[CSG_BRANCH_RETURN] = CSG_PENDING_RETURN,
		[CSG_BRANCH_ERET] = CSG_PENDING_ERET,
		[CSG_BRANCH_BARRIER] = CSG_PENDING_NOTHING,
		[CSG_BRANCH_WAIT] = CSG_PENDING_NOTHING,
		[CSG_BRANCH_TSTART] = CSG_PENDING_NOTHING,
	};

	return range->taken ? taken[range->branch] : CSG_PENDING_NOTHING;
}

/* The last range of the innermost frame so far. */
static void end_range(struct csg_stack_cpu *c, const struct csg_element *range)
{
	c->last = range->end - range->last_size;
	c->ret = range->end;
	c->pending = pending_of(range);
	if (c->pending == CSG_PENDING_RETURN && csg_frames_top(c->now)->function.switches)
		c->pending = CSG_PENDING_SWITCH;
}

/* A call or a return: after it another frame may run. */
static bool ends_frame(const struct csg_element *range)
{
	const unsigned int branches = 1u << CSG_BRANCH_CALL | 1u << CSG_BRANCH_INDIRECT_CALL |
				      1u << CSG_BRANCH_RETURN | 1u << CSG_BRANCH_ERET;

	return range->taken && branches >> range->branch & 1;
}

/*
 * Ranges of who ran before that stay in the innermost frame's function: takes them, up to one that
 * ends in a call or a return, and returns how many these were.
 */
static size_t interval(struct csg_stack_cpu *c, const struct csg_element *e, size_t n)
{
	const struct csg_function *function = &csg_frames_top(c->now)->function;
	const struct csg_element *range = e, *stop = e + n;
	uint64_t start = function->start, size = function->end - start, ran = 0;
	uint32_t number = c->number;
	bool ends = false;

	while (!ends && range < stop && range->kind == CSG_ELEMENT_RANGE &&
	       range->owner == number && range->start - start < size &&
	       range->end - start <= size) {
		ran += range->instructions;
		ends = ends_frame(range++);
	}
	c->ran += ran;
	if (range > e)
		end_range(c, range - 1);
	return (size_t)(range - e);
}

static int call_or_return(struct csg_stacks *s, uint32_t stream, const struct csg_element *range)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	const struct csg_arrival to = {&s->frames, range->start, range->owner};
	bool call = c->pending == CSG_PENDING_CALL;

	tell_ran(s, stream);
	c->pending = CSG_PENDING_NOTHING;
	return call ? csg_frames_call(c->now, &to, c->ret) : csg_frames_return(c->now, &to);
}

/*
 * What most elements are: ranges of who ran before, in the same function, or after a call or a
 * return.  Takes them up to one that is anything else, and returns how many these were.
 */
static size_t follow(struct csg_stacks *s, uint32_t stream, const struct csg_element *e, size_t n,
		     int *err)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	size_t i = 0, more;

	while (i < n && c->now && c->pending <= CSG_PENDING_RETURN) {
		if (c->pending >= CSG_PENDING_CALL) {
			if (e[i].kind != CSG_ELEMENT_RANGE || e[i].owner != c->number)
				break;
			*err = call_or_return(s, stream, &e[i]);
			if (*err)
				break;
		}
		more = interval(c, e + i, n - i);
		if (!more)
			break;
		i += more;
	}
	return i;
}

static int on_range(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	int err = arrive(s, stream, e->start, e->owner);

	if (err)
		return err;
	if (e->end <= csg_frames_top(c->now)->function.end)
		c->ran += e->instructions;
	else if (s->client.ran)
		ran_across(s, stream, e);
	end_range(c, e);
	return 0;
}

static int on_exception(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	int err = 0;

	/* Where what is pending went to is where the exception was taken. */
	c->eret =
		c->now && c->pending == CSG_PENDING_ERET && e->has_return && e->owner == c->number;
	if (!c->eret && c->pending != CSG_PENDING_NOTHING && e->has_return)
		err = arrive(s, stream, e->end, e->owner);
	if (err)
		return err;
	c->pending = CSG_PENDING_EXCEPTION;
	c->ret = e->has_return ? e->end : 0;
	c->exception = e->info;
	return 0;
}

static int on_gap(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	int err;

	if (e->gap == CSG_GAP_NONE)
		return 0;
	if (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER) {
		err = arrive(s, stream, e->start, e->owner);
		if (err)
			return err;
		mark(s, stream, e);
		c->pending = CSG_PENDING_NO_CODE;
		c->gap = e->gap;
		c->last = e->start;
		return 0;
	}
	mark(s, stream, e);
	c->hidden = e->gap == CSG_GAP_TRACE_ON && (c->pending == CSG_PENDING_EXCEPTION ||
						   (c->pending == CSG_PENDING_GAP && c->hidden));
	if (c->now && c->pending != CSG_PENDING_GAP)
		c->now->at = c->pending == CSG_PENDING_EXCEPTION ? c->ret : 0;
	if (c->now)
		c->now->running = false; /* what became of it is lost */
	c->pending = CSG_PENDING_GAP;
	c->eret = false;
	c->gap = e->gap;
	return 0;
}

static int feed(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	static const struct csg_element lost = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_BUFFER};
	static const struct csg_element unknown = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_DISCARD};
	struct csg_stack_cpu *c = &s->cpus[stream];

	switch ((enum csg_element_kind)e->kind) {
	case CSG_ELEMENT_RANGE:
		return on_range(s, stream, e);
	case CSG_ELEMENT_EXCEPTION:
		return on_exception(s, stream, e);
	case CSG_ELEMENT_EXCEPTION_RET:
		if (c->pending == CSG_PENDING_NOTHING)
			c->pending = CSG_PENDING_ERET;
		return 0;
	case CSG_ELEMENT_GAP:
		return on_gap(s, stream, e);
	case CSG_ELEMENT_RANGE_NOPATH:
		if (c->now)
			c->ran += e->instructions;
		return on_gap(s, stream, &unknown);
	case CSG_ELEMENT_TIMESTAMP:
	case CSG_ELEMENT_CYCLES:
	case CSG_ELEMENT_INSTRUMENTATION:
		mark(s, stream, e);
		return 0;
	case CSG_ELEMENT_END:
		return on_gap(s, stream, &lost);
	case CSG_ELEMENT_RANGES:
		return -CSG_E_USAGE;
	default:
		return 0;
	}
}

int64_t csg_stacks_feed(struct csg_stacks *stacks, uint32_t stream,
			const struct csg_element *elements, size_t n, uint64_t when, bool force)
{
	bool each = stacks->client.used;
	size_t done, used;
	int err = 0;

	csg_running_check(stacks, stream);
	stacks->when = when;
	stacks->force = force;
	for (done = 0; done < n; done += used) {
		used = follow(stacks, stream, &elements[done], each ? 1 : n - done, &err);
		if (!used && !err) {
			err = feed(stacks, stream, &elements[done]);
			used = 1;
		}
		if (err)
			break;
		stacks->force = false;
		if (each)
			stacks->client.used(stacks->client.to, stream, &elements[done]);
	}
	tell_ran(stacks, stream);
	return err < 0 ? err : (int64_t)done;
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

struct csg_stack *csg_stacks_now(const struct csg_stacks *stacks, uint32_t stream)
{
	return stacks->cpus[stream].now;
}

uint32_t csg_stacks_owner(const struct csg_stacks *stacks, uint32_t stream)
{
	return stacks->cpus[stream].number;
}

const struct csg_follower_counts *csg_stacks_counts(const struct csg_stacks *stacks)
{
	return &stacks->counts;
}
