/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/spans.h"
#include "suite.h"

static void nothing_is_in_an_empty_set(void)
{
	struct csg_spans set = {0};

	csg_spans_sort(&set);
	CU_ASSERT_FALSE(csg_spans_meet(&set, 0, UINT64_MAX));
}

static void spans_that_meet_are_one(void)
{
	struct csg_spans set = {0};

	CU_ASSERT_EQUAL(csg_spans_add(&set, 50, 60), 0);
	CU_ASSERT_EQUAL(csg_spans_add(&set, 10, 20), 0);
	CU_ASSERT_EQUAL(csg_spans_add(&set, 15, 40), 0);
	CU_ASSERT_EQUAL(csg_spans_add(&set, 16, 18), 0);
	csg_spans_sort(&set);
	CU_ASSERT_EQUAL(set.count, 2);
	CU_ASSERT_EQUAL(set.spans[0].from, 10);
	CU_ASSERT_EQUAL(set.spans[0].until, 40);
	csg_spans_fini(&set);
}

static void both_ends_count(void)
{
	struct csg_spans set = {0};

	csg_spans_add(&set, 10, 20);
	csg_spans_add(&set, 50, 60);
	csg_spans_sort(&set);
	CU_ASSERT_FALSE(csg_spans_meet(&set, 0, 9));
	CU_ASSERT(csg_spans_meet(&set, 0, 10));
	CU_ASSERT(csg_spans_meet(&set, 12, 13));
	CU_ASSERT(csg_spans_meet(&set, 20, 30));
	CU_ASSERT_FALSE(csg_spans_meet(&set, 21, 49));
	CU_ASSERT(csg_spans_meet(&set, 21, 50));
	CU_ASSERT_FALSE(csg_spans_meet(&set, 61, UINT64_MAX));
	csg_spans_fini(&set);
}

static void what_is_added_later_counts_once_it_is_sorted(void)
{
	struct csg_spans set = {0};

	csg_spans_add(&set, 50, 60);
	csg_spans_sort(&set);
	csg_spans_add(&set, 10, 20);
	csg_spans_sort(&set);
	CU_ASSERT(csg_spans_meet(&set, 20, 20));
	CU_ASSERT(csg_spans_meet(&set, 55, 55));
	CU_ASSERT_FALSE(csg_spans_meet(&set, 21, 49));
	csg_spans_fini(&set);
}

CSG_SUITE(base, spans, CSG_TEST(nothing_is_in_an_empty_set), CSG_TEST(spans_that_meet_are_one),
	  CSG_TEST(both_ends_count), CSG_TEST(what_is_added_later_counts_once_it_is_sorted));
