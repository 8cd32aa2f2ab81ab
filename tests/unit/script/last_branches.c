/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/last_branches.h"

#include "suite.h"

static void push(struct csg_last_branches *last, uint64_t from)
{
	csg_last_branches_push(last, (struct csg_sample_branch){.from = from, .to = from + 1});
}

static void the_newest_comes_first_and_the_oldest_goes(void)
{
	struct csg_last_branches last;
	struct csg_sample_queue queue = {0};
	uint64_t at;

	CU_ASSERT_FATAL(csg_last_branches_init(&last, 3));
	push(&last, 10);
	push(&last, 20);
	CU_ASSERT_EQUAL(last.count, 2);
	at = csg_last_branches_copy(&last, &queue);
	CU_ASSERT_EQUAL(queue.branches[at].from, 20);
	CU_ASSERT_EQUAL(queue.branches[at + 1].from, 10);
	push(&last, 30);
	push(&last, 40);
	CU_ASSERT_EQUAL(last.count, 3);
	at = csg_last_branches_copy(&last, &queue);
	CU_ASSERT_EQUAL(at, 2);
	CU_ASSERT_EQUAL_FATAL(queue.branch_end, 5);
	for (uint64_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(queue.branches[at + i].from, 40 - 10 * i);
	csg_sample_queue_fini(&queue);
	csg_last_branches_fini(&last);
}

static void after_an_interruption_there_are_none(void)
{
	struct csg_last_branches last;
	struct csg_sample_queue queue = {0};

	CU_ASSERT_FATAL(csg_last_branches_init(&last, 2));
	push(&last, 10);
	csg_last_branches_clear(&last);
	CU_ASSERT_EQUAL(last.count, 0);
	CU_ASSERT_EQUAL(csg_last_branches_copy(&last, &queue), 0);
	CU_ASSERT_EQUAL(queue.branch_end, 0);
	csg_sample_queue_fini(&queue);
	csg_last_branches_fini(&last);
}

static void none_are_kept_unless_asked_for(void)
{
	struct csg_last_branches last = {0};

	push(&last, 10);
	CU_ASSERT_EQUAL(last.count, 0);
	csg_last_branches_fini(&last);
}

CSG_SUITE(script, last_branches, CSG_TEST(the_newest_comes_first_and_the_oldest_goes),
	  CSG_TEST(after_an_interruption_there_are_none), CSG_TEST(none_are_kept_unless_asked_for));
