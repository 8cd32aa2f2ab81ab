/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/leg.h"
#include "suite.h"

static void runs_that_go_on_are_one(void)
{
	struct csg_leg leg = {0};

	CU_ASSERT_EQUAL(csg_leg_add_run(&leg, CSG_RUN(100, (const uint8_t *)"ab", 2)), 0);
	CU_ASSERT_EQUAL(csg_leg_add_run(&leg, CSG_RUN(102, (const uint8_t *)"cd", 2)), 0);
	CU_ASSERT_EQUAL(csg_leg_add_run(&leg, CSG_RUN(105, (const uint8_t *)"e", 1)), 0);
	CU_ASSERT_EQUAL(leg.steps.n, 2);
	CU_ASSERT_EQUAL(leg.steps.at[0].n, 4);
	CU_ASSERT_EQUAL(leg.steps.at[1].index, 105);
	CU_ASSERT_EQUAL(leg.bytes.at[leg.steps.at[1].at], 'e');
	csg_leg_fini(&leg);
}

/* Two frames and a piece of a third, cut in the second: one run, of which the next leg gets the end. */
static void frames_that_go_on_are_one(void)
{
	static const uint8_t bytes[35];
	const struct csg_run all = {.index = 160, .bytes = bytes, .n = 35, .frame = CSG_FRAME_DATA};
	const struct csg_run parts[] = {csg_run_part(&all, 0, 20), csg_run_part(&all, 20, 15)};
	struct csg_leg leg = {0}, next = {0};

	CU_ASSERT_EQUAL(csg_leg_add_run(&leg, &parts[0]), 0);
	CU_ASSERT_EQUAL(csg_leg_add_run(&leg, &parts[1]), 0);
	CU_ASSERT_EQUAL(csg_leg_add_run(&leg, CSG_RUN(300, bytes, 3)), 0);
	CU_ASSERT_EQUAL_FATAL(leg.steps.n, 2);
	CU_ASSERT_EQUAL(leg.steps.at[0].n, 35);
	CU_ASSERT_EQUAL(leg.steps.at[0].frame, CSG_FRAME_DATA);
	CU_ASSERT_EQUAL(leg.steps.at[1].frame, 0);
	CU_ASSERT_EQUAL(csg_leg_overlap(&next, &leg, 180), 0);
	CU_ASSERT_EQUAL_FATAL(next.guess.steps.n, 2);
	CU_ASSERT_EQUAL(next.guess.steps.at[0].index, 180);
	CU_ASSERT_EQUAL(next.guess.steps.at[0].n, 16);
	CU_ASSERT_EQUAL(next.guess.steps.at[0].frame, 11);
	csg_leg_fini(&next);
	csg_leg_fini(&leg);
}

static void an_entry_counts_once(void)
{
	const struct csg_leg_entry a = {.eret = 1, .owner = 2, .el = 0},
				   b = {.eret = 1, .owner = 3};
	struct csg_leg leg = {0};

	csg_leg_add_entry(&leg, &a);
	csg_leg_add_entry(&leg, &b);
	csg_leg_add_entry(&leg, &a);
	CU_ASSERT_EQUAL(leg.entries.n, 2);
	csg_leg_fini(&leg);
}

static void the_timestamps_around_a_place_are_found(void)
{
	struct csg_leg leg = {0};

	for (uint64_t i = 1; i < 6; i++)
		csg_leg_add_time(&leg, &(struct csg_leg_time){.index = 10 * i, .time = i});
	CU_ASSERT_PTR_NULL(csg_leg_time_at(&leg, 9));
	CU_ASSERT_EQUAL(csg_leg_time_at(&leg, 10)->time, 1);
	CU_ASSERT_EQUAL(csg_leg_time_at(&leg, 39)->time, 3);
	CU_ASSERT_EQUAL(csg_leg_time_at(&leg, 1000)->time, 5);
	CU_ASSERT_EQUAL(csg_leg_time_after(&leg, 9)->time, 1);
	CU_ASSERT_EQUAL(csg_leg_time_after(&leg, 10)->time, 2);
	CU_ASSERT_PTR_NULL(csg_leg_time_after(&leg, 50));
	csg_leg_fini(&leg);
}

static void an_async_is_found_from_a_place_on(void)
{
	struct csg_leg leg = {0};

	csg_leg_add_async(&leg, 7);
	csg_leg_add_async(&leg, 300);
	CU_ASSERT_EQUAL(csg_leg_async_at(&leg, 0), 7);
	CU_ASSERT_EQUAL(csg_leg_async_at(&leg, 8), 300);
	CU_ASSERT_EQUAL(csg_leg_async_at(&leg, 301), UINT64_MAX);
	csg_leg_fini(&leg);
}

static void a_cleared_leg_is_empty_but_keeps_its_memory(void)
{
	struct csg_leg leg = {.hold = true, .fresh = true, .eret = 4};
	uint8_t *bytes;

	csg_leg_add_run(&leg, CSG_RUN(1, (const uint8_t *)"x", 1));
	csg_leg_add_segment(&leg, &(struct csg_leg_segment){.index = 1});
	csg_leg_add_miss(&leg, &(struct csg_leg_miss){.address = 1});
	bytes = leg.bytes.at;
	csg_leg_clear(&leg);
	CU_ASSERT_FALSE(leg.hold || leg.fresh || leg.eret);
	CU_ASSERT_EQUAL(leg.bytes.n + leg.steps.n + leg.segments.n + leg.misses.n, 0);
	CU_ASSERT_PTR_EQUAL(leg.bytes.at, bytes);
	csg_leg_fini(&leg);
}

CSG_SUITE(session, leg, CSG_TEST(runs_that_go_on_are_one), CSG_TEST(frames_that_go_on_are_one),
	  CSG_TEST(an_entry_counts_once), CSG_TEST(the_timestamps_around_a_place_are_found),
	  CSG_TEST(an_async_is_found_from_a_place_on),
	  CSG_TEST(a_cleared_leg_is_empty_but_keeps_its_memory));
