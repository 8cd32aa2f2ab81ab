/* SPDX-License-Identifier: BSD-3-Clause */
#include "evidence/place.h"

#include <string.h>

void csg_place_init(struct csg_place *p, csg_place_owner_fn *owner, const void *arg, uint64_t index)
{
	memset(p, 0, sizeof(*p));
	p->found.size = sizeof(p->found);
	p->found.index = index;
	p->owner = owner;
	p->arg = arg;
}

static bool is_code_gap(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_GAP &&
	       (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER ||
		e->gap == CSG_GAP_BAD_CODE || e->gap == CSG_GAP_UNDEFINED);
}

/* --- whose vectors --- */

static struct csg_evidence_base *base_of(struct csg_evidence_place *found, uint64_t address)
{
	for (uint32_t i = 0; i < found->base_count; i++)
		if (found->bases[i].base == CSG_EVIDENCE_VECTORS(address))
			return &found->bases[i];
	return NULL;
}

/* An exception went from a lower level to this address at EL2. */
static void note_exit(struct csg_place *p, uint64_t address)
{
	struct csg_evidence_base *base = base_of(&p->found, address);

	if (!base && p->found.base_count == CSG_EVIDENCE_BASES)
		return;
	if (!base) {
		base = &p->found.bases[p->found.base_count++];
		*base = (struct csg_evidence_base){.base = CSG_EVIDENCE_VECTORS(address),
						   .index = p->exit.index,
						   .owner = p->exit.owner};
	}
	base->count++;
	if (p->exit_from_guest && !base->guest) {
		base->guest = true;
		base->guest_index = p->exit.index;
	}
}

/* The exception came from a guest for certain, whatever vectors it went to. */
static bool is_guest_exit(const struct csg_place *p, const struct csg_element *e)
{
	const struct csg_owner *o = p->owner(p->arg, e->owner);

	return o->world == CSG_WORLD_GUEST &&
	       (e->el == CSG_EL1 || o->evidence & CSG_EVIDENCE_NEIGHBOUR_EL);
}

/* --- segments --- */

/* The segment is over; was the place in it? */
static void close_segment(struct csg_place *p, uint64_t index)
{
	p->now.end = index;
	p->now.ended = true;
	if (p->found.at.exists) {
		if (!p->found.after.ended)
			p->found.after = p->now;
	} else if (p->now.exists && p->now.begin <= p->found.index && index > p->found.index) {
		p->found.before = p->last;
		p->found.at = p->now;
	}
	p->last = p->now;
}

static void begin_segment(struct csg_place *p, const struct csg_element *e, bool lost)
{
	if (p->now.exists)
		close_segment(p, e->index);
	p->now = (struct csg_evidence_segment){
		.exists = true,
		.lost = lost,
		.owner = lost ? 0 : e->owner,
		.el = e->el,
		.begin = e->index,
		.entered = p->next,
	};
	if (!p->last.exists)
		p->now.entered.kind = CSG_BORDER_BEGIN;
	if (lost)
		p->now.entered = (struct csg_evidence_border){
			.kind = CSG_BORDER_LOSS, .gap = e->gap, .index = e->index};
	p->next = (struct csg_evidence_border){.kind = CSG_BORDER_CONTEXT, .index = e->index};
	if (lost)
		p->next = p->now.entered;
}

/* Execution goes on at an address. */
static void on_address(struct csg_place *p, const struct csg_element *e)
{
	if (!p->now.has_first) {
		p->now.has_first = true;
		p->now.first = e->start;
	}
	if (p->exits && e->el == CSG_EL2 && p->exit.el < CSG_EL2)
		note_exit(p, e->start);
	p->exits = false;
	p->next = (struct csg_evidence_border){.kind = CSG_BORDER_CONTEXT};
}

static void on_code(struct csg_place *p, const struct csg_element *e)
{
	if (!p->now.exists || p->now.lost || p->now.owner != e->owner)
		begin_segment(p, e, false);
	on_address(p, e);
	p->now.el = e->el;
	if (e->kind == CSG_ELEMENT_GAP) {
		p->now.missing++;
		p->last_address = 0;
		return;
	}
	p->now.instructions += e->instructions;
	p->now.ranges++;
	p->last_address = e->end - e->last_size;
}

static void on_context(struct csg_place *p, const struct csg_element *e)
{
	if (!p->now.exists || p->now.lost || p->now.owner != e->owner)
		begin_segment(p, e, false);
	if (p->now.has_context)
		return;
	p->now.has_context = true;
	p->now.context = *e;
	p->now.el = e->el;
}

static void on_border(struct csg_place *p, const struct csg_element *e)
{
	bool exception = e->kind == CSG_ELEMENT_EXCEPTION;

	p->next = (struct csg_evidence_border){
		.kind = exception ? CSG_BORDER_EXCEPTION : CSG_BORDER_ERET,
		.number = e->info,
		.index = e->index,
		.has_address = exception ? e->has_return : p->last_address != 0,
		.address = exception ? e->end : p->last_address,
	};
	p->exits = exception;
	p->exit = *e;
	p->exit_from_guest = exception && is_guest_exit(p, e);
}

static void on_timestamp(struct csg_place *p, const struct csg_element *e)
{
	const struct csg_evidence_timestamp stamp = {
		.index = e->index, .raw = e->timestamp, .time = e->start, .exists = true};

	if (e->index <= p->found.index)
		p->found.timestamp_before = stamp;
	else if (!p->found.timestamp_after.exists)
		p->found.timestamp_after = stamp;
}

/*
 * What is sent at some time, whoever runs: where the element's owner is nobody for want of a
 * context, neither the segment before goes on nor the loss itself.  How it was entered is how the
 * next one is, too.
 */
static void on_passing(struct csg_place *p, const struct csg_element *e)
{
	const struct csg_owner *o = p->owner(p->arg, e->owner);
	const struct csg_evidence_border entered = p->next;

	if (!p->now.exists || o->world != CSG_WORLD_UNKNOWN || o->reason != CSG_REASON_NO_CONTEXT)
		return;
	if (!p->now.lost && p->now.owner == e->owner)
		return;
	begin_segment(p, e, false);
	p->next = entered;
}

static void add(struct csg_place *p, const struct csg_element *e)
{
	switch (e->kind) {
	case CSG_ELEMENT_RANGE:
	case CSG_ELEMENT_RANGE_NOPATH:
		on_code(p, e);
		break;
	case CSG_ELEMENT_CONTEXT:
		on_context(p, e);
		break;
	case CSG_ELEMENT_EXCEPTION:
	case CSG_ELEMENT_EXCEPTION_RET:
		on_border(p, e);
		break;
	case CSG_ELEMENT_TIMESTAMP:
		on_passing(p, e);
		on_timestamp(p, e);
		break;
	case CSG_ELEMENT_EVENT:
	case CSG_ELEMENT_CYCLES:
	case CSG_ELEMENT_MARKER:
		on_passing(p, e);
		break;
	case CSG_ELEMENT_GAP:
		if (is_code_gap(e)) {
			on_code(p, e);
			break;
		}
		begin_segment(p, e, true);
		p->exits = false;
		p->last_address = 0;
		break;
	default:
		break;
	}
}

void csg_place_add(struct csg_place *p, const struct csg_batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct csg_element *e =
			(const void *)((const char *)batch->elements + i * batch->element_size);

		add(p, e);
		if (e->index <= p->found.index) {
			p->found.here = *e;
			p->found.here_time = batch->time;
		} else {
			p->passed = true;
		}
	}
}

void csg_place_end(struct csg_place *p)
{
	/* A place after the last element is none. */
	if (p->now.exists)
		close_segment(p, p->passed || p->found.index == p->found.here.index
					 ? UINT64_MAX
					 : p->found.here.index);
	if (p->found.at.end == UINT64_MAX)
		p->found.at.end = p->found.here.index;
}
