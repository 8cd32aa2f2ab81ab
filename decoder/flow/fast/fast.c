/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/context.h"
#include "csguest/error.h"
#include "flow/core/flow_segments.h"
#include "flow/fast/fast_atoms.h"
#include "flow/fast/fast_commit.h"
#include "flow/fast/fast_queue.h"
#include "flow/fast/fast_returns.h"
#include "flow/fast/fast_walk.h"
#include "scan/arch.h"
#include "scan/reader_fields.h"

/* Releases of OpenCSD that changed their ways. */
#define EXCEPTIONS_FORWARD 0x10402
#define LEARNED_UNSEEN 0x10601

#define TRCCONFIGR_CCI (1u << 4)
#define TRCIDR0_TSMARK (1u << 23)
#define TRCIDR0_COMTRANS (1u << 30)
#define INFO_IN_TRANSACTION (1u << 6)

/* --- what packets put onto the queue --- */

static struct csg_fast_entry *push(struct csg_fast *f, enum csg_fast_kind kind,
				   const struct csg_packet *p)
{
	struct csg_fast_entry *entry = csg_fast_push(f, kind, p->index);

	if (entry)
		return entry;
	f->dead = true;
	return &f->queue.no_entry;
}

static void push_atoms(struct csg_fast *f, const struct csg_packet *p)
{
	struct csg_fast_entry *e = push(f, CSG_FAST_ATOMS, p);

	e->p0 = true;
	e->atoms = p->atoms;
	e->pattern = p->pattern;
	f->queue.depth += p->atoms;
}

static void push_context(struct csg_fast *f, const struct csg_packet *p)
{
	struct csg_fast_entry *e = push(f, CSG_FAST_CONTEXT, p);

	e->context = p->context;
	e->is1 = f->last_is1;
}

static void push_address(struct csg_fast *f, const struct csg_packet *p)
{
	struct csg_fast_entry *e = push(f, CSG_FAST_ADDRESS, p);

	e->value = p->value;
	e->is1 = p->is1;
	/* The element that waited for it is complete. */
	f->queue.depth += f->queue.pending;
	f->queue.pending = false;
}

static void push_exception(struct csg_fast *f, const struct csg_packet *p)
{
	struct csg_fast_entry *e = push(f, CSG_FAST_EXCEPTION, p);

	e->p0 = true;
	e->number = p->number;
	e->is_target = p->is_target;
	f->queue.pending = true;
}

static void push_q(struct csg_fast *f, const struct csg_packet *p)
{
	struct csg_fast_entry *e = push(f, CSG_FAST_Q, p);

	e->p0 = true;
	e->n = p->n;
	e->has_address = p->has_address;
	e->value = p->value;
	e->is1 = p->is1;
	if (p->has_address)
		f->queue.depth++;
	else
		f->queue.pending = true;
}

static void push_source(struct csg_fast *f, const struct csg_packet *p)
{
	push(f, CSG_FAST_SOURCE_ADDRESS, p)->value = p->value;
	f->queue.depth++;
}

/* number: OpenCSD's trace_memtrans_t. */
static void push_transaction(struct csg_fast *f, const struct csg_packet *p, uint16_t number,
			     bool p0)
{
	struct csg_fast_entry *e = push(f, CSG_FAST_TRANSACTION, p);

	e->number = number;
	e->p0 = p0;
	f->queue.depth += p0;
}

static void push_passing(struct csg_fast *f, enum csg_fast_kind kind, const struct csg_packet *p)
{
	struct csg_fast_entry *e = push(f, kind, p);

	e->value = p->value;
	e->number = p->number;
	e->cycles = p->cycles;
}

static void cancel(struct csg_fast *f, const struct csg_packet *p)
{
	if (p->atoms)
		push_atoms(f, p);
	f->demand.cancel = p->n;
	f->demand.mispredict = p->mispredicts;
}

static void flush_returns(struct csg_fast *f, const struct csg_packet *p)
{
	if (f->unit.ways.unseen) {
		push(f, CSG_FAST_TRACE_INFO, p);
		return;
	}
	csg_fast_flush_returns(f);
}

/* Packets of what the unit executes. */
static void decode_p0(struct csg_fast *f, const struct csg_packet *p)
{
	switch (p->kind) {
	case CSG_PACKET_ATOMS:
		push_atoms(f, p);
		break;
	case CSG_PACKET_CONTEXT:
		push_context(f, p);
		break;
	case CSG_PACKET_ADDRESS_CONTEXT:
		f->last_is1 = p->is1;
		push_context(f, p);
		push_address(f, p);
		break;
	case CSG_PACKET_ADDRESS:
		f->last_is1 = p->is1;
		push_address(f, p);
		break;
	case CSG_PACKET_SOURCE_ADDRESS:
		push_source(f, p);
		break;
	case CSG_PACKET_EXCEPTION:
		push_exception(f, p);
		break;
	case CSG_PACKET_EXCEPTION_RETURN:
		push(f, CSG_FAST_ERET, p);
		break;
	case CSG_PACKET_Q:
		push_q(f, p);
		break;
	case CSG_PACKET_TRANSACTION_START:
		push_transaction(f, p, 1, f->unit.transactions_p0);
		break;
	case CSG_PACKET_TRANSACTION_COMMIT:
		push_transaction(f, p, 2, false);
		break;
	case CSG_PACKET_TRANSACTION_FAIL:
		push_transaction(f, p, 3, false);
		break;
	default: /* whatever OpenCSD cannot decode */
		f->dead = true;
		break;
	}
}

static void decode(struct csg_fast *f, const struct csg_packet *p)
{
	switch (p->kind) {
	case CSG_PACKET_ASYNC:
	case CSG_PACKET_IGNORE:
	case CSG_PACKET_FUNCTION_RETURN: /* of profile M only */
		break;
	case CSG_PACKET_TRACE_INFO:
		flush_returns(f, p);
		break;
	case CSG_PACKET_TRACE_ON:
		push(f, CSG_FAST_TRACE_ON, p);
		break;
	case CSG_PACKET_EVENT:
		push_passing(f, CSG_FAST_EVENT, p);
		break;
	case CSG_PACKET_TIMESTAMP:
		push_passing(f, CSG_FAST_TIMESTAMP, p);
		break;
	case CSG_PACKET_TS_MARKER:
		push(f, CSG_FAST_MARKER, p);
		break;
	case CSG_PACKET_ITE:
		push_passing(f, CSG_FAST_ITE, p);
		break;
	case CSG_PACKET_CYCLES:
		push_passing(f, CSG_FAST_CYCLES, p);
		if (f->unit.ways.cycles_commit)
			f->demand.commit = p->n;
		break;
	case CSG_PACKET_COMMIT:
		f->demand.commit = p->n;
		break;
	case CSG_PACKET_CANCEL:
		cancel(f, p);
		break;
	case CSG_PACKET_OVERFLOW:
	case CSG_PACKET_DISCARD:
		f->overflowed |= p->kind == CSG_PACKET_OVERFLOW;
		f->queue.depth = 0;
		f->demand.discard = true;
		break;
	default:
		decode_p0(f, p);
		break;
	}
	if (f->queue.depth > f->unit.max_spec)
		f->demand.commit = f->queue.depth - f->unit.max_spec;
	if (!f->dead)
		f->dead = !csg_fast_resolve(f);
}

/* --- synchronisation --- */

static void begin(struct csg_fast *f, const struct csg_packet *p)
{
	if (p->n > f->unit.max_spec) { /* more than the unit can have */
		f->dead = true;
		return;
	}
	f->queue.depth = p->n;
	if (f->unit.ways.unseen && p->n) {
		struct csg_fast_entry *e = push(f, CSG_FAST_UNSEEN, p);

		e->p0 = true;
		e->n = p->n;
	}
	if (f->unit.ways.unseen)
		push(f, CSG_FAST_TRACE_INFO, p);
	if (p->value & INFO_IN_TRANSACTION)
		push_transaction(f, p, 0, false);
	f->returns.count = 0;
	f->pop_pending = false;
	f->state = CSG_FAST_DECODE;
}

/* Synchronisation was lost at this packet. */
static void put_lost(struct csg_fast *f, uint64_t index)
{
	if (f->flow->speculates && f->lost != CSG_GAP_NONE)
		csg_flow_reach(f->flow, index);
	f->flow->el = CSG_EL_UNKNOWN;
	f->flow->eret = 0;
	if (f->lost != CSG_GAP_NONE && csg_flow_reserve(f->flow, 1))
		csg_fast_put(f, CSG_ELEMENT_GAP, index)->gap = f->lost;
	f->state = CSG_FAST_WAIT_SYNC;
}

static void wait_info(struct csg_fast *f, const struct csg_packet *p)
{
	f->at.need_context = f->at.need_address = f->at.anywhere = true;
	if (p->kind == CSG_PACKET_TRACE_INFO)
		begin(f, p);
	else if (f->unit.ete && p->kind == CSG_PACKET_EVENT)
		push_passing(f, CSG_FAST_EVENT, p);
}

static void on_packet(void *arg, const struct csg_packet *p)
{
	struct csg_fast *f = arg;

	if (f->state == CSG_FAST_DECODE)
		decode(f, p);
	else if (f->state == CSG_FAST_WAIT_INFO)
		wait_info(f, p);
	if (f->state == CSG_FAST_NO_SYNC)
		put_lost(f, p->index);
	if (f->state == CSG_FAST_WAIT_SYNC && p->kind == CSG_PACKET_ASYNC)
		f->state = CSG_FAST_WAIT_INFO;
}

/* --- bytes --- */

/* Takes what waits off the queue if that is nothing but addresses. */
static bool queue_is_plain(struct csg_fast *f)
{
	for (size_t i = 0; i < f->queue.ring.count; i++)
		if (csg_fast_entry_at(f, i)->kind != CSG_FAST_ADDRESS)
			return false;
	while (f->queue.ring.count) {
		csg_fast_take_early(f);
		csg_fast_commit_address(f);
	}
	return true;
}

/*
 * Nothing waits before the next packet, and what it executes is committed at once.  The room that
 * csg_fast_run() takes is for streams that have more than a few bytes.
 */
static inline bool is_direct(struct csg_fast *f)
{
	return !f->unit.max_spec && f->reader.state == CSG_READER_HEADER &&
	       f->state == CSG_FAST_DECODE && !f->queue.depth &&
	       (!f->queue.ring.count || queue_is_plain(f)) &&
	       f->flow->element_capacity >= CSG_FLOW_ELEMENTS;
}

static enum csg_ocsd_state data(void *engine, const struct csg_run *piece, uint32_t *used)
{
	struct csg_fast *f = engine;
	size_t i = 0;

	while (!f->dead) {
		const bool direct = is_direct(f);

		if (i == piece->n)
			break;
		if (direct) {
			i = csg_fast_run(f, piece, i);
			if (i == piece->n || f->dead)
				break;
		}
		csg_reader_byte(&f->reader, csg_run_index(piece, i), piece->bytes[i]);
		i++;
	}
	*used = (uint32_t)i;
	return f->dead ? CSG_OCSD_DEAD : CSG_OCSD_READY;
}

static enum csg_ocsd_state end(void *engine)
{
	struct csg_fast *f = engine;

	csg_reader_end(&f->reader);
	if (f->dead)
		return CSG_OCSD_DEAD;
	csg_fast_finish(f);
	return CSG_OCSD_READY;
}

/* --- life --- */

static void reset(void *engine, uint64_t index)
{
	struct csg_fast *f = engine;

	(void)index;
	csg_fast_drop_early(f);
	csg_reader_restart(&f->reader);
	f->state = CSG_FAST_NO_SYNC;
	f->lost = CSG_GAP_NONE;
	f->dead = false;
	csg_ring_clear(&f->queue.ring);
	f->queue.depth = f->demand.commit = f->demand.cancel = 0;
	f->demand.mispredict = f->demand.discard = f->queue.pending = false;
	f->overflowed = f->seen_marker = f->last_is1 = f->at.is_64bit = f->follows = false;
	f->at.need_context = f->at.need_address = f->at.anywhere = true;
}

static void forget_code(void *engine)
{
	csg_fast_forget_code(engine);
}

static void release_code(void *engine)
{
	struct csg_fast *f = engine;

	csg_blocks_release(&f->blocks);
}

static void set_unit(struct csg_fast *f, const struct csg_source *source)
{
	f->unit.max_spec = (uint32_t)source->trcidr8;
	f->unit.ete = source->protocol == CSG_PROTOCOL_ETE;
	f->unit.cci = source->trcconfigr & TRCCONFIGR_CCI;
	f->unit.has_return_stack = source->trcconfigr & CSG_FLOW_RETURNS;
	f->unit.transactions_p0 = !(source->trcidr0 & TRCIDR0_COMTRANS);
	f->unit.has_marker = csg_arch_version(source) >= 0x51 && (source->trcidr0 & TRCIDR0_TSMARK);
}

/* Not as OpenCSD has it, whatever it can do. */
static bool is_exact(const struct csg_flow *flow, const struct csg_source *source)
{
	return flow->code.exact && source->trcconfigr & CSG_FLOW_RETURNS;
}

static void set_ways(struct csg_fast *f, const struct csg_source *source)
{
	uint32_t version = ocsd_get_version();

	f->unit.features = csg_insn_features(source, version);
	if (is_exact(f->flow, source)) {
		f->unit.exact_returns = true;
		f->unit.ways = (struct csg_fast_ways){true, true, true};
		return;
	}
	f->unit.ways = (struct csg_fast_ways){
		.cycles_commit = version >= LEARNED_UNSEEN,
		.unseen = version >= LEARNED_UNSEEN,
		.exception_forward = version >= EXCEPTIONS_FORWARD,
	};
}

/*
 * Declined: profile M, which has rules of its own, and units that speculate where OpenCSD (before
 * 1.6.1) does not know what it commits.
 */
static bool supports(const struct csg_flow *flow, const struct csg_source *source)
{
	bool speculates = (uint32_t)source->trcidr8;

	return csg_ocsd_can_decode(source) && !csg_arch_is_m(source) &&
	       (!speculates || ocsd_get_version() >= LEARNED_UNSEEN || is_exact(flow, source));
}

static void destroy(void *engine)
{
	struct csg_fast *f = engine;

	csg_blocks_fini(&f->blocks);
	free(f->queue.entries);
	free(f);
}

static const struct csg_engine_ops ops = {
	.data = data,
	.end = end,
	.reset = reset,
	.forget_code = forget_code,
	.release_code = release_code,
	.destroy = destroy,
};

int csg_fast_create(struct csg_flow *flow, const struct csg_source *source)
{
	struct csg_fast *f;

	if (!supports(flow, source))
		return -CSG_E_UNSUPPORTED;
	f = aligned_alloc(_Alignof(struct csg_fast), sizeof(*f));
	if (!f)
		return -CSG_E_NO_MEMORY;
	memset(f, 0, sizeof(*f));
	if (csg_blocks_init(&f->blocks)) {
		free(f);
		return -CSG_E_NO_MEMORY;
	}
	f->flow = flow;
	f->at.isa = CSG_ISA_A32;
	set_unit(f, source);
	set_ways(f, source);
	csg_reader_init(&f->reader, source, on_packet, f);
	for (unsigned int i = 0; i < sizeof(f->atoms) / sizeof(f->atoms[0]); i++) {
		unsigned int n;

		f->atoms[i] = csg_reader_pattern((uint8_t)(CSG_FIRST_ATOMS + i), &n);
		f->atoms[i] |= UINT32_C(1) << n;
	}
	reset(f, 0);
	flow->ops = &ops;
	flow->decoder = f;
	return 0;
}
