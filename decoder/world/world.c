/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/element.h"
#include "world/internal.h"
#include "world/policy.h"

void csg_world_init(struct csg_world_segments *w, enum csg_hypervisor kind,
		    enum csg_vctx_kind vctx_kind)
{
	*w = (struct csg_world_segments){
		.kind = kind,
		.vctx_kind = vctx_kind,
		.context = CSG_CONTEXT_UNKNOWN,
		.left_el = CSG_EL_UNKNOWN,
		.resumed = true,
	};
}

void csg_world_fini(struct csg_world_segments *w)
{
	csg_stretches_fini(&w->stretches);
	free(w->queue);
	w->queue = NULL;
	w->first = w->count = w->room = 0;
}

void csg_world_set_kind(struct csg_world_segments *w, enum csg_hypervisor kind)
{
	if (w->kind == kind)
		return;
	csg_world_settle(w);
	csg_stretches_break(&w->stretches);
	w->kind = kind;
}

struct csg_segment *csg_world_last(struct csg_world_segments *w)
{
	return &w->queue[w->first + w->count - 1];
}

/* Room for one more at the queue's end: moves it to the front before it grows. */
static bool make_room(struct csg_world_segments *w)
{
	size_t room = w->room ? w->room * 2 : 64;
	struct csg_segment *queue;

	if (w->first + w->count < w->room)
		return true;
	if (w->first > w->room / 2) {
		memmove(w->queue, w->queue + w->first, w->count * sizeof(*w->queue));
		w->first = 0;
		return true;
	}
	queue = realloc(w->queue, room * sizeof(*queue));
	if (!queue)
		return false;
	w->queue = queue;
	w->room = room;
	return true;
}

/* Whether the register is traced in which Linux keeps the host's thread. */
static bool has_host_id(const struct csg_world_segments *w, const struct csg_context *c)
{
	return !w->foreign_ids && ((w->vctx_kind == CSG_VCTX_CONTEXTIDR_EL2 && c->has_vctx) ||
				   (w->kind != CSG_HV_KVM_VHE && c->has_contextidr));
}

/* Whose thread the context IDs name.  Zero proves nothing: a filter may trace it as such. */
static void name_thread(const struct csg_world_segments *w, const struct csg_context *c,
			struct csg_owner *owner)
{
	bool counts = !w->foreign_ids;

	if (counts && w->vctx_kind == CSG_VCTX_CONTEXTIDR_EL2 && c->has_vctx && c->vctx) {
		owner->host_tid = (int32_t)c->vctx;
		owner->witness |= CSG_WITNESS_CONTEXTIDR_EL2;
	} else if (counts && owner->world == CSG_WORLD_HOST && w->kind != CSG_HV_KVM_VHE &&
		   c->has_contextidr && c->contextidr_el1) {
		/* Under VHE, CONTEXTIDR_EL1 is a guest's: stale while the host runs. */
		owner->host_tid = (int32_t)c->contextidr_el1;
		owner->witness |= CSG_WITNESS_CONTEXTIDR_EL1;
	}
	if (owner->world == CSG_WORLD_GUEST && c->has_contextidr && c->contextidr_el1) {
		owner->tid = (int32_t)c->contextidr_el1;
		owner->witness |= CSG_WITNESS_CONTEXTIDR_EL1;
	}
	if (owner->world == CSG_WORLD_HOST) {
		owner->tid = owner->host_tid;
		if (owner->tid == CSG_PID_UNKNOWN)
			owner->reason = has_host_id(w, c) ? CSG_REASON_ZERO_CONTEXT_ID
							  : CSG_REASON_NO_CONTEXT_ID;
	}
}

/* Xen gives a domain its VMID for life, dom0 as well; zero is none's. */
static void name_domain(const struct csg_world_segments *w, const struct csg_context *c,
			struct csg_owner *owner)
{
	if (w->kind != CSG_HV_XEN || w->vctx_kind != CSG_VCTX_VMID || !c->has_vctx || !c->vctx)
		return;
	owner->vm = (int32_t)c->vctx;
	owner->witness |= CSG_WITNESS_VMID;
}

static struct csg_owner owner_by(const struct csg_world_segments *w, const struct csg_context *c,
				 struct csg_verdict verdict)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = verdict.world;
	owner.privilege = verdict.privilege;
	owner.reason = verdict.reason;
	owner.witness = verdict.witness;
	owner.el = c->el;
	if (verdict.world == CSG_WORLD_HOST || verdict.world == CSG_WORLD_HYPERVISOR)
		owner.vm = CSG_VM_HOST;
	if (verdict.world == CSG_WORLD_HOST || verdict.world == CSG_WORLD_GUEST)
		name_thread(w, c, &owner);
	if (verdict.world == CSG_WORLD_GUEST)
		name_domain(w, c, &owner);
	return owner;
}

void csg_world_settle_segment(const struct csg_world_segments *w, struct csg_segment *segment,
			      enum csg_world world, uint32_t witness)
{
	segment->open = false;
	segment->owner = owner_by(w, &segment->context,
				  (struct csg_verdict){.world = world,
						       .privilege = segment->context.el == CSG_EL0
									    ? CSG_USER
									    : CSG_KERNEL,
						       .witness = witness});
}

void csg_world_dispute_segment(const struct csg_world_segments *w, struct csg_segment *segment)
{
	csg_world_settle_segment(w, segment, CSG_WORLD_UNKNOWN, 0);
	segment->owner.reason = CSG_REASON_CONFLICT;
}

void csg_world_contradict(struct csg_world_segments *w, enum csg_contradiction_kind kind,
			  uint64_t begin, uint64_t end, const char *text)
{
	w->conflict = (struct csg_contradiction){
		.kind = (uint8_t)kind, .cpu = -1, .begin = begin, .end = end};
	snprintf(w->conflict.text, sizeof(w->conflict.text), "%s", text);
	if (w->contradiction)
		w->contradiction(w->contradiction_arg, &w->conflict);
}

void csg_world_extend_conflict(struct csg_world_segments *w, uint64_t end)
{
	w->conflict.end = end;
	if (w->contradiction)
		w->contradiction(w->contradiction_arg, &w->conflict);
}

/*
 * What the policy says of the context in force.  One that nobody stated is of a Linux host, whose driver
 * does not trace the EL2 of nVHE: the policy is wrong then, and the hypervisor's EL2 is not one.
 */
static struct csg_verdict verdict_now(const struct csg_world_segments *w)
{
	struct csg_verdict verdict = csg_policy_verdict(w->kind, &w->context);

	if (w->assumed && w->kind == CSG_HV_KVM_NVHE && verdict.world == CSG_WORLD_HYPERVISOR)
		return (struct csg_verdict){.world = CSG_WORLD_UNKNOWN,
					    .privilege = CSG_KERNEL,
					    .reason = CSG_REASON_NOT_TRACED};
	return verdict;
}

bool csg_world_put(struct csg_world_segments *w, uint64_t index, bool at_context)
{
	struct csg_verdict verdict = verdict_now(w);

	w->begun = index;
	if (!make_room(w)) {
		w->failed = true;
		w->withheld = 0;
		return false;
	}
	w->count++;
	*csg_world_last(w) = (struct csg_segment){.index = index,
						  .at_context = at_context,
						  .open = verdict.neighbours,
						  .context = w->context,
						  .owner = owner_by(w, &w->context, verdict)};
	return true;
}

/* Begins a segment for the context in force; left_el is who ran before it without a gap. */
static void begin(struct csg_world_segments *w, uint64_t index, bool at_context, uint8_t left_el)
{
	if (!csg_world_put(w, index, at_context))
		return;
	w->left_el = left_el;
	if (csg_world_last(w)->open && left_el == CSG_EL1)
		csg_world_settle_segment(w, csg_world_last(w), CSG_WORLD_GUEST,
					 CSG_WITNESS_NEIGHBOUR_EL);
	else if (csg_world_last(w)->open)
		w->withheld = 1;
	else if (w->withheld)
		w->withheld++;
}

void csg_world_settle(struct csg_world_segments *w)
{
	if (csg_policy_shares_el1(w->kind))
		csg_nvhe_settle(w);
	w->withheld = 0;
	w->since_on = 0;
	w->exit.taken = false;
}

/* --- under VHE: a guest that is not traced --- */

/* The segment of a Trace On is withheld until the first address behind it. */
static void withhold_on(struct csg_world_segments *w)
{
	if (w->kind != CSG_HV_KVM_VHE || w->failed || w->withheld)
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
		w->queue[w->first + w->count - w->since_on].guest_ran = true;
	release_on(w);
}

/* The open EL0 segment, the first that is withheld; NULL: there is none. */
static struct csg_segment *open_segment(struct csg_world_segments *w)
{
	struct csg_segment *segment;

	if (!w->withheld || w->withheld > w->count)
		return NULL;
	segment = &w->queue[w->first + w->count - w->withheld];
	return segment->open ? segment : NULL;
}

/* It turns out to be world's. */
static void settle_as(struct csg_world_segments *w, enum csg_world world, uint32_t witness)
{
	struct csg_segment *segment = open_segment(w);

	if (segment)
		csg_world_settle_segment(w, segment, world, witness);
	w->withheld = 0;
}

/* --- exceptions: whose vectors were in force --- */

void csg_world_learn_from(struct csg_world_segments *w, const struct csg_world_segments *other)
{
	csg_landmarks_learn_from(&w->landmarks, &other->landmarks);
	csg_exit_vectors_learn_from(&w->exit_vectors, &other->exit_vectors);
}

/* An open EL0 left to these vectors. */
static void judge_vectors(struct csg_world_segments *w, uint64_t base)
{
	struct csg_segment *segment = open_segment(w);
	enum csg_world world = csg_exit_vectors_world(&w->exit_vectors, &w->landmarks, base);

	if (world != CSG_WORLD_UNKNOWN) {
		settle_as(w, world, CSG_WITNESS_VECTOR_BASE);
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
	if (w->kind == CSG_HV_KVM_VHE && w->context.el == CSG_EL2 &&
	    csg_is_exit_vector(w->exit.target)) {
		if (w->exit.from_el == CSG_EL1 || w->exit.from_guest)
			learn_vectors(w, base);
		else if (w->exit.from_el == CSG_EL0)
			judge_vectors(w, base);
	}
	w->withheld = 0;
}

void csg_world_entered(struct csg_world_segments *w, struct csg_segment *segment, uint64_t eret)
{
	enum csg_world world;

	if (!segment->open)
		return;
	world = csg_landmarks_by_symbol(&w->landmarks, CSG_ENTRY_ERET, eret);
	if (world != CSG_WORLD_UNKNOWN)
		csg_world_settle_segment(w, segment, world, CSG_WITNESS_ENTRY_ERET);
	else if (csg_landmarks_disputed(&w->landmarks, CSG_ENTRY_ERET, eret))
		csg_world_dispute_segment(w, segment);
}

void csg_world_open_is(const struct csg_world_segments *w, struct csg_segment *segment,
		       enum csg_world who, uint32_t witness)
{
	if (segment->open)
		csg_world_settle_segment(w, segment, who, witness);
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
	const uint32_t proof = CSG_WITNESS_NEIGHBOUR_EL | CSG_WITNESS_VECTOR_BASE;

	if (w->kind != CSG_HV_KVM_VHE)
		return 0;
	if (el == CSG_EL1)
		return learn_entry(w, eret, CSG_WORLD_GUEST);
	if (el == CSG_EL0 && (owner->witness & proof) && owner->world != CSG_WORLD_UNKNOWN)
		return learn_entry(w, eret, owner->world);
	return 0;
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
		settle_as(w, CSG_WORLD_GUEST, CSG_WITNESS_NEIGHBOUR_EL);
	else if (!w->exit.taken)
		w->withheld = 0;
}

bool csg_same_context(const struct csg_context *a, const struct csg_context *b)
{
	return a->el == b->el && a->security == b->security && a->aarch64 == b->aarch64 &&
	       a->has_contextidr == b->has_contextidr && a->has_vctx == b->has_vctx &&
	       a->contextidr_el1 == b->contextidr_el1 && a->vctx == b->vctx;
}

static void on_context(struct csg_world_segments *w, const struct csg_track_event *event)
{
	uint8_t left = w->context.el;

	if (w->resumed) {
		/* Nothing ran between the gap and this context. */
		size_t since_on = event->context.el == CSG_EL2 ? w->since_on : 0;

		left = CSG_EL_UNKNOWN;
		csg_world_settle(w);
		w->withheld = w->since_on = since_on;
	} else if (csg_same_context(&w->context, &event->context)) {
		return; /* stated again, as after every A-Sync */
	} else if (w->context.el == event->context.el) {
		/* Only IDs changed: the neighbour on the left is still the neighbour. */
		left = w->left_el;
		csg_world_settle(w);
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
	csg_world_settle(w);
	w->resumed = true;
	begin(w, event->index, false, CSG_EL_UNKNOWN);
	withhold_on(w);
}

void csg_world_tell_gap(struct csg_world_segments *w, const struct csg_track_event *event)
{
	if (w->failed)
		return;
	csg_world_last(w)->gap = event->gap;
	csg_world_last(w)->lost = event->value;
}

static void on_gap(struct csg_world_segments *w, const struct csg_track_event *event)
{
	csg_world_settle(w);
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

static const struct csg_world_steps steps = {
	.context = on_context,
	.trace_on = on_trace_on,
	.gap = on_gap,
	.address = on_address,
	.exception = on_exception,
	.eret = on_eret,
};

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
		/* What was skipped at the beginning; other gaps were told when they began. */
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
	csg_world_step_fn step = step_of(shares ? &csg_nvhe_steps : &steps, event);

	look_for_context(w, event);
	if (shares)
		csg_nvhe_before(w, event);
	if (step)
		step(w, event);
	w->failed |= w->stretches.failed;
}

uint64_t csg_world_settled_to(const struct csg_world_segments *w)
{
	return w->withheld ? w->queue[w->first + w->count - w->withheld].index : UINT64_MAX;
}

bool csg_world_next(struct csg_world_segments *w, struct csg_segment *segment)
{
	if (w->count <= w->withheld)
		return false;
	*segment = w->queue[w->first++];
	w->count--;
	if (!w->count)
		w->first = 0;
	return true;
}
