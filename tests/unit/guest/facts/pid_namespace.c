/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/pid_namespace.h"

#include "suite.h"

static enum csg_namespace_sign sign_of_ids(unsigned int strangers, unsigned int known)
{
	struct csg_pid_namespace ns = {0};

	for (uint32_t i = 0; i < strangers; i++)
		csg_pid_namespace_id(&ns, 40000 + i, false);
	for (uint32_t i = 0; i < known; i++)
		csg_pid_namespace_id(&ns, 10 + i, true);
	return csg_pid_namespace_sign(&ns);
}

static void two_strangers_are_a_sign_and_one_is_none(void)
{
	struct csg_pid_namespace ns = {0};

	CU_ASSERT_EQUAL(sign_of_ids(0, 0), CSG_NAMESPACE_NONE);
	CU_ASSERT_EQUAL(sign_of_ids(1, 0), CSG_NAMESPACE_NONE);
	CU_ASSERT_EQUAL(sign_of_ids(2, 0), CSG_NAMESPACE_STRANGERS);
	for (int i = 0; i < 1000; i++)
		csg_pid_namespace_id(&ns, 40000, false);
	CU_ASSERT_EQUAL(csg_pid_namespace_sign(&ns), CSG_NAMESPACE_NONE);
}

static void strangers_among_more_that_are_known_are_none(void)
{
	CU_ASSERT_EQUAL(sign_of_ids(2, 2), CSG_NAMESPACE_STRANGERS);
	CU_ASSERT_EQUAL(sign_of_ids(2, 3), CSG_NAMESPACE_NONE);
	CU_ASSERT_EQUAL(sign_of_ids(1000, 7), CSG_NAMESPACE_STRANGERS);
}

static void context_ids_that_were_asked_for_and_are_not_there_are_a_sign(void)
{
	struct csg_pid_namespace ns = {0};

	for (int i = 0; i < 3; i++)
		csg_pid_namespace_context(&ns, false);
	CU_ASSERT_EQUAL(csg_pid_namespace_sign(&ns), CSG_NAMESPACE_NONE);
	csg_pid_namespace_context(&ns, false);
	CU_ASSERT_EQUAL(csg_pid_namespace_sign(&ns), CSG_NAMESPACE_SILENCE);
	csg_pid_namespace_context(&ns, true);
	CU_ASSERT_EQUAL(csg_pid_namespace_sign(&ns), CSG_NAMESPACE_NONE);
}

static void thread_0_that_exits_or_gets_a_name_is_a_sign(void)
{
	struct csg_pid_namespace ns = {0};

	csg_pid_namespace_exit(&ns, 0);
	csg_pid_namespace_exit(&ns, 5);
	csg_pid_namespace_name(&ns, 5, 100);
	/* What perf found when it began. */
	csg_pid_namespace_name(&ns, 0, 0);
	CU_ASSERT_EQUAL(csg_pid_namespace_sign(&ns), CSG_NAMESPACE_NONE);
	CU_ASSERT_EQUAL(ns.named, 1);
	csg_pid_namespace_name(&ns, 0, 100);
	CU_ASSERT_EQUAL(csg_pid_namespace_sign(&ns), CSG_NAMESPACE_OUTSIDERS);
}

static void it_is_the_hosts_when_eight_are_known_and_none_is_a_stranger(void)
{
	struct csg_pid_namespace ns = {0};

	for (uint32_t i = 0; i < 7; i++)
		csg_pid_namespace_id(&ns, 10 + i, true);
	csg_pid_namespace_id(&ns, 10, true);
	CU_ASSERT_FALSE(csg_pid_namespace_is_hosts(&ns));
	CU_ASSERT(csg_pid_namespace_has(&ns, 16));
	CU_ASSERT_FALSE(csg_pid_namespace_has(&ns, 17));
	csg_pid_namespace_id(&ns, 17, true);
	CU_ASSERT(csg_pid_namespace_is_hosts(&ns));
	csg_pid_namespace_id(&ns, 40000, false);
	CU_ASSERT(csg_pid_namespace_has(&ns, 40000));
	CU_ASSERT_FALSE(csg_pid_namespace_is_hosts(&ns));
}

static void the_text_names_what_was_seen(void)
{
	struct csg_pid_namespace ns = {0};
	char text[128];

	csg_pid_namespace_id(&ns, 40503, false);
	csg_pid_namespace_id(&ns, 40700, false);
	csg_pid_namespace_text(&ns, csg_pid_namespace_sign(&ns), text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(
		text, "no record names the threads of context IDs such as 40503 and 40700");
}

CSG_SUITE(guest_facts, pid_namespace, CSG_TEST(two_strangers_are_a_sign_and_one_is_none),
	  CSG_TEST(strangers_among_more_that_are_known_are_none),
	  CSG_TEST(context_ids_that_were_asked_for_and_are_not_there_are_a_sign),
	  CSG_TEST(thread_0_that_exits_or_gets_a_name_is_a_sign),
	  CSG_TEST(it_is_the_hosts_when_eight_are_known_and_none_is_a_stranger),
	  CSG_TEST(the_text_names_what_was_seen));
