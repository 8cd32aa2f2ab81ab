/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/facts.h"
#include "suite.h"

static int32_t seven_times_vm(void *arg, int32_t vm, int32_t tid, uint64_t time)
{
	*(uint64_t *)arg = time;
	return tid == 5 ? vm * 7 : CSG_PID_UNKNOWN;
}

static void machines_are_apart(void)
{
	struct csg_facts facts = {0};

	csg_thread_seen(&csg_facts_machine(&facts, 0)->threads, 5, 50, NULL, false, 10);
	csg_thread_seen(&csg_facts_machine(&facts, 77)->threads, 5, 60, NULL, true, 10);
	CU_ASSERT_EQUAL(facts.count, 2);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 0, 5, 11, 11, false), 50);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 77, 5, 11, 11, false), 60);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 77, 5, 9, 9, false), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 78, 5, 11, 11, false), CSG_PID_UNKNOWN);
	CU_ASSERT_PTR_NULL(csg_facts_find(&facts, 78));
	CU_ASSERT_FALSE(csg_facts_clock(&facts, 78)->conv.valid);
	csg_facts_fini(&facts);
}

static void the_caller_may_know_all_threads_itself(void)
{
	uint64_t asked = 0;
	struct csg_facts facts = {.options = {.process_of = seven_times_vm, .arg = &asked}};

	CU_ASSERT_EQUAL(csg_facts_process(&facts, 3, 5, 99, 99, false), 21);
	CU_ASSERT_EQUAL(asked, 99);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 3, 6, 99, 99, false), CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

/* Of VM 7 it shows that it cannot. */
static void a_vm_may_nest_until_that_is_ruled_out(void)
{
	struct csg_facts facts = {.options.hypervisor = CSG_HV_KVM_VHE, .may_nest = true};

	csg_facts_machine(&facts, 7)->plain = true;
	CU_ASSERT_FALSE(csg_facts_nests(&facts, 7));
	CU_ASSERT_TRUE(csg_facts_nests(&facts, 8));
	CU_ASSERT_TRUE(csg_facts_nests(&facts, CSG_VM_UNKNOWN));
	CU_ASSERT_TRUE(csg_facts_any_nests(&facts));
	facts.options.hypervisor = CSG_HV_KVM_NVHE;
	CU_ASSERT_FALSE(csg_facts_nests(&facts, 8));
	CU_ASSERT_FALSE(csg_facts_any_nests(&facts));
	facts.options.hypervisor = CSG_HV_KVM_VHE;
	facts.may_nest = false;
	CU_ASSERT_FALSE(csg_facts_nests(&facts, 8));
	CU_ASSERT_FALSE(csg_facts_any_nests(&facts));
	/* A VM's own recording shows that it has. */
	csg_facts_machine(&facts, 8)->nests = facts.nesting_vms = true;
	CU_ASSERT_TRUE(csg_facts_nests(&facts, 8));
	CU_ASSERT_FALSE(csg_facts_nests(&facts, 9));
	CU_ASSERT_TRUE(csg_facts_any_nests(&facts));
	csg_facts_fini(&facts);
}

CSG_SUITE(guest_facts, facts, CSG_TEST(machines_are_apart),
	  CSG_TEST(a_vm_may_nest_until_that_is_ruled_out),
	  CSG_TEST(the_caller_may_know_all_threads_itself));
