/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_commit.h"

#include "flow/fast/fast_atoms.h"
#include "flow/fast/fast_deliver.h"
#include "flow/fast/fast_passing.h"
#include "flow/fast/fast_queue.h"
#include "flow/fast/fast_returns.h"
#include "flow/fast/fast_walk.h"

/* Of a transaction entry: OpenCSD's trace_memtrans_t. */
enum transaction { AT_BEGIN, START, COMMIT, FAIL };

/* Elements that an entry other than atoms can give. */
#define MOST_ELEMENTS 8

static bool is_transaction(const struct csg_fast_entry *e, enum transaction kind)
{
	return e->kind == CSG_FAST_TRANSACTION && e->number == kind;
}

/* --- P0 elements --- */

void csg_fast_commit_address(struct csg_fast *f)
{
	const struct csg_fast_entry *entry = csg_fast_entry_at(f, 0);

	csg_fast_check_path(f, csg_fast_leads_to(f, entry->value), entry->index);
	f->pop_pending = f->wait_address = false;
	csg_fast_go_to(f, entry->value, csg_fast_isa(f->at.is_64bit, entry->is1));
	f->at.need_address = f->at.anywhere = false;
	csg_fast_pop_oldest(f);
}

/* The address that belongs to the entry taken off before, and the context before it. */
static bool take_address(struct csg_fast *f, struct csg_fast_entry *context,
			 struct csg_fast_entry *address)
{
	context->kind = CSG_FAST_ADDRESS; /* none */
	if (f->queue.ring.count && csg_fast_entry_at(f, 0)->kind == CSG_FAST_CONTEXT) {
		*context = *csg_fast_entry_at(f, 0);
		csg_fast_pop_oldest(f);
	}
	if (!f->queue.ring.count || csg_fast_entry_at(f, 0)->kind != CSG_FAST_ADDRESS)
		return false;
	*address = *csg_fast_entry_at(f, 0);
	csg_fast_pop_oldest(f);
	return true;
}

/* Runs up to the exception's return address. */
static void walk_to_exception(struct csg_fast *f, uint64_t target, uint64_t index)
{
	struct csg_fast_walk walk;

	csg_fast_walk_to(f, target, &walk);
	f->at.need_address |= !walk.found;
	if (walk.count)
		csg_fast_put_range(f, &walk, true, index);
	if (!walk.found)
		csg_fast_put_missing(f, walk.end, index);
	csg_fast_go_to(f, walk.end, f->at.isa);
}

/* Whether instructions run before an exception with this return address. */
static bool runs_to(const struct csg_fast *f, uint64_t target)
{
	if (f->unit.exact_returns && f->at.need_address)
		return false; /* from where is not known */
	return f->unit.ways.exception_forward ? f->at.address < target : f->at.address != target;
}

static bool commit_exception(struct csg_fast *f)
{
	struct csg_fast_entry e = *csg_fast_entry_at(f, 0), context, address;
	struct csg_element *out;
	bool has_context;

	/* OpenCSD takes a return off its stack also where the address is that of the target. */
	if (f->unit.exact_returns && e.is_target)
		f->pop_pending = false;
	if (f->pop_pending && !csg_fast_pop_return(f, e.index))
		return false;
	csg_fast_pop_oldest(f);
	if (!take_address(f, &context, &address))
		return false;
	has_context = context.kind == CSG_FAST_CONTEXT;
	if (e.is_target) {
		bool is_64bit = has_context ? context.context.sf : f->at.isa == CSG_ISA_A64;

		csg_fast_go_to(f, address.value,
			       address.is1 ? CSG_ISA_T32 : csg_fast_isa(is_64bit, false));
		f->at.need_address = false;
	}
	if (has_context)
		csg_fast_put_context(f, &context, e.index);
	if (runs_to(f, address.value))
		walk_to_exception(f, address.value, e.index);
	out = csg_fast_put(f, CSG_ELEMENT_EXCEPTION, e.index);
	out->end = address.value;
	out->has_return = true;
	out->info = e.number;
	f->at.it = 0;
	f->at.anywhere = true;
	f->demand.commit--;
	return true;
}

/* Walks this many instructions, but no branch.  False: it ended with a branch. */
static bool walk_count(struct csg_fast *f, uint32_t n, struct csg_fast_walk *w)
{
	*w = (struct csg_fast_walk){.start = f->at.address, .end = f->at.address};
	while (w->count < n && n <= INT32_MAX && csg_fast_insn(f, w->end, &w->last)) {
		w->end += w->last.size;
		w->count++;
		if (w->last.waypoint == CSG_WAYPOINT_DIRECT ||
		    w->last.waypoint == CSG_WAYPOINT_INDIRECT)
			return false;
	}
	return true;
}

/* n instructions were executed and led to the address; which, only shows where they are in a
 * row. */
static void walk_q(struct csg_fast *f, const struct csg_fast_entry *q, uint64_t index, uint32_t n)
{
	struct csg_fast_walk walk;
	bool straight = walk_count(f, n, &walk);
	struct csg_element *out;

	if (n && walk.count == n && (!straight || walk.end == q->value)) {
		csg_fast_put_range(f, &walk, true, index);
	} else {
		csg_fast_lose_returns(f);
		out = csg_fast_put(f, CSG_ELEMENT_RANGE_NOPATH, index);
		out->start = walk.start;
		out->end = q->value;
		out->instructions = n;
		out->isa = csg_fast_isa(f->at.is_64bit, q->is1);
	}
	csg_fast_go_to(f, q->value, csg_fast_isa(f->at.is_64bit, q->is1));
	f->at.need_address = false;
	f->at.anywhere = true;
}

/*
 * OpenCSD takes one entry more off the queue than belongs to a Q element, and puts a context that
 * stands before its address back as the newest.
 */
static bool commit_q(struct csg_fast *f)
{
	struct csg_fast_entry e = *csg_fast_entry_at(f, 0), context, address = e, *back;

	csg_fast_pop_oldest(f);
	context.kind = CSG_FAST_ADDRESS;
	if (!e.has_address && !take_address(f, &context, &address))
		return false;
	if (context.kind == CSG_FAST_CONTEXT) {
		back = csg_fast_push(f, CSG_FAST_CONTEXT, context.index);
		if (!back)
			return false;
		back->context = context.context;
		back->is1 = true;
	}
	walk_q(f, &address, e.index, e.n);
	if (f->queue.ring.count)
		csg_fast_pop_oldest(f);
	f->demand.commit--;
	return true;
}

/* T32: how many instructions from start up to end; 0 where code is missing. */
static uint32_t count_t32(struct csg_fast *f, uint64_t start, uint64_t end)
{
	uint8_t it = f->at.it;
	struct csg_insn insn;
	uint32_t n = 0;

	while (start < end && csg_fast_insn(f, start, &insn)) {
		start += insn.size;
		n++;
	}
	f->at.it = it;
	return start < end ? 0 : n;
}

/* What runs up to the instruction at the source address, and that one. */
static void fill_source(struct csg_fast *f, uint64_t source, uint64_t index,
			struct csg_fast_walk *w)
{
	w->end = source + w->last.size;
	w->start = f->at.need_address || f->at.address > source ? source : f->at.address;
	f->at.need_address = false;
	f->at.anywhere = true;
	w->count = 1;
	if (w->end - w->start <= w->last.size)
		return;
	if (f->at.isa != CSG_ISA_T32) {
		w->count = (uint32_t)(w->end - w->start) / 4;
		return;
	}
	w->count = count_t32(f, w->start, w->end);
	if (w->count)
		return;
	csg_fast_put_missing(f, source, index);
	w->start = source;
	w->count = 1;
}

static void commit_source(struct csg_fast *f)
{
	const struct csg_fast_entry *entry = csg_fast_entry_at(f, 0);
	uint64_t source = entry->value, index = entry->index;
	struct csg_fast_walk w = {.found = true};
	uint8_t isa = f->at.isa;

	csg_fast_pop_oldest(f);
	f->demand.commit--;
	if (!csg_fast_insn(f, source, &w.last)) {
		csg_fast_put_missing(f, source, index);
		return;
	}
	fill_source(f, source, index, &w);
	csg_fast_go_to(f, w.end, w.last.next_isa);
	if (w.last.waypoint == CSG_WAYPOINT_DIRECT)
		csg_fast_go_to(f, w.last.target, w.last.next_isa);
	if (w.last.link)
		csg_fast_push_return(f, w.end, isa, NULL);
	if (w.last.waypoint == CSG_WAYPOINT_INDIRECT) {
		f->at.need_address = true;
		f->pop_pending = f->unit.has_return_stack;
	}
	csg_fast_put_range(f, &w, true, index);
}

static bool commit_atoms(struct csg_fast *f)
{
	struct csg_fast_entry *e = csg_fast_entry_at(f, 0);
	uint32_t n = e->atoms < f->demand.commit ? e->atoms : f->demand.commit;
	uint32_t pattern = e->pattern;
	uint64_t index = e->index;

	e->pattern >>= n;
	e->atoms = (uint8_t)(e->atoms - n);
	f->demand.commit -= n;
	if (!e->atoms)
		csg_fast_pop_oldest(f);
	return csg_flow_reserve(f->flow, 2 * (size_t)n + MOST_ELEMENTS) &&
	       csg_fast_atoms(f, pattern, n, index);
}

static void commit_unseen(struct csg_fast *f)
{
	struct csg_fast_entry *e = csg_fast_entry_at(f, 0);
	uint32_t n = e->n < f->demand.commit ? e->n : f->demand.commit;

	e->n -= n;
	f->demand.commit -= n;
	if (!e->n)
		csg_fast_pop_oldest(f);
}

/* --- one pass --- */

/* Entries that only say something of themselves. */
static void commit_rest(struct csg_fast *f)
{
	struct csg_fast_entry *e = csg_fast_entry_at(f, 0);

	switch (e->kind) {
	case CSG_FAST_TRACE_ON:
		csg_fast_put_trace_on(f, e);
		break;
	case CSG_FAST_ERET:
		csg_fast_put(f, CSG_ELEMENT_EXCEPTION_RET, e->index);
		break;
	case CSG_FAST_TRANSACTION:
		if (e->p0)
			f->demand.commit--;
		csg_fast_put_transaction(f, e);
		break;
	case CSG_FAST_ITE:
		csg_fast_put_ite(f, e);
		break;
	case CSG_FAST_TRACE_INFO:
		f->wait_address = true;
		csg_fast_flush_returns(f);
		break;
	default:
		csg_fast_put_passing(f, e);
		break;
	}
	csg_fast_pop_oldest(f);
}

static bool commit_oldest(struct csg_fast *f)
{
	if (!csg_flow_reserve(f->flow, MOST_ELEMENTS))
		return false;
	switch (csg_fast_entry_at(f, 0)->kind) {
	case CSG_FAST_ATOMS:
		return commit_atoms(f);
	case CSG_FAST_ADDRESS:
		csg_fast_commit_address(f);
		return true;
	case CSG_FAST_EXCEPTION:
		return commit_exception(f);
	case CSG_FAST_Q:
		return commit_q(f);
	case CSG_FAST_SOURCE_ADDRESS:
		commit_source(f);
		return true;
	case CSG_FAST_UNSEEN:
		commit_unseen(f);
		return true;
	default:
		commit_rest(f);
		return true;
	}
}

/* Commits up to the next context, which is put out before any code after it is read. */
static bool commit_pass(struct csg_fast *f)
{
	uint32_t wanted = f->demand.commit;
	bool good = true, context = false;

	f->early = false;
	while (f->demand.commit && good && !context) {
		const struct csg_fast_entry *e = csg_fast_entry_at(f, 0);

		if (!f->queue.ring.count)
			return false;
		context = e->kind == CSG_FAST_CONTEXT;
		if (!context) {
			good = commit_oldest(f);
			continue;
		}
		context = e->context.updated;
		if (context && !csg_flow_reserve(f->flow, 1))
			return false;
		if (context)
			csg_fast_put_context(f, e, e->index);
		csg_fast_pop_oldest(f);
	}
	f->queue.depth -= wanted - f->demand.commit;
	return good;
}

/* Overflow, discard: what was sent at some time remains; synchronisation is lost. */
static bool discard(struct csg_fast *f)
{
	for (; f->queue.ring.count; csg_fast_pop_oldest(f)) {
		if (!csg_flow_reserve(f->flow, 1))
			return false;
		csg_fast_put_passing(f, csg_fast_entry_at(f, 0));
	}
	f->queue.depth = f->demand.commit = f->demand.cancel = 0;
	f->demand.mispredict = f->demand.discard = f->queue.pending = false;
	f->state = CSG_FAST_NO_SYNC;
	f->lost = f->overflowed ? CSG_GAP_OVERFLOW : CSG_GAP_DISCARD;
	f->at.need_context = f->at.need_address = f->at.anywhere = true;
	csg_fast_drop_early(f);
	return true;
}

/* The rest of what the packet demands, once nothing is left to commit. */
static bool take_back(struct csg_fast *f)
{
	uint32_t n = f->demand.cancel;
	bool mispredict = f->demand.mispredict;

	f->demand.cancel = 0;
	if (n && !csg_fast_cancel(f, n))
		return false;
	f->demand.mispredict = false;
	if (mispredict && !csg_fast_mispredict(f))
		return false;
	return !f->demand.discard || discard(f);
}

bool csg_fast_resolve(struct csg_fast *f)
{
	while (f->demand.commit || f->demand.cancel || f->demand.mispredict || f->demand.discard) {
		size_t place = f->flow->element_count;
		bool good;

		csg_fast_check_owner(f);
		f->flow->sent = f->flow->taken + place;
		good = !f->demand.commit || commit_pass(f);
		if (good && !f->demand.commit)
			good = take_back(f);
		if (!good) {
			f->flow->element_count = place;
			f->follows = false;
			return false;
		}
		csg_fast_deliver(f, place);
	}
	return true;
}

/* --- the end --- */

/* Whether what is left ends with this entry: it was never committed. */
static bool ends_with(const struct csg_fast *f, const struct csg_fast_entry *e)
{
	switch (e->kind) {
	case CSG_FAST_ATOMS:
	case CSG_FAST_TRACE_ON:
	case CSG_FAST_EXCEPTION:
	case CSG_FAST_ERET:
	case CSG_FAST_Q:
	case CSG_FAST_UNSEEN:
		return true;
	default:
		return is_transaction(e, START) && f->unit.transactions_p0;
	}
}

void csg_fast_finish(struct csg_fast *f)
{
	size_t place = f->flow->element_count;

	for (; f->queue.ring.count; csg_fast_pop_oldest(f)) {
		const struct csg_fast_entry *e = csg_fast_entry_at(f, 0);

		if (ends_with(f, e) || !csg_flow_reserve(f->flow, 2))
			break;
		if ((is_transaction(e, COMMIT) || is_transaction(e, FAIL)) &&
		    (!f->unit.max_spec || !f->queue.depth))
			csg_fast_put_transaction(f, e);
		else if (e->kind == CSG_FAST_ITE)
			csg_fast_put_ite(f, e);
		else
			csg_fast_put_passing(f, e);
	}
	csg_ring_clear(&f->queue.ring);
	if (!csg_flow_reserve(f->flow, 1))
		return;
	csg_fast_put(f, CSG_ELEMENT_END, f->flow->end_index);
	csg_fast_deliver(f, place);
}
