/* SPDX-License-Identifier: BSD-3-Clause */
#include "evidence/items.h"

#include "guest/owners.h"

/* For what a source can be evidence, by the rules that decide owners. */
static uint32_t settles(uint32_t source)
{
	const struct csg_owner_sources *rule;
	uint32_t parts = 0;

	for (size_t i = 0; (rule = csg_owner_sources(i)); i++)
		if (rule->evidence & source)
			parts |= rule->settles;
	return parts;
}

static void show(struct csg_evidence_item *item, uint64_t index, uint64_t value)
{
	item->index = index;
	item->value = value;
}

/* EL1 on one of its sides. */
static void show_neighbour(struct csg_evidence_item *item, const struct csg_evidence_place *place)
{
	const struct csg_evidence_segment *before = &place->before, *after = &place->after;

	if (before->exists && !before->lost && before->el == CSG_EL1 &&
	    place->at.entered.kind != CSG_BORDER_LOSS)
		show(item, before->begin, CSG_EL1);
	else if (after->exists && !after->lost && after->el == CSG_EL1)
		show(item, after->begin, CSG_EL1);
}

static void show_place(struct csg_evidence_item *item, const struct csg_evidence_place *place,
		       const struct csg_owner *owner)
{
	const struct csg_evidence_segment *at = &place->at, *after = &place->after;

	switch (item->source) {
	case CSG_EVIDENCE_EXCEPTION_LEVEL:
		show(item, at->has_context ? at->context.index : CSG_NO_INDEX, owner->el);
		break;
	case CSG_EVIDENCE_NEIGHBOUR_EL:
		show_neighbour(item, place);
		break;
	case CSG_EVIDENCE_VECTOR_BASE:
		if (after->exists && after->has_first)
			show(item, after->entered.index, after->first);
		break;
	case CSG_EVIDENCE_ENTRY_ERET:
		if (at->entered.kind == CSG_BORDER_ERET && at->entered.has_address)
			show(item, at->entered.index, at->entered.address);
		break;
	case CSG_EVIDENCE_CONTEXTIDR_EL1:
	case CSG_EVIDENCE_CONTEXTIDR_EL2:
		if (owner->host_tid != CSG_PID_UNKNOWN)
			show(item, at->has_context ? at->context.index : CSG_NO_INDEX,
			     (uint32_t)owner->host_tid);
		break;
	case CSG_EVIDENCE_VMID:
		if (at->has_context)
			show(item, at->context.index, at->context.end);
		break;
	default:
		break;
	}
}

size_t csg_evidence_items(const struct csg_evidence_place *place, const struct csg_owner *owner,
			  struct csg_evidence_item items[CSG_EVIDENCE_ITEMS_MAX])
{
	size_t n = 0;

	for (uint32_t bit = 1; place->at.exists && !place->at.lost && bit; bit <<= 1) {
		if (!(owner->evidence & bit))
			continue;
		items[n] = (struct csg_evidence_item){.size = sizeof(*items),
						      .source = bit,
						      .settles = settles(bit),
						      .index = CSG_NO_INDEX};
		show_place(&items[n++], place, owner);
	}
	return n;
}
