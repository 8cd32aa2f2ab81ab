/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lost_spans.h"
#include "suite.h"

static void nothing_is_lost_where_nothing_was_added(void)
{
	struct csg_lost_spans lost = {0};

	csg_lost_spans_sort(&lost);
	CU_ASSERT_FALSE(csg_lost_between(&lost, 0, UINT64_MAX));
}

static void spans_that_meet_are_one(void)
{
	struct csg_lost_spans lost = {0};

	CU_ASSERT_EQUAL(csg_lost_spans_add(&lost, 50, 60), 0);
	CU_ASSERT_EQUAL(csg_lost_spans_add(&lost, 10, 20), 0);
	CU_ASSERT_EQUAL(csg_lost_spans_add(&lost, 15, 40), 0);
	CU_ASSERT_EQUAL(csg_lost_spans_add(&lost, 16, 18), 0);
	csg_lost_spans_sort(&lost);
	CU_ASSERT_EQUAL(lost.count, 2);
	CU_ASSERT_EQUAL(lost.spans[0].from, 10);
	CU_ASSERT_EQUAL(lost.spans[0].until, 40);
	csg_lost_spans_fini(&lost);
}

static void both_ends_count(void)
{
	struct csg_lost_spans lost = {0};

	csg_lost_spans_add(&lost, 10, 20);
	csg_lost_spans_add(&lost, 50, 60);
	csg_lost_spans_sort(&lost);
	CU_ASSERT_FALSE(csg_lost_between(&lost, 0, 9));
	CU_ASSERT(csg_lost_between(&lost, 0, 10));
	CU_ASSERT(csg_lost_between(&lost, 12, 13));
	CU_ASSERT(csg_lost_between(&lost, 20, 30));
	CU_ASSERT_FALSE(csg_lost_between(&lost, 21, 49));
	CU_ASSERT(csg_lost_between(&lost, 21, 50));
	CU_ASSERT_FALSE(csg_lost_between(&lost, 61, UINT64_MAX));
	csg_lost_spans_fini(&lost);
}

CSG_SUITE(base, lost_spans, CSG_TEST(nothing_is_lost_where_nothing_was_added),
	  CSG_TEST(spans_that_meet_are_one), CSG_TEST(both_ends_count));
