/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/why_nobody.h"

#include "suite.h"

static struct csg_agreement agreement;

/* On CPU 2: thread 11 from 100 to 200; thread 7 from 210 to 300; then a hole, and from 400 on 7. */
static struct csg_facts host(void)
{
	struct csg_facts facts = {.options = {.hypervisor = CSG_HV_KVM_VHE}};

	agreement = (struct csg_agreement){0};
	csg_residency_in(&facts.residency, 2, 100, 10, 11, 7);
	csg_residency_out(&facts.residency, 2, 200, 10, 11, 7);
	csg_residency_in(&facts.residency, 2, 210, 5, 7, 11);
	csg_residency_out(&facts.residency, 2, 300, 5, 7, 11);
	csg_residency_lost(&facts.residency, 2);
	csg_residency_in(&facts.residency, 2, 400, 5, 7, 11);
	csg_residency_out(&facts.residency, 2, 500, 5, 7, 11);
	return facts;
}

static enum csg_reason why(const struct csg_facts *facts, enum csg_world world, int32_t cpu,
			   uint64_t from, uint64_t until)
{
	const struct csg_when when = {
		.cpu = cpu, .from = from, .until = until, .agreement = &agreement};
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = (uint8_t)world;
	return csg_why_nobody(facts, &when, &owner);
}

static void a_host_without_records_of_the_cpu_needs_a_context_id(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 0, 150, 180), CSG_REASON_NO_CONTEXT_ID);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_GUEST, 0, 150, 180), CSG_REASON_NO_CONTEXT_ID);
	csg_facts_fini(&facts);
}

static void with_records_it_is_time_that_is_missing(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 0, 180), CSG_REASON_NO_HOST_TIME);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 150, 0), CSG_REASON_NO_HOST_TIME);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_GUEST, 2, 0, 0), CSG_REASON_NO_HOST_TIME);
	csg_facts_fini(&facts);
}

static void with_records_and_time_it_is_a_switch_or_a_lost_record(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 150, 220), CSG_REASON_HOST_SWITCH);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 250, 350), CSG_REASON_NO_HOST_SWITCH);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 450, 600), CSG_REASON_NO_HOST_SWITCH);
	csg_facts_fini(&facts);
}

/* Where the host switched as often as that, it is a switch, whatever else there is. */
static void not_all_of_many_threads_are_looked_at(void)
{
	for (unsigned int n = 10; n <= 1000; n *= 10) {
		struct csg_facts facts = {.options = {.hypervisor = CSG_HV_KVM_VHE}};

		agreement = (struct csg_agreement){0};
		for (unsigned int i = 0; i < n; i++) {
			csg_residency_in(&facts.residency, 2, 100 + 10 * i, 10, 11, 7);
			csg_residency_out(&facts.residency, 2, 109 + 10 * i, 10, 11, 7);
		}
		csg_residency_lost(&facts.residency, 2);
		CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 105, 100000),
				n < 64 ? CSG_REASON_NO_HOST_SWITCH : CSG_REASON_HOST_SWITCH);
		csg_facts_fini(&facts);
	}
}

static void a_guest_may_lack_a_thread_that_is_known_to_run_vcpus(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 20, .vm = 19, .vcpu = 0};
	struct csg_facts facts = host();

	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_GUEST, 2, 150, 220), CSG_REASON_NO_VMM);
	csg_vcpus_add(&facts.vcpus, &vcpu);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_GUEST, 2, 150, 180), CSG_REASON_NO_VMM);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_GUEST, 2, 150, 220), CSG_REASON_HOST_SWITCH);
	csg_facts_fini(&facts);
}

static void records_that_the_trace_contradicts_are_not_trusted(void)
{
	struct csg_facts facts = host();

	csg_agreement_contradict(&agreement);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 150, 180), CSG_REASON_DISTRUSTED);
	csg_facts_fini(&facts);
}

static void records_that_all_contradict_each_other_say_nothing(void)
{
	struct csg_facts facts = {.options = {.hypervisor = CSG_HV_KVM_VHE}};

	csg_residency_in(&facts.residency, 2, 100, 10, 11, 7);
	csg_residency_in(&facts.residency, 2, 200, 5, 8, 9);
	csg_residency_settle(&facts.residency, 2);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 2, 120, 150), CSG_REASON_NO_HOST_SWITCH);
	csg_facts_fini(&facts);
}

static void in_another_pid_namespace_ids_are_no_use(void)
{
	struct csg_facts facts = host();

	facts.foreign_ids = true;
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_GUEST, 2, 150, 220), CSG_REASON_PID_NAMESPACE);
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_HOST, 0, 150, 180), CSG_REASON_PID_NAMESPACE);
	csg_facts_fini(&facts);
}

static void xen_knows_guests_by_their_vmids(void)
{
	struct csg_facts facts = host();

	facts.options.hypervisor = CSG_HV_XEN;
	CU_ASSERT_EQUAL(why(&facts, CSG_WORLD_GUEST, 2, 150, 180), CSG_REASON_NO_VMID);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest, why_nobody, CSG_TEST(a_host_without_records_of_the_cpu_needs_a_context_id),
	  CSG_TEST(with_records_it_is_time_that_is_missing),
	  CSG_TEST(with_records_and_time_it_is_a_switch_or_a_lost_record),
	  CSG_TEST(not_all_of_many_threads_are_looked_at),
	  CSG_TEST(in_another_pid_namespace_ids_are_no_use),
	  CSG_TEST(a_guest_may_lack_a_thread_that_is_known_to_run_vcpus),
	  CSG_TEST(records_that_the_trace_contradicts_are_not_trusted),
	  CSG_TEST(records_that_all_contradict_each_other_say_nothing),
	  CSG_TEST(xen_knows_guests_by_their_vmids));
