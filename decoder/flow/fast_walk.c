/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast_state.h"

#include <string.h>

#include "csguest/context.h"

/* --- code --- */

/* A piece of code, read last. */
struct code {
	uint64_t begin;
	size_t len;
	const uint8_t *bytes;
};

/* Like OpenCSD it takes four bytes for each instruction, also for those of two. */
static bool read_word(struct csg_fast *f, struct code *c, uint64_t address, uint32_t *word)
{
	uint64_t at = address - c->begin;

	if (at >= c->len || c->len - at < 4) {
		if (address > CSG_OCSD_LAST_CODE)
			return false;
		c->begin = address;
		c->len = csg_flow_read(f->flow, address, &c->bytes);
		if (c->len < 4)
			return false;
		at = 0;
	}
	memcpy(word, c->bytes + at, 4);
	return true;
}

bool csg_fast_insn(struct csg_fast *f, uint64_t address, struct csg_insn *insn)
{
	struct code code = {0};
	uint32_t word;

	if (!read_word(f, &code, address, &word))
		return false;
	csg_insn_decode(f->features, f->isa, address, word, &f->it, insn);
	return true;
}

/* From where execution is up to the next waypoint. */
static void walk_to_waypoint(struct csg_fast *f, struct csg_fast_walk *w)
{
	struct code code = {0};
	uint32_t word;

	*w = (struct csg_fast_walk){.start = f->address, .end = f->address};
	while (!w->found && read_word(f, &code, w->end, &word)) {
		csg_insn_decode(f->features, f->isa, w->end, word, &f->it, &w->last);
		w->end += w->last.size;
		w->count++;
		w->found = w->last.waypoint;
	}
}

/* Instructions of four bytes each: whole pieces of code at once. */
static void stride_to(struct csg_fast *f, uint64_t target, struct csg_fast_walk *w)
{
	uint32_t word = 0;

	while (!w->found && w->end <= CSG_OCSD_LAST_CODE) {
		const uint8_t *bytes;
		uint64_t left = (CSG_OCSD_LAST_CODE - w->end) / 4 * 4 + 4, way = target - w->end;
		uint64_t n = csg_flow_read(f->flow, w->end, &bytes) & ~UINT64_C(3);

		if (!n)
			break;
		n = n < left ? n : left;
		w->found = way && way % 4 == 0 && way <= n;
		n = w->found ? way : n;
		memcpy(&word, bytes + n - 4, 4);
		w->end += n;
		w->count += (uint32_t)(n / 4);
	}
	if (w->count)
		csg_insn_decode(f->features, f->isa, w->end - 4, word, &f->it, &w->last);
}

void csg_fast_walk_to(struct csg_fast *f, uint64_t target, struct csg_fast_walk *w)
{
	struct code code = {0};
	uint32_t word;

	*w = (struct csg_fast_walk){.start = f->address, .end = f->address};
	if (f->isa != CSG_ISA_T32) {
		stride_to(f, target, w);
		return;
	}
	while (!w->found && read_word(f, &code, w->end, &word)) {
		csg_insn_decode(f->features, f->isa, w->end, word, &f->it, &w->last);
		w->end += w->last.size;
		w->count++;
		w->found = w->end == target;
	}
}

/* --- elements --- */

static void fill_range(struct csg_element *e, const struct csg_fast_walk *w, uint8_t isa)
{
	e->kind = CSG_ELEMENT_RANGE;
	e->start = w->start;
	e->end = w->end;
	e->instructions = w->count;
	e->isa = isa;
	e->branch = w->last.branch;
	e->last_size = w->last.size;
	e->conditional = w->last.conditional;
}

void csg_fast_put_range(struct csg_fast *f, const struct csg_fast_walk *w, bool taken,
			uint64_t index)
{
	struct csg_element *e = csg_fast_put(f, CSG_ELEMENT_RANGE, index);

	/* A source address that lies anywhere: see flow/translate.c. */
	if (!w->count || w->end - w->start > 4 * (uint64_t)w->count) {
		e->kind = CSG_ELEMENT_GAP;
		e->gap = CSG_GAP_BAD_PACKET;
	} else {
		fill_range(e, w, f->isa);
		e->taken = taken;
	}
	if (taken)
		f->isa = w->last.next_isa;
}

void csg_fast_put_missing(struct csg_fast *f, uint64_t address, uint64_t index)
{
	struct csg_element *e = csg_fast_put(f, CSG_ELEMENT_GAP, index);

	e->gap = CSG_GAP_NO_CODE;
	e->start = address;
	f->follows = true;
}

/* --- blocks --- */

void csg_fast_check_owner(struct csg_fast *f)
{
	struct csg_flow *flow = f->flow;
	uint64_t space;

	if (f->space_known && f->space_owner == flow->owner && !flow->border)
		return;
	space = flow->owner;
	if (flow->code.space)
		space = flow->code.space(flow->code.arg, flow->owner);
	if (flow->border)
		space = 0;
	if (!f->space_known || space != f->space) {
		f->block = f->from = NULL;
		f->link = NULL;
	}
	f->space = space;
	f->space_owner = flow->owner;
	f->space_known = !flow->border;
}

/* Keeps what was decoded as a block. */
static struct csg_block *keep(struct csg_fast *f, const struct csg_fast_walk *w, uint8_t it)
{
	struct csg_block *block = NULL;

	f->scratch = (struct csg_block){
		.target = w->last.target,
		.space = f->space,
		.waypoint = w->last.waypoint,
		.next_isa = w->last.next_isa,
		.it = it,
		.it_after = f->it,
		.link = w->last.link,
	};
	fill_range(&f->scratch.range, w, f->isa);
	if (f->space)
		block = csg_blocks_add(&f->blocks, &f->scratch);
	if (!block && f->space) {
		csg_fast_forget_code(f);
		block = csg_blocks_add(&f->blocks, &f->scratch);
	}
	f->scratch.space = 0;
	return block ? block : &f->scratch;
}

/* Where the indirect branch before went the last time, which mostly is where it goes now; or NULL. */
static struct csg_block *guess(const struct csg_fast *f)
{
	struct csg_block *block = f->from ? f->from->next[1] : NULL;

	if (block && block->range.start == f->address && block->range.isa == f->isa &&
	    block->it == f->it)
		return block;
	return NULL;
}

/* The block where execution is; NULL: code is missing at w->end. */
static struct csg_block *find_block(struct csg_fast *f, struct csg_fast_walk *w)
{
	struct csg_block *block = guess(f);
	uint8_t it = f->it;

	if (!block && f->space)
		block = csg_blocks_find(&f->blocks, f->space, f->address, f->isa, it);
	if (!block) {
		walk_to_waypoint(f, w);
		if (!w->found)
			return NULL;
		block = keep(f, w, it);
	}
	if (f->link && block != &f->scratch)
		*f->link = block;
	if (f->from && block != &f->scratch)
		f->from->next[1] = block;
	f->link = NULL;
	f->from = NULL;
	return block;
}

/* An atom whose code ends before a waypoint. */
static void put_unfinished(struct csg_fast *f, const struct csg_fast_walk *w, uint64_t index)
{
	if (w->count)
		csg_fast_put_range(f, w, true, index);
	csg_fast_put_missing(f, w->end, index);
	csg_fast_go_to(f, w->end, f->isa);
	f->need_address = true;
}

/* --- the return stack --- */

void csg_fast_push_return(struct csg_fast *f, uint64_t address, uint8_t isa,
			  struct csg_block *caller)
{
	if (!f->has_return_stack || f->wait_address)
		return;
	f->top = (f->top + 1) % CSG_FAST_RETURNS;
	f->returns[f->top] = (struct csg_fast_return){address, caller, isa};
	if (f->return_count < CSG_FAST_RETURNS)
		f->return_count++;
	f->pop_pending = false;
}

bool csg_fast_pop_return(struct csg_fast *f)
{
	const struct csg_fast_return *r = &f->returns[f->top];
	struct csg_block *caller = r->caller;

	f->pop_pending = false;
	if (f->return_count-- <= 0)
		return false;
	f->top = (f->top - 1) % CSG_FAST_RETURNS;
	csg_fast_go_to(f, r->address, r->isa);
	f->need_address = false;
	if (caller && f->space && caller->space == f->space && caller->it_after == f->it) {
		f->block = caller->next[0];
		f->link = &caller->next[0];
	}
	return true;
}

/* --- atoms --- */

/* The waypoint of block was taken, or not: execution goes on somewhere that is not known as a block. */
static void leave(struct csg_fast *f, struct csg_block *block, unsigned int way)
{
	csg_fast_go_to(f, way ? block->target : block->range.end,
		       way ? block->next_isa : block->range.isa);
	f->it = way ? 0 : block->it_after;
	f->link = block != &f->scratch ? &block->next[way] : NULL;
}

/* The indirect branch that block ends with was taken. */
static void leave_indirectly(struct csg_fast *f, struct csg_block *block, uint64_t index)
{
	csg_fast_go_to(f, block->range.end, block->next_isa);
	f->it = 0;
	f->need_address = true;
	f->from = block != &f->scratch ? block : NULL;
	if (block->link)
		csg_fast_push_return(f, block->range.end, block->range.isa, f->from);
	f->pop_pending = f->has_return_stack;
	if (f->ete && block->range.branch == CSG_BRANCH_ERET)
		csg_fast_put(f, CSG_ELEMENT_EXCEPTION_RET, index);
}

enum arrival { ARRIVED, NOWHERE, MISSING, NO_RETURN };

/* Where the next atom is walked from, which is not known yet: *block. */
static __attribute__((noinline)) enum arrival arrive(struct csg_fast *f, uint64_t index,
						     struct csg_block **block)
{
	struct csg_fast_walk walk;

	if (f->pop_pending && !csg_fast_pop_return(f))
		return NO_RETURN;
	if (f->need_address | f->need_context)
		return NOWHERE;
	*block = f->block ? f->block : find_block(f, &walk);
	if (*block)
		return ARRIVED;
	put_unfinished(f, &walk, index);
	return MISSING;
}

/* Walking may go on from here later. */
static void stay(struct csg_fast *f, struct csg_block *block)
{
	f->block = block;
	if (!block)
		return;
	f->address = block->range.start;
	f->isa = block->range.isa;
	f->it = block->it;
	f->link = NULL;
}

bool csg_fast_atoms(struct csg_fast *f, uint32_t pattern, unsigned int n, uint64_t index)
{
	struct csg_flow *flow = f->flow;
	struct csg_block *block =
		(f->need_address | f->need_context | f->pop_pending) ? NULL : f->block;

	for (; n; n--, pattern >>= 1) {
		unsigned int way = pattern & 1;
		struct csg_element *e;

		if (!block) {
			enum arrival arrival = arrive(f, index, &block);

			if (arrival == MISSING)
				continue;
			if (arrival != ARRIVED)
				return arrival == NOWHERE;
		}
		e = &flow->elements[flow->element_count++];
		*e = block->range;
		e->index = index;
		e->owner = flow->owner;
		e->el = flow->el;
		e->taken = way;
		if (block->waypoint == CSG_WAYPOINT_INDIRECT && way) {
			leave_indirectly(f, block, index);
			block = NULL;
			continue;
		}
		way &= block->waypoint == CSG_WAYPOINT_DIRECT;
		if (way & block->link)
			csg_fast_push_return(f, block->range.end, block->range.isa,
					     block != &f->scratch ? block : NULL);
		if (!block->next[way])
			leave(f, block, way);
		block = block->next[way];
	}
	stay(f, block);
	return true;
}
