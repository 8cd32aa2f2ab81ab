/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whatever a machine executes, whatever trace unit traces it, whatever the policy expects: nobody
 * is taken for another.
 */
#include "guest/slices/time_slice_match.h"
#include "guest/attribution_state.h"
#include "guest/slices/time_slice_watch.h"
#include "trial.h"

static bool is_wrong(const struct trial *t, const struct csg_owner *o, uint64_t address)
{
	static const enum csg_world worlds[] = {CSG_WORLD_HOST, CSG_WORLD_GUEST,
						CSG_WORLD_HYPERVISOR, CSG_WORLD_FIRMWARE};
	static const int32_t vms[] = {500, 600};
	int guest;
	enum machine_who who = machine_who_at(address, &guest);

	if (o->world == CSG_WORLD_UNKNOWN)
		return false;
	if (o->world != worlds[who])
		return true;
	if (who == HOST && o->el == CSG_EL0 && o->tid != CSG_PID_UNKNOWN)
		return o->tid != t->machine.threads[(address - MACHINE_USER) >> 12].tid;
	if (who != GUEST || o->vm == CSG_VM_UNKNOWN || (o->evidence & CSG_EVIDENCE_VMID))
		return false;
	return o->vm != vms[guest] || (o->vcpu != CSG_VCPU_UNKNOWN && o->vcpu);
}

static void judge(struct trial *t, const struct csg_element *e)
{
	const struct csg_owner *o = &t->owners[e->owner];
	char evidence[200];

	if (!is_wrong(t, o, e->start))
		return;
	if (!t->wrong++ || getenv("CSG_WORLD_SEED")) {
		csg_evidence_text(o->evidence, evidence, sizeof(evidence));
		printf("seed %" PRIu64 ": %s under %s: %#" PRIx64 " at %" PRIu64
		       " EL%u is not %s's vm %d (%s)\n",
		       t->seed, csg_hypervisor_name(t->machine.kind),
		       csg_hypervisor_name(t->policy), e->start, e->index, e->el,
		       csg_world_name((enum csg_world)o->world), o->vm, evidence);
	}
}

static void judge_worlds(struct trial *t, const struct csg_element *e, void *arg)
{
	(void)arg;
	if (e->kind != CSG_ELEMENT_RANGE)
		return;
	judge(t, e);
	if (t->owners[e->owner].world == CSG_WORLD_UNKNOWN)
		t->unknown += e->instructions;
	else
		t->known += e->instructions;
}

/* Of guests' instructions: whether it is known which one's they are. */
static void judge_guests(struct trial *t, const struct csg_element *e, void *arg)
{
	const struct csg_owner *o = &t->owners[e->owner];

	(void)arg;
	if (e->kind != CSG_ELEMENT_RANGE)
		return;
	judge(t, e);
	if (o->world != CSG_WORLD_GUEST)
		return;
	if (o->vm == CSG_VM_UNKNOWN)
		t->unknown += e->instructions;
	else
		t->known += e->instructions;
}

static void watch_slices(struct trial *t, const struct csg_element *e, void *watch)
{
	CU_ASSERT_EQUAL(csg_time_slice_watch_see(watch, e, &t->owners[e->owner]), 0);
}

/* Whose time slices there are, as session/open/switch_survey.h finds them. */
static void survey_slices(struct trial *t)
{
	const struct csg_facts *facts = &t->attribution->facts;
	struct csg_time_slice_watch watch = {.slices = &t->slices, .switch_to = MACHINE_SWITCH_TO};

	csg_time_slice_watch_begin(&watch, 0);
	trial_decode(t, watch_slices, &watch);
	CU_ASSERT_EQUAL(csg_time_slice_watch_end(&watch), 0);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t->slices, 0, &facts->residency, &facts->kvm_visits,
					      0, MACHINE_START - 10, t->machine.now + 10),
			0);
}

static void attribute(struct trial *t, trial_see see)
{
	trial_attribution(t);
	if (t->policy == CSG_HV_KVM_VHE && t->model.virt != CSG_ENC_VIRTUAL_CONTEXTIDR2)
		survey_slices(t);
	trial_decode(t, see, NULL);
	csg_time_slices_fini(&t->slices);
	csg_attribution_destroy(t->attribution);
}

static void attribute_worlds(struct trial *t)
{
	attribute(t, judge_worlds);
}

static void attribute_guests(struct trial *t)
{
	attribute(t, judge_guests);
}

/* What may be expected of a machine by who does not know which it is. */
static enum csg_hypervisor policy_for(struct trial *t, enum csg_hypervisor kind)
{
	if (csg_enc_random_chance(&t->random, 70))
		return kind;
	if (csg_enc_random_chance(&t->random, 50))
		return CSG_HV_UNKNOWN;
	return kind == CSG_HV_XEN ? CSG_HV_XEN : CSG_HV_KVM_NVHE;
}

static void try_any(struct trial *t, uint64_t seed, enum csg_hypervisor kind)
{
	trial_draw(t, seed, kind, true);
	t->policy = policy_for(t, kind);
	trial_run(t, 600, csg_enc_random_chance(&t->random, 60), attribute_worlds);
}

static void try_usual(struct trial *t, uint64_t seed, enum csg_hypervisor kind)
{
	trial_draw(t, seed, kind, false);
	trial_run(t, 600, false, attribute_worlds);
}

/* Without any context ID, and by a clock that nobody knows. */
static void try_switches_alone(struct trial *t, uint64_t seed, enum csg_hypervisor kind)
{
	trial_draw(t, seed, kind, false);
	t->model.virt = CSG_ENC_VIRTUAL_ABSENT;
	t->model.clock = CSG_ENC_CLOCK_UNRELATED;
	trial_run(t, 600, false, attribute_guests);
}

static void nobody_is_taken_for_another(enum csg_hypervisor kind)
{
	const struct trial_sum sum = trial_seeds(try_any, 150, kind);

	CU_ASSERT_EQUAL(sum.bad, 0);
	CU_ASSERT(sum.one || sum.known > 100 * sum.seeds);
}

static void under_vhe_nobody_is_taken_for_another(void)
{
	nobody_is_taken_for_another(CSG_HV_KVM_VHE);
}

static void without_vhe_nobody_is_taken_for_another(void)
{
	nobody_is_taken_for_another(CSG_HV_KVM_NVHE);
}

static void under_xen_nobody_is_taken_for_another(void)
{
	nobody_is_taken_for_another(CSG_HV_XEN);
}

/* With all of the evidence there, few instructions stay open. */
static void the_usual_trace_tells_nearly_all(void)
{
	static const enum csg_hypervisor kinds[] = {CSG_HV_KVM_VHE, CSG_HV_KVM_NVHE, CSG_HV_XEN};

	for (int k = 0; k < 3; k++) {
		const struct trial_sum sum = trial_seeds(try_usual, 20, kinds[k]);

		CU_ASSERT_EQUAL(sum.bad, 0);
		CU_ASSERT(sum.one || sum.unknown * 10 < sum.known);
	}
}

/* Where nothing names who runs, the order of switches tells it. */
static void switches_alone_tell_guests_apart(void)
{
	const struct trial_sum sum = trial_seeds(try_switches_alone, 20, CSG_HV_KVM_VHE);

	CU_ASSERT_EQUAL(sum.bad, 0);
	CU_ASSERT(sum.one || sum.known > 1000);
	CU_ASSERT_EQUAL(sum.unknown, 0);
}

CSG_SUITE(guest, worlds, CSG_TEST(under_vhe_nobody_is_taken_for_another),
	  CSG_TEST(without_vhe_nobody_is_taken_for_another),
	  CSG_TEST(under_xen_nobody_is_taken_for_another),
	  CSG_TEST(the_usual_trace_tells_nearly_all), CSG_TEST(switches_alone_tell_guests_apart));
