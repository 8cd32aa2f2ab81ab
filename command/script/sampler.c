/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/context.h"
#include "csguest/error.h"
#include "script/sample_flags.h"
#include "script/sampler_stacks.h"
#include "script/sampler_state.h"

/* perf's CS_ETM_PACKET_MAX_BUFFER - 1: this many may wait for a timestamp. */
#define WAITING_MAX 1023

int csg_sampler_create(struct csg_sampler **result, const struct csg_sampler_setup *setup,
		       uint32_t stream, int32_t cpu)
{
	struct csg_sampler *s = calloc(1, sizeof(*s));

	*result = s;
	if (!s)
		return -CSG_E_NO_MEMORY;
	s->setup = *setup;
	s->stream = stream;
	s->cpu = cpu;
	if ((!s->setup.itrace.last_branch && !s->setup.itrace.sample_branches) ||
	    csg_last_branches_init(&s->last_branches, s->setup.itrace.last_branches))
		return 0;
	csg_sampler_destroy(s);
	*result = NULL;
	return -CSG_E_NO_MEMORY;
}

void csg_sampler_destroy(struct csg_sampler *sampler)
{
	if (!sampler)
		return;
	csg_sample_queue_fini(&sampler->queue);
	csg_last_branches_fini(&sampler->last_branches);
	free(sampler);
}

struct csg_sample_queue *csg_sampler_queue(struct csg_sampler *sampler)
{
	return &sampler->queue;
}

/* Everything so far happened at the time that is now. */
static void release(struct csg_sampler *s)
{
	uint64_t time =
		s->setup.clock == CSG_SAMPLER_TRACE && s->time.now ? s->time.now : s->record;

	csg_sample_queue_date(&s->queue, time,
			      s->setup.clock == CSG_SAMPLER_TIMELESS ? s->piece : s->time.now);
	s->waiting = 0;
}

static bool is_full(const struct csg_sampler *s)
{
	return !s->setup.unlimited && csg_sample_queue_full(&s->queue);
}

/* One more element that may have to wait for a timestamp. */
static void count_waiting(struct csg_sampler *s)
{
	if (++s->waiting >= WAITING_MAX || s->setup.clock == CSG_SAMPLER_TIMELESS)
		release(s);
}

static bool code_is_svc(const struct csg_sampler *s, uint32_t owner, uint64_t end, uint8_t isa)
{
	unsigned int size = csg_svc_size(isa);
	uint8_t bytes[4];

	return size &&
	       s->setup.client.code(s->setup.client.arg, owner, end - size, s->when, bytes, size) &&
	       csg_is_svc(isa, bytes);
}

static struct csg_sample *add(struct csg_sampler *s, enum csg_sample_event event)
{
	struct csg_sample *sample = csg_sample_queue_add(&s->queue);

	if (!sample)
		return NULL;
	sample->event = event;
	sample->when = s->when;
	sample->since = s->since;
	sample->cpu = s->cpu;
	sample->period = 1;
	sample->owner = sample->target = sample->thread = CSG_SAMPLE_NOBODY;
	sample->el = sample->target_el = CSG_EL_UNKNOWN;
	return sample;
}

/* At the last instruction of the range before, if there is one. */
static void begin_at(struct csg_sample *sample, const struct csg_sampled_before *from)
{
	sample->flags = from->flags;
	if (!from->range)
		return;
	sample->ip = from->last;
	sample->owner = sample->thread = from->owner;
	sample->el = from->el;
	sample->isa = from->isa;
	sample->insn_size = from->last_size;
	sample->depth = from->depth;
	sample->when = from->when;
	sample->since = from->since;
}

/* From the range before, or from nowhere, to a range, to an address that was not there, or to
 * nowhere (NULL). */
static void add_branch(struct csg_sampler *s, const struct csg_element *to)
{
	const struct csg_sampled_before *from = &s->before;
	struct csg_sample *sample;

	if (!s->setup.itrace.branches || !csg_flags_wanted(from->flags, &s->setup.itrace))
		return;
	sample = add(s, CSG_SAMPLE_BRANCH);
	if (!sample)
		return;
	begin_at(sample, from);
	if (!to)
		return;
	sample->when = s->when; /* both ends */
	sample->since = s->since;
	sample->addr = to->start;
	sample->target = to->owner;
	sample->target_el = to->el;
	if (!from->range || from->owner == to->owner ||
	    s->setup.client.same_machine(s->setup.client.arg, from->owner, to->owner))
		sample->thread = to->owner;
	if (csg_sample_shows_target(sample))
		sample->depth = s->setup.depth ? s->setup.depth(s->setup.chain_arg, s->stream) : 0;
}

static void add_instruction(struct csg_sampler *s, const struct csg_element *range, uint64_t stack)
{
	struct csg_sample *sample = add(s, CSG_SAMPLE_INSTRUCTION);
	const struct csg_range_code code = {s->setup.client.code, s->setup.client.arg, s->when};

	if (!sample)
		return;
	sample->ip = csg_range_walk_to(&s->walk, range, s->offset - 1, &code);
	sample->flags = s->before.flags;
	sample->period = s->setup.itrace.period;
	sample->owner = sample->thread = range->owner;
	sample->el = range->el;
	sample->isa = range->isa;
	sample->insn_size = csg_range_insn_size(range, sample->ip, &code);
	if (s->setup.itrace.last_branch)
		csg_sampler_attach(s, sample, stack);
	if (s->setup.itrace.callchain)
		csg_sampler_add_chain(s, sample->ip);
}

/* The period-th instructions of a range.  False: the queue is full, call again. */
static bool add_instructions(struct csg_sampler *s, const struct csg_element *range)
{
	uint64_t stack = 0;

	if (!s->setup.itrace.instructions)
		return true;
	if (s->period >= s->setup.itrace.period && s->setup.itrace.last_branch)
		stack = csg_last_branches_copy(&s->last_branches, &s->queue);
	for (; s->period >= s->setup.itrace.period; s->period -= s->setup.itrace.period) {
		if (is_full(s)) {
			release(s);
			return false;
		}
		add_instruction(s, range, stack);
		s->offset += s->setup.itrace.period;
	}
	return true;
}

/* With last branches, what is left of a period at the end of trace is a sample of its own. */
static void add_rest(struct csg_sampler *s)
{
	struct csg_sample *sample;
	uint64_t stack;

	if (!s->setup.itrace.last_branch || !s->setup.itrace.instructions || !s->before.range)
		return;
	stack = csg_last_branches_copy(&s->last_branches, &s->queue);
	sample = add(s, CSG_SAMPLE_INSTRUCTION);
	if (!sample)
		return;
	begin_at(sample, &s->before);
	sample->period = s->period;
	csg_sampler_attach(s, sample, stack);
	s->period = 0;
}

/* Tracing was interrupted; at says where it would have gone on, if anything does. */
static void interrupt(struct csg_sampler *s, const struct csg_element *at)
{
	s->ended = false;
	if (s->before.range) {
		s->before.flags |= CSG_FLAG_BRANCH | CSG_FLAG_END;
		add_rest(s);
		add_branch(s, at);
	}
	s->before = (struct csg_sampled_before){.el = CSG_EL_UNKNOWN};
	csg_last_branches_clear(&s->last_branches);
	csg_sample_time_reset(&s->time);
	count_waiting(s);
}

static void begin_range(struct csg_sampler *s, const struct csg_element *range)
{
	uint32_t iret = CSG_FLAG_BRANCH | CSG_FLAG_RETURN | CSG_FLAG_INTERRUPT;

	if (!s->before.range)
		s->before.flags |= CSG_FLAG_BRANCH | CSG_FLAG_BEGIN;
	else if (s->before.flags == iret && code_is_svc(s, range->owner, range->start, range->isa))
		s->before.flags = CSG_FLAG_BRANCH | CSG_FLAG_RETURN | CSG_FLAG_SYSCALL;
	s->offset = s->setup.itrace.period - s->period;
	s->period += range->instructions;
	csg_range_walk_begin(&s->walk, range->start);
	csg_sampler_push_branch(s, range);
}

static void end_range(struct csg_sampler *s, const struct csg_element *range)
{
	uint32_t flags = csg_flags_of_range(range);

	if (!s->before.range || s->before.taken)
		add_branch(s, range);
	s->before = (struct csg_sampled_before){
		.range = true,
		.taken = range->taken && flags,
		.last = range->end - range->last_size,
		.end = range->end,
		.flags = flags,
		.owner = range->owner,
		.depth = s->setup.depth ? s->setup.depth(s->setup.chain_arg, s->stream) : 0,
		.el = range->el,
		.isa = range->isa,
		.last_size = range->last_size,
		.when = s->when,
		.since = s->since,
	};
	if (csg_sample_time_run(&s->time, range->instructions))
		release(s);
	else
		count_waiting(s);
}

static bool on_range(struct csg_sampler *s, const struct csg_element *range)
{
	if (!s->paused)
		begin_range(s, range);
	s->paused = !add_instructions(s, range);
	if (s->paused)
		return false;
	end_range(s, range);
	return true;
}

/* An exception or ERET makes the instruction before it a branch, whatever it was. */
static void divert(struct csg_sampler *s, uint32_t flags)
{
	if (s->before.range) {
		s->before.taken = true;
		s->before.flags = flags;
	}
	count_waiting(s);
}

static void on_exception(struct csg_sampler *s, const struct csg_element *exception)
{
	bool svc = s->before.range && code_is_svc(s, s->before.owner, s->before.end, s->before.isa);

	divert(s, csg_flags_of_exception(exception->info, svc));
}

static void on_timestamp(struct csg_sampler *s, const struct csg_element *e)
{
	uint64_t timestamp = e->timestamp;

	if (s->setup.clock == CSG_SAMPLER_TIMELESS)
		return;
	if (timestamp && s->setup.clock == CSG_SAMPLER_TRACE)
		timestamp =
			e->start ? e->start : s->setup.client.time(s->setup.client.arg, timestamp);
	/* A guest's, which cannot be brought to the host's time: it dates nothing. */
	if (!timestamp && e->timestamp)
		return;
	if (csg_sample_time_stamp(&s->time, timestamp))
		release(s);
}

/* A sample of the recording ends here, with the branches that led to it. */
static void on_sample(struct csg_sampler *s, const struct csg_element *e)
{
	struct csg_sample *sample;
	uint64_t stack;

	if (!s->setup.itrace.sample_branches && !s->setup.itrace.sample_chains)
		return;
	stack = csg_last_branches_copy(&s->last_branches, &s->queue);
	sample = add(s, CSG_SAMPLE_EVENT);
	if (!sample)
		return;
	sample->time = sample->when = sample->since = e->timestamp;
	sample->ip = e->start;
	sample->owner = sample->thread = e->owner;
	sample->el = e->el;
	sample->record = e->info;
	if (s->setup.itrace.sample_branches)
		csg_sampler_attach(s, sample, stack);
	/* In the handler of the event the chain begins where the trace ends. */
	if (s->setup.itrace.sample_chains && s->before.range)
		csg_sampler_add_chain(s, s->before.taken || s->before.end == e->start
						 ? e->start
						 : s->before.last);
	count_waiting(s);
}

static void add_error(struct csg_sampler *s, const struct csg_element *gap)
{
	struct csg_sample *sample = add(s, CSG_SAMPLE_ERROR);

	if (!sample)
		return;
	sample->gap = gap->gap;
	sample->ip = gap->start;
	sample->thread = gap->owner;
	sample->el = gap->el;
}

static void on_instrumentation(struct csg_sampler *s, const struct csg_element *ite)
{
	struct csg_sample *sample;

	if (!s->setup.itrace.instrumentation || !(sample = add(s, CSG_SAMPLE_INSTRUMENTATION)))
		return;
	sample->addr = ite->timestamp;
	sample->owner = sample->thread = ite->owner;
	sample->el = (uint8_t)ite->info;
	count_waiting(s);
}

static void on_gap(struct csg_sampler *s, const struct csg_element *gap)
{
	bool wanted = csg_itrace_wants_gap(&s->setup.itrace, gap->gap);

	switch (gap->gap) {
	case CSG_GAP_NONE:
		return;
	case CSG_GAP_NO_CODE:
	case CSG_GAP_NO_OWNER:
		interrupt(s, gap);
		break;
	default:
		if (csg_itrace_is_break(gap->gap))
			s->ended = true;
		else
			interrupt(s, NULL);
	}
	if (wanted) {
		add_error(s, gap);
		count_waiting(s);
	}
}

/*
 * The trace goes on only after a reset of the decoder, if at all: perf learns so when the next
 * piece begins, and that is when "tr end" is reported.
 */
static void on_end(struct csg_sampler *s)
{
	if (s->setup.clock == CSG_SAMPLER_TIMELESS)
		add_rest(s);
	s->ended = true;
	release(s);
}

/* Whether the piece of trace has begun of which this is part. */
static bool begins(const struct csg_element *element)
{
	return element->kind != CSG_ELEMENT_END &&
	       (element->kind != CSG_ELEMENT_GAP || !csg_itrace_is_break(element->gap));
}

/* False: the queue is full; feed it once more. */
static bool feed(struct csg_sampler *s, const struct csg_element *element)
{
	if (s->ended && begins(element))
		interrupt(s, NULL);
	switch (element->kind) {
	case CSG_ELEMENT_RANGE:
		return on_range(s, element);
	case CSG_ELEMENT_RANGE_NOPATH:
		interrupt(s, element);
		return true;
	case CSG_ELEMENT_EXCEPTION:
		on_exception(s, element);
		return true;
	case CSG_ELEMENT_EXCEPTION_RET:
		divert(s, CSG_FLAG_BRANCH | CSG_FLAG_RETURN | CSG_FLAG_INTERRUPT);
		return true;
	case CSG_ELEMENT_CONTEXT:
		csg_sample_time_reset(&s->time);
		count_waiting(s);
		return true;
	case CSG_ELEMENT_TIMESTAMP:
		on_timestamp(s, element);
		return true;
	case CSG_ELEMENT_SAMPLE:
		on_sample(s, element);
		return true;
	case CSG_ELEMENT_INSTRUMENTATION:
		on_instrumentation(s, element);
		return true;
	case CSG_ELEMENT_GAP:
		on_gap(s, element);
		return true;
	case CSG_ELEMENT_END:
		on_end(s);
		return true;
	default:
		return true;
	}
}

/* The queue goes on with another piece of trace, if not in this stream. */
static void begin_piece(struct csg_sampler *s)
{
	if (!s->setup.per_thread || !s->ended)
		return;
	interrupt(s, NULL);
	release(s);
}

size_t csg_sampler_feed(struct csg_sampler *sampler, const struct csg_element *elements, size_t n,
			const struct csg_sampler_place *place)
{
	size_t done = 0;

	if (place->piece != sampler->piece)
		begin_piece(sampler);
	sampler->when = place->when;
	sampler->since = place->since;
	sampler->record = place->record;
	sampler->piece = place->piece;
	while (done < n && !sampler->queue.no_memory) {
		if (is_full(sampler)) {
			release(sampler);
			break;
		}
		if (!feed(sampler, &elements[done]))
			break;
		done++;
	}
	return done;
}

void csg_sampler_end(struct csg_sampler *sampler)
{
	if (sampler->setup.clock != CSG_SAMPLER_TIMELESS)
		add_rest(sampler);
	release(sampler);
}
