/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/code_check.h"

#include <inttypes.h>
#include <stdio.h>

#include "csguest/error.h"
#include "guest/attribution_state.h"
#include "guest/owners.h"
#include "world/policy.h"

void csg_code_check_event(struct csg_attribution_stream *s, const struct csg_track_event *event)
{
	if (s->attribution->facts.code.may_have && csg_policy_shares_el1(s->world.kind))
		csg_user_places_event(&s->user_places, event);
}

/* The first place of the segment where the process never had anything; NULL: none is known. */
static const struct csg_user_place *disproof(const struct csg_attribution_stream *s,
					     const struct csg_when *when, int32_t vm, int32_t pid)
{
	const struct csg_code_owners *code = &s->attribution->facts.code;
	const struct csg_user_places *places = &s->user_places;
	const struct csg_user_place *place = csg_user_places_from(places, when->index);

	for (; place < csg_user_places_end(places) && (!when->end || place->index < when->end);
	     place++)
		if (!code->may_have(code->arg, vm, pid, place->address))
			return place;
	return NULL;
}

static int contradict(struct csg_attribution_stream *s, const struct csg_contradiction *one,
		      struct csg_owner *owner)
{
	csg_owner_leave_world(owner);
	owner->host_process = CSG_PID_UNKNOWN;
	owner->reason = CSG_REASON_CONFLICT;
	return s->world.finder.found
		       ? csg_contradictions_add(&s->attribution->facts.contradictions, one)
		       : 0;
}

/* The address itself may be wrong: it says nothing of the time. */
static int is_nobodys(struct csg_attribution_stream *s, const struct csg_when *when,
		      const struct csg_user_place *place, struct csg_owner *owner)
{
	struct csg_contradiction one = csg_when_contradiction(when, CSG_CONTRADICTION_PATH);

	snprintf(one.text, sizeof(one.text),
		 "user code at 0x%" PRIx64 ", where no process ever had anything: trace is missing",
		 place->address);
	return contradict(s, &one, owner);
}

/* The times are wrong, and those of timestamps with the same upper bits. */
static int refute(struct csg_attribution_stream *s, const struct csg_when *when,
		  const struct csg_user_place *place, struct csg_owner *owner)
{
	const bool guest = owner->world == CSG_WORLD_GUEST;
	struct csg_contradiction one = csg_when_contradicted_times(
		when, guest ? CSG_CONTRADICTION_GUEST_SWITCHES : CSG_CONTRADICTION_ON_CPU);
	char machine[32] = "the host";

	if (guest)
		snprintf(machine, sizeof(machine), "VM %" PRId32, owner->vm);
	snprintf(one.text, sizeof(one.text),
		 "user code at 0x%" PRIx64 "; by times it is of process %" PRId32
		 " of %s, which never had anything there",
		 place->address, owner->pid, machine);
	csg_agreement_contradict(&s->agreement);
	return contradict(s, &one, owner);
}

/* Whoever was there by the switch records may have run the code. */
static void agree(struct csg_attribution_stream *s, const struct csg_when *when)
{
	const struct csg_user_place *place = csg_user_places_from(&s->user_places, when->index);
	const struct csg_on_cpu *who;

	if (csg_agreement_holds(&s->agreement) || !when->from || !when->until ||
	    place == csg_user_places_end(&s->user_places))
		return;
	who = csg_residency_at(&s->attribution->facts.residency, when->cpu, when->from,
			       when->until);
	if (who && who->pid > 0 && !disproof(s, when, CSG_VM_HOST, csg_vm_pid(who->pid)))
		csg_agreement_agree(&s->agreement, who);
}

int csg_code_check(struct csg_attribution_stream *s, const struct csg_when *when,
		   struct csg_owner *owner)
{
	const struct csg_facts *facts = &s->attribution->facts;
	const bool guest = owner->world == CSG_WORLD_GUEST && owner->vm > 0;
	const int32_t vm = guest ? owner->vm : CSG_VM_HOST;
	const struct csg_user_place *place;

	if (!s->user_places.count || owner->privilege != CSG_USER ||
	    (!guest && owner->world != CSG_WORLD_HOST) || (guest && csg_facts_nests(facts, vm)))
		return 0;
	place = disproof(s, when, vm, owner->pid > 0 ? owner->pid : CSG_PID_UNKNOWN);
	if (place && (owner->pid <= 0 ||
		      !facts->code.may_have(facts->code.arg, vm, CSG_PID_UNKNOWN, place->address)))
		return is_nobodys(s, when, place, owner);
	if (place)
		return refute(s, when, place, owner);
	if (!guest && owner->pid == CSG_PID_UNKNOWN)
		agree(s, when);
	return 0;
}
