/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_passing.h"

#include "csguest/context.h"
#include "flow/fast/fast_deliver.h"
#include "flow/fast/fast_returns.h"
#include "flow/fast/fast_walk.h"

static enum csg_security security_of(const struct csg_packet_context *c)
{
	if (c->nse)
		return c->ns ? CSG_REALM : CSG_ROOT;
	return c->ns ? CSG_NON_SECURE : CSG_SECURE;
}

void csg_fast_put_context(struct csg_fast *f, const struct csg_fast_entry *entry, uint64_t index)
{
	const struct csg_packet_context *c = &entry->context;
	struct csg_element *e = csg_fast_put(f, CSG_ELEMENT_CONTEXT, index);

	if (c->has_contextid)
		f->ids.contextidr = c->contextid;
	if (c->has_vmid)
		f->ids.vctx = c->vmid;
	f->ids.has_contextidr |= c->has_contextid;
	f->ids.has_vctx |= c->has_vmid;
	e->el = c->el;
	e->start = f->ids.contextidr;
	e->end = f->ids.vctx;
	e->info = (uint32_t)security_of(c) << CSG_CONTEXT_SECURITY_SHIFT |
		  (c->sf ? CSG_CONTEXT_AARCH64 : 0) |
		  (f->ids.has_contextidr ? CSG_CONTEXT_HAS_CONTEXTIDR : 0) |
		  (f->ids.has_vctx ? CSG_CONTEXT_HAS_VCTX : 0);
	f->at.is_64bit = c->sf;
	f->at.need_context = false;
	csg_fast_go_to(f, f->at.address, csg_fast_isa(c->sf, entry->is1));
	f->follows = true;
}

static void put_timestamp(struct csg_fast *f, const struct csg_fast_entry *entry)
{
	struct csg_element *e;

	if (f->unit.has_marker && !f->seen_marker)
		return;
	e = csg_fast_put(f, CSG_ELEMENT_TIMESTAMP, entry->index);
	e->timestamp = entry->value;
	e->has_cycles = f->unit.cci;
	e->cycles = f->unit.cci ? entry->cycles : 0;
	f->follows = true;
}

void csg_fast_put_trace_on(struct csg_fast *f, const struct csg_fast_entry *entry)
{
	csg_fast_put(f, CSG_ELEMENT_GAP, entry->index)->gap =
		f->overflowed ? CSG_GAP_OVERFLOW : CSG_GAP_TRACE_ON;
	f->overflowed = false;
	csg_fast_flush_returns(f);
	f->follows = f->at.anywhere = true;
}

void csg_fast_put_ite(struct csg_fast *f, const struct csg_fast_entry *entry)
{
	struct csg_element *e = csg_fast_put(f, CSG_ELEMENT_INSTRUMENTATION, entry->index);

	e->timestamp = entry->value;
	e->info = entry->number;
}

bool csg_fast_put_passing(struct csg_fast *f, const struct csg_fast_entry *entry)
{
	switch (entry->kind) {
	case CSG_FAST_EVENT:
		csg_fast_put(f, CSG_ELEMENT_EVENT, entry->index)->info = entry->number;
		return true;
	case CSG_FAST_TIMESTAMP:
		put_timestamp(f, entry);
		return true;
	case CSG_FAST_CYCLES:
		csg_fast_put(f, CSG_ELEMENT_CYCLES, entry->index)->cycles = entry->cycles;
		return true;
	case CSG_FAST_MARKER:
		f->seen_marker = true;
		csg_fast_put(f, CSG_ELEMENT_MARKER, entry->index);
		return true;
	default:
		return false;
	}
}

void csg_fast_put_transaction(struct csg_fast *f, const struct csg_fast_entry *entry)
{
	csg_fast_put(f, CSG_ELEMENT_TRANSACTION, entry->index)->info = entry->number;
	f->at.anywhere = true;
}
