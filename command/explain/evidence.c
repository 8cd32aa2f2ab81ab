/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain/evidence.h"

#include <string.h>

void csg_evidence_init(struct csg_evidence *ev, const struct csg_lookup *lookup, uint64_t index)
{
	memset(ev, 0, sizeof(*ev));
	ev->lookup = lookup;
	ev->index = index;
}

static bool is_code_gap(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_GAP &&
	       (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER ||
		e->gap == CSG_GAP_BAD_CODE || e->gap == CSG_GAP_UNDEFINED);
}

/* --- whose vectors --- */

const struct csg_evidence_base *csg_evidence_base(const struct csg_evidence *ev, uint64_t address)
{
	for (unsigned int i = 0; i < ev->base_count; i++)
		if (ev->bases[i].base == CSG_EVIDENCE_VECTORS(address))
			return &ev->bases[i];
	return NULL;
}

/* An exception went from a lower level to this address at EL2. */
static void note_exit(struct csg_evidence *ev, uint64_t address)
{
	struct csg_evidence_base *base = (struct csg_evidence_base *)csg_evidence_base(ev, address);

	if (!base && ev->base_count == CSG_EVIDENCE_BASES)
		return;
	if (!base) {
		base = &ev->bases[ev->base_count++];
		*base = (struct csg_evidence_base){.base = CSG_EVIDENCE_VECTORS(address),
						   .index = ev->exit.index,
						   .owner = ev->exit.owner};
	}
	base->count++;
	if (ev->exit_from_guest && !base->guest) {
		base->guest = true;
		base->guest_index = ev->exit.index;
	}
}

/* The exception came from a guest for certain, whatever vectors it went to. */
static bool is_guest_exit(const struct csg_evidence *ev, const struct csg_element *e)
{
	const struct csg_owner *o = ev->lookup->owner(ev->lookup->arg, e->owner);

	return o->world == CSG_WORLD_GUEST &&
	       (e->el == CSG_EL1 || o->evidence & CSG_EVIDENCE_NEIGHBOUR_EL);
}

/* --- segments --- */

/* The segment at hand is over; was the place in it? */
static void close_segment(struct csg_evidence *ev, uint64_t index)
{
	ev->now.end = index;
	ev->now.ended = true;
	if (ev->at.exists) {
		if (!ev->after.ended)
			ev->after = ev->now;
	} else if (ev->now.exists && ev->now.begin <= ev->index && index > ev->index) {
		ev->before = ev->last;
		ev->at = ev->now;
	}
	ev->last = ev->now;
}

static void begin_segment(struct csg_evidence *ev, const struct csg_element *e, bool lost)
{
	if (ev->now.exists)
		close_segment(ev, e->index);
	ev->now = (struct csg_evidence_segment){
		.exists = true,
		.lost = lost,
		.owner = lost ? 0 : e->owner,
		.el = e->el,
		.begin = e->index,
		.entered = ev->next,
	};
	if (!ev->last.exists)
		ev->now.entered.kind = CSG_BORDER_BEGIN;
	if (lost)
		ev->now.entered = (struct csg_evidence_border){
			.kind = CSG_BORDER_LOSS, .gap = e->gap, .index = e->index};
	ev->next = (struct csg_evidence_border){.kind = CSG_BORDER_CONTEXT, .index = e->index};
	if (lost)
		ev->next = ev->now.entered;
}

/* Execution goes on at an address. */
static void on_address(struct csg_evidence *ev, const struct csg_element *e)
{
	if (!ev->now.has_first) {
		ev->now.has_first = true;
		ev->now.first = e->start;
	}
	if (ev->exits && e->el == CSG_EL2 && ev->exit.el < CSG_EL2)
		note_exit(ev, e->start);
	ev->exits = false;
	ev->next = (struct csg_evidence_border){.kind = CSG_BORDER_CONTEXT};
}

static void on_code(struct csg_evidence *ev, const struct csg_element *e)
{
	if (!ev->now.exists || ev->now.lost || ev->now.owner != e->owner)
		begin_segment(ev, e, false);
	on_address(ev, e);
	ev->now.el = e->el;
	if (e->kind == CSG_ELEMENT_GAP) {
		ev->now.missing++;
		ev->last_address = 0;
		return;
	}
	ev->now.instructions += e->instructions;
	ev->now.ranges++;
	ev->last_address = e->end - e->last_size;
}

static void on_context(struct csg_evidence *ev, const struct csg_element *e)
{
	if (!ev->now.exists || ev->now.lost || ev->now.owner != e->owner)
		begin_segment(ev, e, false);
	if (ev->now.has_context)
		return;
	ev->now.has_context = true;
	ev->now.context = *e;
	ev->now.el = e->el;
}

static void on_border(struct csg_evidence *ev, const struct csg_element *e)
{
	bool exception = e->kind == CSG_ELEMENT_EXCEPTION;

	ev->next = (struct csg_evidence_border){
		.kind = exception ? CSG_BORDER_EXCEPTION : CSG_BORDER_ERET,
		.number = e->info,
		.index = e->index,
		.has_address = exception ? e->has_return : ev->last_address != 0,
		.address = exception ? e->end : ev->last_address,
	};
	ev->exits = exception;
	ev->exit = *e;
	ev->exit_from_guest = exception && is_guest_exit(ev, e);
}

static void on_timestamp(struct csg_evidence *ev, const struct csg_element *e)
{
	const struct csg_evidence_stamp stamp = {
		.index = e->index, .raw = e->timestamp, .time = e->start, .exists = true};

	if (e->index <= ev->index)
		ev->stamp_before = stamp;
	else if (!ev->stamp_after.exists)
		ev->stamp_after = stamp;
}

/*
 * What is sent at some time, whoever runs: where the element's owner is nobody for want of a context, neither
 * the segment before goes on nor the loss itself.  How it was entered is how the next one is, too.
 */
static void on_passing(struct csg_evidence *ev, const struct csg_element *e)
{
	const struct csg_owner *o = ev->lookup->owner(ev->lookup->arg, e->owner);
	const struct csg_evidence_border entered = ev->next;

	if (!ev->now.exists || o->world != CSG_WORLD_UNKNOWN || o->reason != CSG_REASON_NO_CONTEXT)
		return;
	if (!ev->now.lost && ev->now.owner == e->owner)
		return;
	begin_segment(ev, e, false);
	ev->next = entered;
}

static void add(struct csg_evidence *ev, const struct csg_element *e)
{
	switch (e->kind) {
	case CSG_ELEMENT_RANGE:
	case CSG_ELEMENT_RANGE_NOPATH:
		on_code(ev, e);
		break;
	case CSG_ELEMENT_CONTEXT:
		on_context(ev, e);
		break;
	case CSG_ELEMENT_EXCEPTION:
	case CSG_ELEMENT_EXCEPTION_RET:
		on_border(ev, e);
		break;
	case CSG_ELEMENT_TIMESTAMP:
		on_passing(ev, e);
		on_timestamp(ev, e);
		break;
	case CSG_ELEMENT_EVENT:
	case CSG_ELEMENT_CYCLES:
	case CSG_ELEMENT_MARKER:
		on_passing(ev, e);
		break;
	case CSG_ELEMENT_GAP:
		if (is_code_gap(e)) {
			on_code(ev, e);
			break;
		}
		begin_segment(ev, e, true);
		ev->exits = false;
		ev->last_address = 0;
		break;
	default:
		break;
	}
}

void csg_evidence_add(struct csg_evidence *ev, const struct csg_batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];

		add(ev, e);
		if (e->index <= ev->index) {
			ev->here = *e;
			ev->here_time = batch->time;
		} else {
			ev->passed = true;
		}
	}
}

void csg_evidence_end(struct csg_evidence *ev)
{
	/* A place behind the last element is none. */
	if (ev->now.exists)
		close_segment(ev, ev->passed || ev->index == ev->here.index ? UINT64_MAX
									    : ev->here.index);
	if (ev->at.end == UINT64_MAX)
		ev->at.end = ev->here.index;
}
