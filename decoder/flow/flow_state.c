/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/flow_state.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "flow/core/flow_read.h"
#include "flow/core/flow_resync.h"
#include "flow/core/flow_segments.h"
#include "flow/fast/fast_queue.h"
#include "util/array.h"

struct csg_flow_state {
	struct csg_flow flow; /* its plain members */
	struct csg_flow_segment *segments;
	size_t segment_capacity;

	struct csg_fast fast; /* likewise */
	struct csg_fast_entry *entries;
	size_t entry_capacity;
};

struct csg_flow_state *csg_flow_state_create(void)
{
	return calloc(1, sizeof(struct csg_flow_state));
}

void csg_flow_state_destroy(struct csg_flow_state *s)
{
	if (!s)
		return;
	free(s->segments);
	free(s->entries);
	free(s);
}

/* The engine of a flow, if it is the fast one; or NULL. */
static struct csg_fast *fast_of(const struct csg_flow *flow)
{
	return flow->engine == CSG_ENGINE_FAST ? flow->decoder : NULL;
}

/* --- out of a flow --- */

/* Of an entry what counts for its kind; everything else is zero. */
static void save_entry(const struct csg_fast_entry *from, struct csg_fast_entry *to)
{
	memset(to, 0, sizeof(*to));
	to->index = from->index;
	to->kind = from->kind;
	to->p0 = from->p0;
	switch (from->kind) {
	case CSG_FAST_ATOMS:
		to->atoms = from->atoms;
		to->pattern = from->pattern;
		break;
	case CSG_FAST_ADDRESS:
		to->value = from->value;
		to->is1 = from->is1;
		break;
	case CSG_FAST_CONTEXT:
		to->is1 = from->is1;
		to->context = from->context;
		break;
	case CSG_FAST_EXCEPTION:
		to->number = from->number;
		to->is_target = from->is_target;
		break;
	case CSG_FAST_Q:
		to->n = from->n;
		to->has_address = from->has_address;
		to->value = from->value;
		to->is1 = from->is1;
		break;
	default:
		to->value = from->value;
		to->number = from->number;
		to->cycles = from->cycles;
		to->n = from->n;
		break;
	}
}

int csg_flow_save(const struct csg_flow *flow, struct csg_flow_state *s)
{
	const struct csg_fast *fast = fast_of(flow);

	if (!fast)
		return -CSG_E_UNSUPPORTED;
	if (csg_array_reserve((void **)&s->segments, &s->segment_capacity, flow->queue.count,
			      sizeof(*s->segments)) ||
	    csg_array_reserve((void **)&s->entries, &s->entry_capacity, fast->queue.ring.count,
			      sizeof(*s->entries)))
		return -CSG_E_NO_MEMORY;
	s->flow = *flow;
	s->flow.sent = flow->taken + flow->element_count;
	csg_flow_pass_over(&s->flow, s->flow.sent);
	s->fast = *fast;
	for (size_t i = 0; i < flow->queue.count; i++)
		s->segments[i] = *csg_flow_segment_at(flow, i);
	for (size_t i = 0; i < fast->queue.ring.count; i++)
		save_entry(csg_fast_entry_at(fast, i), &s->entries[i]);
	return 0;
}

/* --- into a flow --- */

static void load_flow(struct csg_flow *flow, const struct csg_flow *from)
{
	flow->owner = from->owner;
	flow->el = from->el;
	flow->a64 = from->a64;
	flow->eret = from->eret;
	flow->border = from->border;
	flow->border_index = from->border_index;
	flow->held = from->held;
	flow->guest_at = from->guest_at;
	flow->ending = from->ending;
	flow->dead = from->dead;
	flow->skipped = from->skipped;
	flow->end_index = from->end_index;
	flow->refusal = from->refusal;
	flow->missing = from->missing;
	flow->missing.elements += flow->taken + flow->element_count;
	flow->missing.elements -= from->taken + from->element_count;
}

/* Code that was decoded, and the queue's memory, are the engine's own. */
static void load_fast(struct csg_fast *f, const struct csg_fast *from)
{
	struct csg_fast own = *f;

	*f = *from;
	f->reader = own.reader;
	csg_reader_copy(&f->reader, &from->reader);
	f->flow = own.flow;
	f->blocks = own.blocks;
	f->queue.entries = own.queue.entries;
	f->queue.ring = (struct csg_ring){.capacity = own.queue.ring.capacity};
	f->at.block = f->at.from = f->at.before = NULL;
	f->code.space_known = false;
	for (unsigned int i = 0; i < CSG_FAST_RETURNS; i++)
		f->returns.stack[i].caller = NULL;
}

int csg_flow_load(struct csg_flow *flow, const struct csg_flow_state *s)
{
	struct csg_fast *fast = fast_of(flow);

	if (!fast)
		return -CSG_E_UNSUPPORTED;
	load_flow(flow, &s->flow);
	csg_flow_forget_slots(flow);
	load_fast(fast, &s->fast);
	for (size_t i = 0; i < s->fast.queue.ring.count; i++) {
		struct csg_fast_entry *entry = csg_fast_push(fast, s->entries[i].kind, 0);

		if (!entry)
			return -CSG_E_NO_MEMORY;
		*entry = s->entries[i];
	}
	csg_flow_drop_segments(flow);
	for (size_t i = 0; i < s->flow.queue.count; i++) {
		int err = csg_flow_add_segment(flow, &s->segments[i]);

		if (err)
			return err;
	}
	return 0;
}

void csg_flow_guess(struct csg_flow *flow, uint64_t index, uint32_t owner)
{
	struct csg_fast *fast = fast_of(flow);

	csg_flow_restart(flow, index);
	csg_flow_drop_segments(flow);
	flow->owner = owner;
	if (fast)
		fast->seen_marker = fast->unit.has_marker;
}

/* --- two of them --- */

static bool same_segments(const struct csg_flow_state *a, const struct csg_flow_state *b)
{
	if (a->flow.queue.count != b->flow.queue.count)
		return false;
	for (size_t i = 0; i < a->flow.queue.count; i++) {
		const struct csg_flow_segment *x = &a->segments[i], *y = &b->segments[i];

		if (x->index != y->index || x->owner != y->owner || x->kind != y->kind ||
		    x->gap != y->gap)
			return false;
	}
	return true;
}

static bool same_flow(const struct csg_flow *a, const struct csg_flow *b)
{
	const bool missing = csg_flow_is_missing(a, a->missing.address);

	if (missing != csg_flow_is_missing(b, b->missing.address) ||
	    (missing && a->missing.address != b->missing.address))
		return false;
	return a->owner == b->owner && a->el == b->el && a->a64 == b->a64 && a->eret == b->eret &&
	       a->border == b->border && (!a->border || a->border_index == b->border_index) &&
	       (!a->speculates || a->held == b->held) && a->guest_at == b->guest_at &&
	       a->dead == b->dead && a->skipped == b->skipped && a->ending == b->ending;
}

static bool same_context(const struct csg_packet_context *a, const struct csg_packet_context *b)
{
	return a->updated == b->updated && a->el == b->el && a->ns == b->ns && a->nse == b->nse &&
	       a->sf == b->sf && a->has_vmid == b->has_vmid &&
	       a->has_contextid == b->has_contextid && a->vmid == b->vmid &&
	       a->contextid == b->contextid;
}

static bool same_entry(const struct csg_fast_entry *a, const struct csg_fast_entry *b)
{
	return a->index == b->index && a->value == b->value && a->kind == b->kind &&
	       a->p0 == b->p0 && a->is1 == b->is1 && a->is_target == b->is_target &&
	       a->has_address == b->has_address && a->atoms == b->atoms && a->number == b->number &&
	       a->pattern == b->pattern && a->cycles == b->cycles && a->n == b->n &&
	       same_context(&a->context, &b->context);
}

static bool same_queue(const struct csg_flow_state *a, const struct csg_flow_state *b)
{
	const struct csg_fast *x = &a->fast, *y = &b->fast;

	if (x->queue.ring.count != y->queue.ring.count || x->queue.depth != y->queue.depth ||
	    x->queue.pending != y->queue.pending || x->demand.commit != y->demand.commit ||
	    x->demand.cancel != y->demand.cancel || x->demand.mispredict != y->demand.mispredict ||
	    x->demand.discard != y->demand.discard)
		return false;
	for (size_t i = 0; i < x->queue.ring.count; i++)
		if (!same_entry(&a->entries[i], &b->entries[i]))
			return false;
	return true;
}

static bool same_returns(const struct csg_fast *a, const struct csg_fast *b)
{
	if (a->returns.count != b->returns.count || a->pop_pending != b->pop_pending ||
	    a->wait_address != b->wait_address || a->returns.unknown != b->returns.unknown)
		return false;
	for (int i = 0; i < a->returns.count; i++) {
		const struct csg_fast_return *x =
			&a->returns.stack[(a->returns.top - (unsigned int)i) % CSG_FAST_RETURNS];
		const struct csg_fast_return *y =
			&b->returns.stack[(b->returns.top - (unsigned int)i) % CSG_FAST_RETURNS];

		if (x->address != y->address || x->isa != y->isa)
			return false;
	}
	return true;
}

static bool same_early(const struct csg_fast *a, const struct csg_fast *b)
{
	const struct csg_fast_replaced *x = &a->replaced, *y = &b->replaced;

	return a->early == b->early &&
	       (!a->early ||
		(x->address == y->address && x->isa == y->isa && x->pop_pending == y->pop_pending &&
		 x->wait_address == y->wait_address));
}

/* Where execution is, and what contexts have said. */
static bool same_place(const struct csg_fast *a, const struct csg_fast *b)
{
	return a->state == b->state && a->lost == b->lost && a->dead == b->dead &&
	       a->overflowed == b->overflowed && a->seen_marker == b->seen_marker &&
	       a->last_is1 == b->last_is1 && a->at.address == b->at.address &&
	       a->at.isa == b->at.isa && a->at.it == b->at.it && a->at.is_64bit == b->at.is_64bit &&
	       a->at.need_context == b->at.need_context &&
	       a->at.need_address == b->at.need_address && a->follows == b->follows &&
	       a->ids.has_contextidr == b->ids.has_contextidr &&
	       a->ids.has_vctx == b->ids.has_vctx && a->ids.contextidr == b->ids.contextidr &&
	       a->ids.vctx == b->ids.vctx;
}

bool csg_flow_same(const struct csg_flow_state *a, const struct csg_flow_state *b)
{
	return same_flow(&a->flow, &b->flow) && same_segments(a, b) &&
	       csg_reader_same(&a->fast.reader, &b->fast.reader) &&
	       same_place(&a->fast, &b->fast) && same_early(&a->fast, &b->fast) &&
	       same_returns(&a->fast, &b->fast) && same_queue(a, b);
}
