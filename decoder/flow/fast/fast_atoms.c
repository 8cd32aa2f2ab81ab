/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_atoms.h"

#include "flow/fast/fast_deliver.h"
#include "flow/fast/fast_lane.h"
#include "flow/fast/fast_returns.h"
#include "flow/fast/fast_walk.h"
#include "scan/reader_address.h"

/* --- from block to block --- */

/* The indirect branch that block ends with was taken. */
static void leave_indirectly(struct csg_fast *f, struct csg_block *block, uint64_t index)
{
	csg_fast_go_to(f, block->end, block->next_isa);
	f->at.it = 0;
	f->at.need_address = true;
	f->at.from = block != &f->code.scratch ? block : NULL;
	if (block->link)
		csg_fast_push_return(f, block->end, block->shape.isa, f->at.from);
	f->pop_pending = f->unit.has_return_stack;
	if (f->unit.ete && block->shape.branch == CSG_BRANCH_ERET)
		csg_fast_put(f, CSG_ELEMENT_EXCEPTION_RET, index);
}

static uint64_t target_of(const struct csg_fast *f, const struct csg_block *block)
{
	if (block == &f->code.scratch)
		return f->code.scratch_target;
	return block->end + (uint64_t)(int64_t)block->target;
}

/*
 * After a block where next[atom] says to ask.  The block where execution goes on, or NULL,
 * f->at.before or f->at.from being who is to remember it.
 */
static __attribute__((noinline)) struct csg_block *
leave(struct csg_fast *f, struct csg_block *block, unsigned int atom, uint64_t index)
{
	struct csg_block *kept = block != &f->code.scratch ? block : NULL, *known;
	uint32_t *next = f->blocks.ways[block->at].next;

	if (atom && block->waypoint == CSG_WAYPOINT_INDIRECT) {
		leave_indirectly(f, block, index);
		return NULL;
	}
	if (atom && block->waypoint != CSG_WAYPOINT_DIRECT) {
		atom = 0; /* it leads nowhere else */
		next[1] = next[0];
	}
	if (atom && block->link)
		csg_fast_push_return(f, block->end, block->shape.isa, kept);
	known = csg_blocks_next(&f->blocks, block, atom);
	if (known)
		return known;
	csg_fast_go_to(f, atom ? target_of(f, block) : block->end,
		       atom ? block->next_isa : block->shape.isa);
	f->at.it = atom ? 0 : block->it_after;
	f->at.before = kept;
	f->at.atom = atom;
	return NULL;
}

enum arrival { ARRIVED, NOWHERE, MISSING, NO_RETURN };

/* Where the next atom is walked from, which is not known yet: f->at.block. */
static __attribute__((noinline)) enum arrival arrive(struct csg_fast *f, uint64_t index)
{
	if (f->pop_pending && !csg_fast_pop_return(f, index))
		return NO_RETURN;
	if (f->at.need_address | f->at.need_context) {
		csg_fast_check_path(f, false, index);
		return NOWHERE;
	}
	if (!f->at.block)
		f->at.block = csg_fast_find_block(f, index);
	return f->at.block ? ARRIVED : MISSING;
}

/* Where execution is, if that is known to be a block and nothing else is to be done before it. */
static inline struct csg_block *block_at_hand(const struct csg_fast *f)
{
	return (f->at.need_address | f->at.need_context | f->pop_pending) ? NULL : f->at.block;
}

/* Walking may go on from here later. */
static void interval(struct csg_fast *f, struct csg_block *block)
{
	f->at.block = block;
	if (!block)
		return;
	f->at.address = block->start;
	f->at.isa = block->shape.isa;
	f->at.it = block->it;
	f->at.before = NULL;
}

static inline struct csg_steps begin_steps(const struct csg_fast *f)
{
	const struct csg_flow *flow = f->flow;

	return (struct csg_steps){
		.out = flow->elements + flow->element_count,
		.execution = flow->counts ? flow->executions + flow->execution_count : NULL,
		.instructions = flow->open.instructions,
		.block = block_at_hand(f),
		.owner = flow->owner,
		.el = flow->el};
}

static inline void save_out(struct csg_fast *f, const struct csg_steps *s)
{
	struct csg_flow *flow = f->flow;

	flow->element_count = (size_t)(s->out - flow->elements);
	if (!flow->counts)
		return;
	flow->execution_count = (size_t)(s->execution - flow->executions);
	flow->open.instructions = s->instructions;
}

static inline void load_out(const struct csg_fast *f, struct csg_steps *s)
{
	s->out = f->flow->elements + f->flow->element_count;
	s->instructions = f->flow->open.instructions;
}

/* Code that is not remembered: who counts gets an element for it, too. */
static __attribute__((noinline)) void put_forgotten(struct csg_fast *f, struct csg_steps *s,
						    uint8_t taken, uint64_t index)
{
	s->execution--;
	s->instructions -= s->block->instructions;
	save_out(f, s);
	csg_flow_close_ranges(f->flow, false);
	load_out(f, s);
	csg_steps_range(s, taken, index);
}

/* The block after the one that s has come to, where that takes more than to follow next[way]. */
static inline void leave_slowly(struct csg_fast *f, struct csg_steps *s, uint64_t way,
				uint64_t index)
{
	save_out(f, s);
	s->block = leave(f, s->block, (unsigned int)way, index);
	load_out(f, s);
}

static inline enum arrival arrive_slowly(struct csg_fast *f, struct csg_steps *s, uint64_t index)
{
	enum arrival arrival;

	save_out(f, s);
	arrival = arrive(f, index);
	load_out(f, s);
	s->block = f->at.block;
	return arrival;
}

/* Where a packet begins: if it makes no sense, what it has given is taken back. */
struct mark {
	struct csg_element *out;
	uintptr_t *execution;
	uint64_t instructions;
	size_t first;
};

static inline __attribute__((always_inline)) struct mark
mark(const struct csg_fast *f, const struct csg_steps *s, bool counts)
{
	if (!counts)
		return (struct mark){.out = s->out};
	return (struct mark){s->out, s->execution, s->instructions, f->flow->open.first};
}

/* Elements that the packets before this one gave; executions that are in none yet count as one. */
static inline __attribute__((always_inline)) uint64_t sent_before(const struct csg_flow *flow,
								  const struct mark *m, bool counts)
{
	const bool open = counts && m->execution != flow->executions + m->first;

	return flow->taken + (uint64_t)(m->out - flow->elements) + open;
}

/*
 * Walks the atoms of pattern, the oldest in bit 0, a one above the newest.  packet: where they
 * begin, NULL if they are committed with others.  False: the return stack is empty.
 */
static inline __attribute__((always_inline)) bool walk(struct csg_fast *f, struct csg_steps *s,
						       uint64_t pattern, uint64_t index,
						       const struct mark *packet, bool counts)
{
	while (pattern > 1) {
		if (!s->block) {
			enum arrival arrival;

			if (packet)
				f->flow->sent = sent_before(f->flow, packet, counts);
			arrival = arrive_slowly(f, s, index);
			if (arrival == MISSING)
				pattern >>= 1;
			if (arrival == NOWHERE || arrival == NO_RETURN)
				return arrival == NOWHERE;
		}
		if (!s->block)
			continue;
		do {
			const uint64_t way = pattern & 1;
			uint32_t next = f->blocks.ways[s->block->at].next[way];

			if (counts)
				csg_steps_execution(s, way, s->block->instructions);
			else
				csg_steps_range(s, (uint8_t)way, index);
			pattern >>= 1;
			if (next & CSG_WAY_ASK) {
				if (counts && s->block == &f->code.scratch)
					put_forgotten(f, s, (uint8_t)way, index);
				leave_slowly(f, s, way, index);
				break;
			}
			s->block = csg_blocks_at(&f->blocks, next);
		} while (pattern > 1);
	}
	return true;
}

bool csg_fast_atoms(struct csg_fast *f, uint32_t pattern, unsigned int n, uint64_t index)
{
	struct csg_steps s = begin_steps(f);
	uint64_t end = UINT64_C(1) << n;
	bool good = walk(f, &s, (pattern & (end - 1)) | end, index, NULL, false);

	save_out(f, &s);
	interval(f, s.block);
	return good;
}

/* --- packets, when nothing waits before them --- */

/* Elements that one byte of them can give: for each atom a range and an exception return. */
#define MOST_OF_BYTE 48

/* An Address packet: where execution goes on, and the block there if it is known. */
static struct csg_block *go_to_address(struct csg_fast *f)
{
	uint64_t address = f->reader.addresses[0];
	uint8_t isa = csg_fast_isa(f->at.is_64bit, f->last_is1 = f->reader.is1[0]);
	struct csg_block *block = f->at.from ? csg_blocks_next(&f->blocks, f->at.from, 1) : NULL;

	f->pop_pending = f->wait_address = f->at.need_address = f->at.anywhere = false;
	csg_fast_go_to(f, address, isa);
	if (f->at.need_context || !f->code.space)
		return NULL;
	if (!block || !csg_block_is(block, address, isa, f->at.it)) {
		block = csg_blocks_find(&f->blocks, f->code.space, address, isa, f->at.it);
		if (!block)
			return NULL;
		if (f->at.from)
			csg_way_lead(&f->blocks.ways[f->at.from->at].next[1], block);
	}
	if (isa == CSG_ISA_A64 && !block->it)
		*csg_blocks_landing(&f->blocks, f->code.space, address) =
			(struct csg_landing){address, f->code.space, block->at};
	f->at.from = NULL;
	return block;
}

/* Execution goes on at an address to which the path does not lead. */
static __attribute__((noinline)) void leave_path(struct csg_fast *f, struct csg_steps *s,
						 uint64_t index)
{
	save_out(f, s);
	csg_fast_check_path(f, false, index);
	load_out(f, s);
}

/* Elements from place on are put out; the newest of them counts. */
static void deliver(struct csg_fast *f, size_t place)
{
	const struct csg_flow *flow = f->flow;
	const struct csg_element *last;

	if (flow->element_count == place)
		return;
	last = &flow->elements[flow->element_count - 1];
	if (f->follows || last->index > flow->divides_at ||
	    (last->kind != CSG_ELEMENT_RANGE && last->kind != CSG_ELEMENT_RANGES) ||
	    last->branch == CSG_BRANCH_ERET)
		csg_fast_deliver(f, place);
	else
		f->flow->eret = 0;
}

/* Why code was refused counts now.  Returns how many elements are reported. */
static size_t tell_refusals(struct csg_fast *f, struct csg_steps *s, size_t place)
{
	save_out(f, s);
	deliver(f, place);
	load_out(f, s); /* a straight line may have been taken back */
	return f->flow->element_count;
}

static inline __attribute__((always_inline)) void go_back(struct csg_fast *f, struct csg_steps *s,
							  const struct mark *m, bool counts)
{
	s->out = m->out;
	if (!counts)
		return;
	s->execution = m->execution;
	s->instructions = m->instructions;
	f->flow->open.first = m->first;
}

/* By how much more than its place each byte's index lies after the piece's. */
static const uint8_t *skips_of(const struct csg_run *piece)
{
	static const uint8_t none[CSG_FLOW_PIECE];
	static const uint8_t framed[] = {
#define FRAME(n) n, n, n, n, n, n, n, n, n, n, n, n, n, n, n
		FRAME(0),  FRAME(1),  FRAME(2),	 FRAME(3),  FRAME(4),  FRAME(5),
		FRAME(6),  FRAME(7),  FRAME(8),	 FRAME(9),  FRAME(10), FRAME(11),
		FRAME(12), FRAME(13), FRAME(14), FRAME(15), FRAME(16),
#undef FRAME
	};

	_Static_assert(CSG_FLOW_PIECE + CSG_FRAME_DATA <= sizeof(framed), "a frame more");
	return piece->frame ? framed + csg_run_phase(piece) : none;
}

static inline __attribute__((always_inline)) size_t
run(struct csg_fast *f, const struct csg_run *piece, size_t i, bool counts)
{
	bool good = csg_flow_reserve(f->flow, (piece->n - i) * MOST_OF_BYTE);
	size_t place = f->flow->element_count, address_end = i;
	const uint8_t *bytes = piece->bytes, *skips = skips_of(piece);
	struct csg_steps s;

	/* A context within an exception, or a border, may have come last. */
	csg_fast_check_owner(f);
	f->flow->open.index = csg_run_index(piece, i);
	s = begin_steps(f);
	while (good && (i = csg_fast_lane(f, &s, piece, i, skips, counts)) < piece->n) {
		const struct mark packet = mark(f, &s, counts);

		if (bytes[i] < CSG_FIRST_ATOMS) {
			unsigned int length =
				csg_reader_address(&f->reader, bytes + i, piece->n - i);

			if (!length)
				break;
			interval(f, s.block);
			f->early = i == address_end && f->early;
			csg_fast_take_early(f);
			i += length;
			address_end = i;
			if (!csg_fast_leads_to(f, f->reader.addresses[0]))
				leave_path(f, &s, csg_run_index(piece, i - 1));
			s.block = go_to_address(f);
			continue;
		}
		good = walk(f, &s, f->atoms[bytes[i] - CSG_FIRST_ATOMS], csg_run_index(piece, i),
			    &packet, counts);
		i++;
		if (!good)
			go_back(f, &s, &packet, counts);
		if (__builtin_expect(f->follows, 0))
			place = tell_refusals(f, &s, place);
	}
	f->dead |= !good;
	f->early &= i == address_end;
	save_out(f, &s);
	if (counts && csg_flow_close_ranges(f->flow, f->flow->element_count == place))
		place--;
	interval(f, s.block);
	deliver(f, place);
	return i;
}

size_t csg_fast_run(struct csg_fast *f, const struct csg_run *piece, size_t place)
{
	bool counts = f->flow->counts && f->blocks.retired < CSG_FLOW_RETIRED;

	return counts ? run(f, piece, place, true) : run(f, piece, place, false);
}
