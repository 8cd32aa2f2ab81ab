/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/vhe.h"

#include <inttypes.h>
#include <stdio.h>

#include "world/policy.h"

/* --- a guest that is not traced --- */

/* The segment of a Trace On is withheld until the first address after it. */
static void withhold_on(struct csg_world_segments *w)
{
	if (!csg_policy_has(w->kind, CSG_TRAIT_HOST_AT_EL2) || w->failed || w->withheld)
		return;
	w->withheld = w->since_on = 1;
}

static void release_on(struct csg_world_segments *w)
{
	if (w->since_on && w->withheld >= w->since_on)
		w->withheld = 0;
	w->since_on = 0;
}

/* The trace goes on where guests enter the vectors that they exit to: one ran until then. */
static void tell_guest(struct csg_world_segments *w, uint64_t address)
{
	if (w->since_on && w->since_on <= w->withheld && w->context.el == CSG_EL2 &&
	    csg_is_exit_vector(address) &&
	    csg_exit_vectors_world(&w->exit_vectors, &w->landmarks, CSG_VECTOR_BASE(address)) ==
		    CSG_WORLD_GUEST)
		csg_world_nth_last(w, w->since_on)->guest_ran = true;
	release_on(w);
}

/* The open EL0 segment, the first that is withheld; NULL: there is none. */
static struct csg_segment *open_segment(struct csg_world_segments *w)
{
	struct csg_segment *segment;

	if (!w->withheld || w->withheld > w->queue.count)
		return NULL;
	segment = csg_world_nth_last(w, w->withheld);
	return segment->open ? segment : NULL;
}

/* It turns out to be world's. */
static void settle_as(struct csg_world_segments *w, enum csg_world world, uint32_t evidence)
{
	struct csg_segment *segment = open_segment(w);

	if (segment)
		csg_world_settle_segment(w, segment, world, evidence);
	w->withheld = 0;
}

/* --- exceptions: whose vectors were in force --- */

/* An open EL0 left to these vectors. */
static void judge_vectors(struct csg_world_segments *w, uint64_t base)
{
	struct csg_segment *segment = open_segment(w);
	enum csg_world world = csg_exit_vectors_world(&w->exit_vectors, &w->landmarks, base);

	if (world != CSG_WORLD_UNKNOWN) {
		settle_as(w, world, CSG_EVIDENCE_VECTOR_BASE);
	} else if (csg_exit_vectors_disputed(&w->exit_vectors, &w->landmarks, base)) {
		if (segment)
			csg_world_dispute_segment(w, segment);
		csg_world_extend_conflict(w, w->exit.index);
	}
	csg_exit_vectors_seen(&w->exit_vectors, &w->landmarks, base);
}

/* A guest left to these vectors. */
static void learn_vectors(struct csg_world_segments *w, uint64_t base)
{
	bool named = csg_landmarks_world(&w->landmarks, CSG_EXIT_VECTORS, base) == CSG_WORLD_HOST;
	bool known = csg_exit_vectors_known(&w->exit_vectors) ||
		     csg_landmarks_world(&w->landmarks, CSG_EXIT_VECTORS, base) == CSG_WORLD_GUEST;
	uint64_t kvms = w->exit_vectors.guest.base;
	char text[CSG_CONTRADICTION_TEXT_MAX];
	bool agrees = csg_exit_vectors_learn(&w->exit_vectors, &w->landmarks, base);

	/* The first exit, without a symbol, says what is not known yet. */
	if (known || !agrees)
		csg_found(&w->finder, CSG_ASSUMPTION_EXIT_VECTORS, agrees, w->exit.index);
	if (agrees)
		return;
	if (named)
		snprintf(text, sizeof(text),
			 "a guest exits to 0x%" PRIx64 ", vectors of the host by their symbol",
			 w->exit.target);
	else
		snprintf(text, sizeof(text),
			 "a guest exits to 0x%" PRIx64
			 ", guests before it to vectors at 0x%" PRIx64,
			 w->exit.target, kvms);
	csg_world_contradict(w, CSG_CONTRADICTION_EXIT_VECTORS, w->exit.begin, w->exit.index, text);
}

/* Both the target and its context are known: what does the exception tell? */
static void conclude_exit(struct csg_world_segments *w)
{
	uint64_t base = CSG_VECTOR_BASE(w->exit.target);

	if (!w->exit.taken || !w->exit.has_target || !w->exit.has_context)
		return;
	w->exit.taken = false;
	if (csg_policy_has(w->kind, CSG_TRAIT_HOST_AT_EL2) && w->context.el == CSG_EL2 &&
	    csg_is_exit_vector(w->exit.target)) {
		if (w->exit.from_el == CSG_EL1 || w->exit.from_guest)
			learn_vectors(w, base);
		else if (w->exit.from_el == CSG_EL0)
			judge_vectors(w, base);
	}
	w->withheld = 0;
}

static void on_exception(struct csg_world_segments *w, const struct csg_track_event *event)
{
	release_on(w);
	w->exit = (struct csg_exit){
		.taken = true,
		.from_el = w->resumed ? CSG_EL_UNKNOWN : w->context.el,
		.from_guest = w->context.el == CSG_EL0 && w->left_el == CSG_EL1 && !w->resumed,
		.begin = w->begun,
		.index = event->index,
	};
}

static void on_address(struct csg_world_segments *w, const struct csg_track_event *event)
{
	/* Execution goes on under the old context: it was left out, as nothing changed. */
	w->resumed = false;
	tell_guest(w, event->address);
	if (!w->exit.taken || w->exit.has_target)
		return;
	w->exit.target = event->address;
	w->exit.has_target = true;
	conclude_exit(w);
}

/* An open segment is left for el, with no gap in between. */
static void leave(struct csg_world_segments *w, uint8_t el)
{
	if (el == CSG_EL1)
		settle_as(w, CSG_WORLD_GUEST, CSG_EVIDENCE_NEIGHBOUR_EL);
	else if (!w->exit.taken)
		w->withheld = 0;
}

/* --- contexts and gaps --- */

/* Begins a segment for the context in force; left_el is who ran before it without a gap. */
static void begin(struct csg_world_segments *w, uint64_t index, bool at_context, uint8_t left_el)
{
	if (!csg_world_put(w, index, at_context))
		return;
	w->left_el = left_el;
	if (csg_world_nth_last(w, 1)->open && left_el == CSG_EL1)
		csg_world_settle_segment(w, csg_world_nth_last(w, 1), CSG_WORLD_GUEST,
					 CSG_EVIDENCE_NEIGHBOUR_EL);
	else if (csg_world_nth_last(w, 1)->open)
		w->withheld = 1;
	else if (w->withheld)
		w->withheld++;
}

static void on_context(struct csg_world_segments *w, const struct csg_track_event *event)
{
	uint8_t left = w->context.el;

	if (w->resumed) {
		/* Nothing ran between the gap and this context. */
		size_t since_on = event->context.el == CSG_EL2 ? w->since_on : 0;

		left = CSG_EL_UNKNOWN;
		csg_world_release(w);
		w->withheld = w->since_on = since_on;
	} else if (csg_same_context(&w->context, &event->context)) {
		return; /* stated again, as after every A-Sync */
	} else if (w->context.el == event->context.el) {
		/* Only IDs changed: the neighbour on the left is still the neighbour. */
		left = w->left_el;
		csg_world_release(w);
	} else {
		release_on(w);
		leave(w, event->context.el);
	}
	w->context = event->context;
	w->resumed = false;
	begin(w, event->index, true, left);
	w->since_on += w->since_on > 0;
	w->exit.has_context = true;
	conclude_exit(w);
}

/* Who ran in between is not known: the context still holds, neighbourhood does not. */
static void on_trace_on(struct csg_world_segments *w, const struct csg_track_event *event)
{
	csg_world_release(w);
	w->resumed = true;
	begin(w, event->index, false, CSG_EL_UNKNOWN);
	withhold_on(w);
}

static void on_gap(struct csg_world_segments *w, const struct csg_track_event *event)
{
	csg_world_release(w);
	w->context = CSG_CONTEXT_UNKNOWN;
	w->resumed = true;
	begin(w, event->index, false, CSG_EL_UNKNOWN);
	csg_world_tell_gap(w, event);
}

static void on_eret(struct csg_world_segments *w, const struct csg_track_event *event)
{
	(void)event;
	release_on(w);
	w->exit.taken = false;
}

const struct csg_world_steps csg_vhe_steps = {
	.context = on_context,
	.trace_on = on_trace_on,
	.gap = on_gap,
	.address = on_address,
	.exception = on_exception,
	.eret = on_eret,
};
