/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts.h"
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
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 0, 5, 11), 50);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 77, 5, 11), 60);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 77, 5, 9), CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 78, 5, 11), CSG_PID_UNKNOWN);
	CU_ASSERT_PTR_NULL(csg_facts_find(&facts, 78));
	CU_ASSERT_FALSE(csg_facts_clock(&facts, 78)->conv.valid);
	csg_facts_fini(&facts);
}

static void the_caller_may_know_all_threads_itself(void)
{
	uint64_t asked = 0;
	struct csg_facts facts = {.options = {.process_of = seven_times_vm, .arg = &asked}};

	CU_ASSERT_EQUAL(csg_facts_process(&facts, 3, 5, 99), 21);
	CU_ASSERT_EQUAL(asked, 99);
	CU_ASSERT_EQUAL(csg_facts_process(&facts, 3, 6, 99), CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

static void only_a_guests_switches_make_it_a_guest_that_is_known(void)
{
	const struct csg_attribution_switch record = {.size = sizeof(record), .tid = 1};
	struct csg_facts facts = {0};

	csg_switches_add(&csg_facts_machine(&facts, 0)->switches, &record);
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	CU_ASSERT_FALSE(facts.has_guests);
	facts.sealed = false;
	csg_switches_add(&csg_facts_machine(&facts, 9)->switches, &record);
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	CU_ASSERT(facts.has_guests);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest, facts, CSG_TEST(machines_are_apart),
	  CSG_TEST(the_caller_may_know_all_threads_itself),
	  CSG_TEST(only_a_guests_switches_make_it_a_guest_that_is_known));
