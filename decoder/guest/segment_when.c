/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/segment_when.h"

#include "guest/open_user.h"
#include "guest/owners.h"
#include "world/policy.h"

/* The VMID of a segment: under KVM it checks, under Xen it has named the domain (world/world.h). */
static uint32_t vmid_of(const struct csg_attribution_stream *s, const struct csg_context *context)
{
	enum csg_hypervisor kind = s->world.kind;

	if (!csg_policy_has(kind, CSG_TRAIT_HOST_AT_EL2) &&
	    csg_policy_traits[kind] != CSG_TRAIT_SHARED_EL1)
		return 0;
	return csg_trace_unit_vctx(&s->unit) == CSG_VCTX_VMID && context->has_vctx ? context->vctx
										   : 0;
}

#define HOST_IDS ((uint32_t)CSG_EVIDENCE_CONTEXTIDR_EL1 | CSG_EVIDENCE_CONTEXTIDR_EL2)

/* A filter (TRFCR_EL2.CX) traces 0 always: it is on, or off, as long as the trace goes on. */
void csg_segment_note_id(struct csg_attribution_stream *s, const struct csg_owner *owner)
{
	if (owner->host_tid != CSG_PID_UNKNOWN && owner->evidence & HOST_IDS)
		s->id_evidence = owner->evidence & CSG_EVIDENCE_CONTEXTIDR_EL2
					 ? CSG_EVIDENCE_CONTEXTIDR_EL2
					 : CSG_EVIDENCE_CONTEXTIDR_EL1;
}

static uint32_t zero_id_of(const struct csg_attribution_stream *s, const struct csg_owner *owner)
{
	return owner->reason == CSG_REASON_ZERO_CONTEXT_ID ? s->id_evidence : 0;
}

/*
 * After Trace On and after a gap the trace unit sends context and address before the first atom
 * (ETMv4 architecture, "Trace On element").  So no atom is in a segment that begins there and is
 * shorter than these packets: the context in force is that from before, and says nothing of it.
 */
#define EMPTY_BYTES 3 /* Trace On, and the two bytes that frames have in between */

static bool is_empty(const struct csg_pending_item *item)
{
	return !item->segment.at_context && item->end &&
	       item->end - item->segment.index <= EMPTY_BYTES;
}

/* Without VHE and without context IDs. */
static void find_block(struct csg_attribution_stream *s, const struct csg_pending_item *item,
		       struct csg_when *when)
{
	uint64_t high;

	if (!item->block_index || item->segment.context.has_contextidr ||
	    !csg_policy_shares_el1(s->world.kind))
		return;
	when->block = item->block_index;
	csg_host_clock_bounds(&s->clock, item->block_index, &when->block_from, &high);
}

struct csg_when csg_segment_when(struct csg_attribution_stream *s,
				 const struct csg_pending_item *item)
{
	struct csg_when when = {.cpu = s->unit.cpu,
				.index = item->segment.index,
				.end = item->end,
				.empty = is_empty(item),
				.piece = &s->piece,
				.zero_id = zero_id_of(s, &item->segment.owner),
				.vmid = vmid_of(s, &item->segment.context),
				.vmids = &s->vmids,
				.agreement = &s->agreement,
				.finder = &s->world.finder};
	uint64_t low, high;

	if (csg_host_clock_bounds(&s->clock, item->after_index, &low, &high))
		when.after = low;
	when.begun = high;
	when.from = item->after_index ? low : s->piece.begin_time;
	if (csg_host_clock_bounds(&s->clock, item->before_index, &low, &high))
		when.before = high;
	when.ended = low;
	when.until = high;
	if (s->piece.end_time && (!high || high > s->piece.end_time))
		when.until = s->piece.end_time;
	find_block(s, item, &when);
	if (item->from) {
		when.from = item->from;
		when.until = item->until;
	}
	return when;
}

/*
 * Whether the times around a segment decide its process or thread: without a context ID the host's
 * switch records say who ran; where the ID came back, it was of one process between two times only.
 */
static bool asks_time(struct csg_attribution_stream *s, const struct csg_pending_item *item)
{
	const struct csg_facts *facts = &s->attribution->facts;
	struct csg_when when;

	if (item->segment.owner.host_tid == CSG_PID_UNKNOWN)
		return facts->residency.count > 0;
	when = csg_segment_when(s, item);
	return csg_owner_has_several(facts, &when, &item->segment.owner);
}

/*
 * Times that are asked for may be settled by timestamps that follow.  Who ran an open segment, the
 * timestamps in it may say, too.
 */
bool csg_segment_must_wait(struct csg_attribution_stream *s, const struct csg_pending_item *item)
{
	if (item->end && !s->waits_no_longer && csg_open_user_asks(&s->attribution->facts, item) &&
	    csg_stamps_before(&s->clock.stamps, item->end - 1) >= item->segment.index)
		return !csg_host_clock_is_settled(&s->clock, item->end - 1);
	return !s->waits_no_longer && item->before_index &&
	       !csg_host_clock_is_settled(&s->clock, item->before_index) && asks_time(s, item);
}
