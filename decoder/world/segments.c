/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/segments.h"

#include <stdio.h>
#include <stdlib.h>

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
	free(w->segments);
	w->segments = NULL;
	w->queue = (struct csg_ring){0};
}

/* Whether the register is traced in which Linux keeps the host's thread. */
static bool has_host_id(const struct csg_world_segments *w, const struct csg_context *c)
{
	return !w->foreign_ids &&
	       ((w->vctx_kind == CSG_VCTX_CONTEXTIDR_EL2 && c->has_vctx) ||
		(!csg_policy_has(w->kind, CSG_TRAIT_HOST_AT_EL2) && c->has_contextidr));
}

/* Whose thread the context IDs name.  Zero proves nothing: a filter may trace it as such. */
static void name_thread(const struct csg_world_segments *w, const struct csg_context *c,
			struct csg_owner *owner)
{
	bool counts = !w->foreign_ids;

	if (counts && w->vctx_kind == CSG_VCTX_CONTEXTIDR_EL2 && c->has_vctx && c->vctx) {
		owner->host_tid = (int32_t)c->vctx;
		owner->evidence |= CSG_EVIDENCE_CONTEXTIDR_EL2;
	} else if (counts && owner->world == CSG_WORLD_HOST &&
		   !csg_policy_has(w->kind, CSG_TRAIT_HOST_AT_EL2) && c->has_contextidr &&
		   c->contextidr_el1) {
		/* Under VHE, CONTEXTIDR_EL1 is a guest's: stale while the host runs. */
		owner->host_tid = (int32_t)c->contextidr_el1;
		owner->evidence |= CSG_EVIDENCE_CONTEXTIDR_EL1;
	}
	if (owner->world == CSG_WORLD_GUEST && c->has_contextidr && c->contextidr_el1) {
		owner->tid = (int32_t)c->contextidr_el1;
		owner->evidence |= CSG_EVIDENCE_CONTEXTIDR_EL1;
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
	if (!csg_policy_has(w->kind, CSG_TRAIT_DOMAINS) || w->vctx_kind != CSG_VCTX_VMID ||
	    !c->has_vctx || !c->vctx)
		return;
	owner->vm = (int32_t)c->vctx;
	owner->evidence |= CSG_EVIDENCE_VMID;
}

static struct csg_owner owner_by(const struct csg_world_segments *w, const struct csg_context *c,
				 struct csg_verdict verdict)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = verdict.world;
	owner.privilege = verdict.privilege;
	owner.reason = verdict.reason;
	owner.evidence = verdict.evidence;
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
			      enum csg_world world, uint32_t evidence)
{
	segment->open = false;
	segment->owner = owner_by(w, &segment->context,
				  (struct csg_verdict){.world = world,
						       .privilege = segment->context.el == CSG_EL0
									    ? CSG_USER
									    : CSG_KERNEL,
						       .evidence = evidence});
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
 * What the policy says of the context in force.  One that nobody stated is of a Linux host, whose
 * driver does not trace the EL2 of nVHE: the policy is wrong then, and the hypervisor's EL2 is not
 * one.
 */
static struct csg_verdict verdict_now(const struct csg_world_segments *w)
{
	struct csg_verdict verdict = csg_policy_verdict(w->kind, &w->context);

	if (w->assumed && csg_policy_traits[w->kind] == CSG_TRAIT_SHARED_EL1 &&
	    verdict.world == CSG_WORLD_HYPERVISOR)
		return (struct csg_verdict){.world = CSG_WORLD_UNKNOWN,
					    .privilege = CSG_KERNEL,
					    .reason = CSG_REASON_NOT_TRACED};
	return verdict;
}

bool csg_world_put(struct csg_world_segments *w, uint64_t index, bool at_context)
{
	struct csg_verdict verdict = verdict_now(w);

	w->begun = index;
	if (csg_ring_grow(&w->queue, (void **)&w->segments, sizeof(*w->segments))) {
		w->failed = true;
		w->withheld = 0;
		return false;
	}
	w->segments[csg_ring_push(&w->queue)] =
		(struct csg_segment){.index = index,
				     .at_context = at_context,
				     .open = verdict.neighbours,
				     .context = w->context,
				     .owner = owner_by(w, &w->context, verdict)};
	return true;
}

void csg_world_tell_gap(struct csg_world_segments *w, const struct csg_track_event *event)
{
	if (w->failed)
		return;
	csg_world_nth_last(w, 1)->gap = event->gap;
	csg_world_nth_last(w, 1)->lost = event->value;
}

bool csg_same_context(const struct csg_context *a, const struct csg_context *b)
{
	return a->el == b->el && a->security == b->security && a->aarch64 == b->aarch64 &&
	       a->has_contextidr == b->has_contextidr && a->has_vctx == b->has_vctx &&
	       a->contextidr_el1 == b->contextidr_el1 && a->vctx == b->vctx;
}

void csg_world_release(struct csg_world_segments *w)
{
	w->withheld = 0;
	w->since_on = 0;
	w->exit.taken = false;
}
