/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/stack.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "stack/arrive.h"

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
		s->cpus[i].pending = CSG_PENDING_GAP;
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

/* Tells of what the innermost frame executed so far. */
static void tell_ran(struct csg_stacks *s, uint32_t stream)
{
	struct csg_stack_cpu *c = &s->cpus[stream];

	if (c->ran && s->client.ran)
		s->client.ran(s->client.arg, stream, c->now, c->ran);
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
		s->client.mark(s->client.arg, stream, e);
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
		s->cpus[stream].ran += n;
		left -= n;
		at = to;
		if (at >= e->end)
			break;
		tell_ran(s, stream);
		csg_frames_go_on(now, &next, CSG_MOVE_JUMP);
	}
}

static uint8_t pending_of(const struct csg_stack_cpu *c, const struct csg_element *range)
{
	if (!range->taken)
		return CSG_PENDING_NOTHING;
	switch ((enum csg_branch)range->branch) {
	case CSG_BRANCH_DIRECT:
		return CSG_PENDING_JUMP;
	case CSG_BRANCH_INDIRECT:
		return CSG_PENDING_INDIRECT;
	case CSG_BRANCH_CALL:
	case CSG_BRANCH_INDIRECT_CALL:
		return CSG_PENDING_CALL;
	case CSG_BRANCH_RETURN:
		return csg_frames_top(c->now)->function.switches ? CSG_PENDING_SWITCH
								 : CSG_PENDING_RETURN;
	case CSG_BRANCH_ERET:
		return CSG_PENDING_ERET;
	default:
		return CSG_PENDING_NOTHING;
	}
}

/* The same owner goes on in the same function: most ranges do, and no stack changes. */
static bool stays(const struct csg_stack_cpu *c, const struct csg_element *range)
{
	const struct csg_function *function;

	if (!c->now || range->owner != c->number ||
	    (c->pending != CSG_PENDING_NOTHING && c->pending != CSG_PENDING_JUMP &&
	     c->pending != CSG_PENDING_INDIRECT))
		return false;
	function = &csg_frames_top(c->now)->function;
	return range->start >= function->start && range->start < function->end;
}

static int on_range(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	int err = stays(c, e) ? 0 : arrive(s, stream, e->start, e->owner);

	if (err)
		return err;
	if (e->end <= csg_frames_top(c->now)->function.end)
		c->ran += e->instructions;
	else if (s->client.ran)
		ran_across(s, stream, e);
	c->last = e->end - e->last_size;
	c->ret = e->end;
	c->pending = pending_of(c, e);
	return 0;
}

static int on_exception(struct csg_stacks *s, uint32_t stream, const struct csg_element *e)
{
	struct csg_stack_cpu *c = &s->cpus[stream];
	int err = 0;

	/* Where what is pending went to is where the exception was taken. */
	if (c->pending != CSG_PENDING_NOTHING && e->has_return)
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
	if (c->now && c->pending != CSG_PENDING_GAP)
		c->now->at = c->pending == CSG_PENDING_EXCEPTION ? c->ret : 0;
	if (c->now)
		c->now->running = false; /* what became of it is lost */
	c->pending = CSG_PENDING_GAP;
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
		mark(s, stream, e);
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
	int err = 0;

	stacks->when = when;
	for (done = 0; done < n; done++) {
		stacks->force = force && !done;
		err = feed(stacks, stream, &elements[done]);
		if (err)
			break;
		if (stacks->client.used)
			stacks->client.used(stacks->client.arg, stream, &elements[done]);
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

const struct csg_frames *csg_stacks_now(const struct csg_stacks *stacks, uint32_t stream)
{
	return stacks->cpus[stream].now;
}

uint32_t csg_stacks_owner(const struct csg_stacks *stacks, uint32_t stream)
{
	return stacks->cpus[stream].number;
}

const struct csg_stacks_counts *csg_stacks_counts(const struct csg_stacks *stacks)
{
	return &stacks->counts;
}
