/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_walk.h"

#include <string.h>

#include "flow/core/flow_read.h"
#include "flow/fast/fast_returns.h"

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
	csg_insn_decode(f->unit.features, f->at.isa, address, word, &f->at.it, insn);
	return true;
}

/* From where execution is up to the next waypoint. */
static void walk_to_waypoint(struct csg_fast *f, struct csg_fast_walk *w)
{
	struct code code = {0};
	uint32_t word;

	*w = (struct csg_fast_walk){.start = f->at.address, .end = f->at.address};
	while (!w->found && read_word(f, &code, w->end, &word)) {
		csg_insn_decode(f->unit.features, f->at.isa, w->end, word, &f->at.it, &w->last);
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
		csg_insn_decode(f->unit.features, f->at.isa, w->end - 4, word, &f->at.it, &w->last);
}

void csg_fast_walk_to(struct csg_fast *f, uint64_t target, struct csg_fast_walk *w)
{
	struct code code = {0};
	uint32_t word;

	*w = (struct csg_fast_walk){.start = f->at.address, .end = f->at.address};
	if (f->at.isa != CSG_ISA_T32) {
		stride_to(f, target, w);
		return;
	}
	while (!w->found && read_word(f, &code, w->end, &word)) {
		csg_insn_decode(f->unit.features, f->at.isa, w->end, word, &f->at.it, &w->last);
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

	/* A source address that lies anywhere: see flow/opencsd/translate.c. */
	if (!w->count || w->end - w->start > 4 * (uint64_t)w->count) {
		e->kind = CSG_ELEMENT_GAP;
		e->gap = CSG_GAP_BAD_PACKET;
	} else {
		fill_range(e, w, f->at.isa);
		e->taken = taken;
	}
	if (taken)
		f->at.isa = w->last.next_isa;
}

void csg_fast_check_path(struct csg_fast *f, bool leads, uint64_t index)
{
	if (leads || f->at.anywhere || f->at.need_context || !f->flow->code.checks_path)
		return;
	f->at.anywhere = true;
	csg_fast_put(f, CSG_ELEMENT_GAP, index)->gap = CSG_GAP_BAD_PACKET;
}

void csg_fast_put_missing(struct csg_fast *f, uint64_t address, uint64_t index)
{
	struct csg_element *e = csg_fast_put(f, CSG_ELEMENT_GAP, index);

	e->gap = CSG_GAP_NO_CODE;
	e->start = address;
	f->follows = f->at.anywhere = true;
	csg_fast_lose_returns(f);
}

/* --- blocks --- */

void csg_fast_forget_code(struct csg_fast *f)
{
	csg_blocks_forget(&f->blocks, csg_flow_is_read(f->flow));
	f->at.block = f->at.from = f->at.before = NULL;
	for (unsigned int i = 0; i < CSG_FAST_RETURNS; i++)
		f->returns.stack[i].caller = NULL;
}

void csg_fast_check_owner(struct csg_fast *f)
{
	struct csg_flow *flow = f->flow;
	uint64_t space;

	if (f->code.space_known && f->code.space_owner == flow->owner && !flow->border)
		return;
	space = flow->owner;
	if (flow->code.space)
		space = flow->code.space(flow->code.arg, flow->owner);
	if (flow->border)
		space = 0;
	if (!f->code.space_known || space != f->code.space) {
		f->at.block = f->at.from = f->at.before = NULL;
	}
	f->code.space = space;
	f->code.space_owner = flow->owner;
	f->code.space_known = !flow->border;
}

/* What is asked for each time: where an indirect branch goes, and what a call pushes. */
static uint32_t asks(const struct csg_fast *f, const struct csg_insn *last)
{
	bool indirect = last->waypoint == CSG_WAYPOINT_INDIRECT;
	bool always = indirect || (last->link && f->unit.has_return_stack);
	bool address = indirect && !f->unit.has_return_stack && last->branch != CSG_BRANCH_ERET;

	return CSG_WAY_ASK | (always ? CSG_WAY_ALWAYS : 0) | (address ? CSG_WAY_ADDRESS : 0);
}

/* Keeps what was decoded as a block. */
static struct csg_block *keep(struct csg_fast *f, const struct csg_fast_walk *w, uint8_t it)
{
	const struct csg_insn *last = &w->last;
	const int64_t target = (int64_t)(last->target - w->end);
	/*
	 * Where a context has come that is not put out yet, code was read as the one before it has
	 * it (csg_flow_read()).  A32's branches at addresses that no such code has lead anywhere.
	 */
	const bool keeps = f->code.space && f->flow->a64 == (f->at.isa == CSG_ISA_A64) &&
			   (last->waypoint != CSG_WAYPOINT_DIRECT || target == (int32_t)target);
	const struct csg_block_way way = {.next = {CSG_WAY_ASK, asks(f, last)},
					  .instructions = w->count};
	struct csg_block *block = NULL;

	f->code.scratch_target = last->target;
	f->code.scratch = (struct csg_block){
		.start = w->start,
		.end = w->end,
		.shape = {.kind = CSG_ELEMENT_RANGE,
			  .isa = f->at.isa,
			  .branch = last->branch,
			  .last_size = last->size,
			  .conditional = last->conditional},
		.space = f->code.space,
		.instructions = w->count,
		.target = (int32_t)target,
		.waypoint = last->waypoint & 15u,
		.next_isa = last->next_isa & 7u,
		.link = last->link,
		.it = it & 15u,
		.it_after = f->at.it & 15u,
	};
	if (keeps)
		block = csg_blocks_add(&f->blocks, &f->code.scratch, &way);
	if (!block && keeps) {
		csg_fast_forget_code(f);
		block = csg_blocks_add(&f->blocks, &f->code.scratch, &way);
	}
	f->blocks.ways[0] = way;
	f->code.scratch.space = 0;
	return block ? block : &f->code.scratch;
}

/* Where the indirect branch before went the last time, which mostly is where it goes now; or
 * NULL. */
static struct csg_block *guess(const struct csg_fast *f)
{
	struct csg_block *block = f->at.from ? csg_blocks_next(&f->blocks, f->at.from, 1) : NULL;

	return block && csg_block_is(block, f->at.address, f->at.isa, f->at.it) ? block : NULL;
}

/* An atom whose code ends before a waypoint. */
static void put_unfinished(struct csg_fast *f, const struct csg_fast_walk *w, uint64_t index)
{
	if (w->count)
		csg_fast_put_range(f, w, true, index);
	csg_fast_put_missing(f, w->end, index);
	csg_fast_go_to(f, w->end, f->at.isa);
	f->at.need_address = true;
}

struct csg_block *csg_fast_find_block(struct csg_fast *f, uint64_t index)
{
	const bool missing = csg_flow_lost_at(f->flow, f->at.address);
	struct csg_block *block = missing ? NULL : guess(f);
	struct csg_fast_walk w;
	uint8_t it = f->at.it;

	if (!block && !missing && f->code.space)
		block = csg_blocks_find(&f->blocks, f->code.space, f->at.address, f->at.isa, it);
	if (!block) {
		walk_to_waypoint(f, &w);
		if (!w.found) {
			put_unfinished(f, &w, index);
			return NULL;
		}
		block = keep(f, &w, it);
	}
	if (f->at.before && block != &f->code.scratch)
		csg_way_lead(&f->blocks.ways[f->at.before->at].next[f->at.atom], block);
	if (f->at.from && block != &f->code.scratch)
		csg_way_lead(&f->blocks.ways[f->at.from->at].next[1], block);
	f->at.before = NULL;
	f->at.from = NULL;
	return block;
}
