/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>

#include "csguest/element.h"
#include "world/policy.h"
#include "world/vhe.h"

void csg_world_set_kind(struct csg_world_segments *w, enum csg_hypervisor kind)
{
	if (w->kind == kind)
		return;
	csg_world_settle(w);
	csg_stretches_break(&w->stretches);
	w->kind = kind;
}

void csg_world_settle(struct csg_world_segments *w)
{
	if (csg_policy_shares_el1(w->kind))
		csg_nvhe_settle(w);
	csg_world_release(w);
}

void csg_world_learn_from(struct csg_world_segments *w, const struct csg_world_segments *other)
{
	csg_landmarks_learn_from(&w->landmarks, &other->landmarks);
	csg_exit_vectors_learn_from(&w->exit_vectors, &other->exit_vectors);
	w->stretches.windows |= other->stretches.windows;
}

void csg_world_entered(struct csg_world_segments *w, struct csg_segment *segment, uint64_t eret)
{
	enum csg_world world;

	if (!segment->open)
		return;
	world = csg_landmarks_by_symbol(&w->landmarks, CSG_ENTRY_ERET, eret);
	if (world != CSG_WORLD_UNKNOWN)
		csg_world_settle_segment(w, segment, world, CSG_EVIDENCE_ENTRY_ERET);
	else if (csg_landmarks_disputed(&w->landmarks, CSG_ENTRY_ERET, eret))
		csg_world_dispute_segment(w, segment);
}

void csg_world_open_is(const struct csg_world_segments *w, struct csg_segment *segment,
		       enum csg_world who, uint32_t evidence)
{
	if (segment->open)
		csg_world_settle_segment(w, segment, who, evidence);
}

static int learn_entry(struct csg_world_segments *w, uint64_t eret, enum csg_world world)
{
	int agrees = csg_landmarks_compare(&w->landmarks, CSG_ENTRY_ERET, eret, world);
	char text[CSG_CONTRADICTION_TEXT_MAX];

	if (csg_landmarks_learn(&w->landmarks, CSG_ENTRY_ERET, eret, world))
		return agrees;
	snprintf(text, sizeof(text), "the ERET at 0x%" PRIx64 " enters a %s, by its symbol a %s",
		 eret, world == CSG_WORLD_GUEST ? "guest" : "process of the host",
		 world == CSG_WORLD_GUEST ? "process of the host" : "guest");
	csg_world_contradict(w, CSG_CONTRADICTION_ENTRY_ERET, CSG_NO_INDEX, CSG_NO_INDEX, text);
	return agrees;
}

int csg_world_learn_entry(struct csg_world_segments *w, uint64_t eret, uint8_t el,
			  const struct csg_owner *owner)
{
	const uint32_t proof = CSG_EVIDENCE_NEIGHBOUR_EL | CSG_EVIDENCE_VECTOR_BASE;

	if (!csg_policy_has(w->kind, CSG_TRAIT_HOST_AT_EL2))
		return 0;
	if (el == CSG_EL1)
		return learn_entry(w, eret, CSG_WORLD_GUEST);
	if (el == CSG_EL0 && (owner->evidence & proof) && owner->world != CSG_WORLD_UNKNOWN)
		return learn_entry(w, eret, owner->world);
	return 0;
}

static csg_world_step_fn step_of(const struct csg_world_steps *s,
				 const struct csg_track_event *event)
{
	switch (event->kind) {
	case CSG_TRACK_CONTEXT:
		return s->context;
	case CSG_TRACK_TRACE_ON:
		return s->trace_on;
	case CSG_TRACK_GAP:
		return s->gap;
	case CSG_TRACK_SYNC:
		/* What was skipped at the beginning; other gaps were reported when they began. */
		return event->value && event->gap == CSG_GAP_NO_SYNC ? s->gap : NULL;
	case CSG_TRACK_ADDRESS:
		return s->address;
	case CSG_TRACK_EXCEPTION:
		return s->exception;
	case CSG_TRACK_ERET:
		return s->eret;
	default:
		return NULL;
	}
}

static void look_for_context(struct csg_world_segments *w, const struct csg_track_event *event)
{
	const struct csg_context nothing = CSG_CONTEXT_UNKNOWN;
	uint64_t index;
	enum csg_context_says says = csg_exception_context_event(
		&w->exception_context, event, w->resumed ? &nothing : &w->context, &index);

	if (says != CSG_CONTEXT_NOTHING)
		csg_found(&w->finder, CSG_ASSUMPTION_EXCEPTION_CONTEXT, says == CSG_CONTEXT_FOLLOWS,
			  index);
}

void csg_world_event(struct csg_world_segments *w, const struct csg_track_event *event)
{
	bool shares = csg_policy_shares_el1(w->kind);
	csg_world_step_fn step = step_of(shares ? &csg_nvhe_steps : &csg_vhe_steps, event);

	look_for_context(w, event);
	if (shares)
		csg_nvhe_before(w, event);
	if (step)
		step(w, event);
	w->failed |= w->stretches.failed;
}

uint64_t csg_world_settled_to(const struct csg_world_segments *w)
{
	return w->withheld ? csg_world_nth_last(w, w->withheld)->index : UINT64_MAX;
}

bool csg_world_next(struct csg_world_segments *w, struct csg_segment *segment)
{
	if (w->queue.count <= w->withheld)
		return false;
	*segment = w->segments[csg_ring_at(&w->queue, 0)];
	csg_ring_pop(&w->queue);
	return true;
}
