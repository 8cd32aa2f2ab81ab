/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_time.h"

#include "suite.h"

static void ranges_before_the_first_timestamp_wait_for_it(void)
{
	struct csg_sample_time time = {0};

	CU_ASSERT_FALSE(csg_sample_time_run(&time, 300));
	CU_ASSERT_FALSE(csg_sample_time_run(&time, 207));
	CU_ASSERT(csg_sample_time_stamp(&time, 1000));
	CU_ASSERT_EQUAL(time.now, 950);
}

static void later_ranges_follow_by_10_instructions_a_nanosecond(void)
{
	struct csg_sample_time time = {0};

	csg_sample_time_run(&time, 1000);
	csg_sample_time_stamp(&time, 1000);
	CU_ASSERT_EQUAL(time.now, 900);
	CU_ASSERT(csg_sample_time_run(&time, 15));
	CU_ASSERT_EQUAL(time.now, 901);
	CU_ASSERT(csg_sample_time_run(&time, 15));
	CU_ASSERT_EQUAL(time.now, 903);
	CU_ASSERT(csg_sample_time_run(&time, 5000));
	CU_ASSERT_EQUAL(time.now, 1000);
}

static void a_further_timestamp_begins_where_the_one_before_ended(void)
{
	struct csg_sample_time time = {0};

	csg_sample_time_stamp(&time, 1000);
	CU_ASSERT_FALSE(csg_sample_time_stamp(&time, 2000));
	CU_ASSERT(csg_sample_time_run(&time, 10));
	CU_ASSERT_EQUAL(time.now, 1001);
}

static void after_an_interruption_ranges_wait_again_and_never_go_back(void)
{
	struct csg_sample_time time = {0};

	csg_sample_time_stamp(&time, 1000);
	csg_sample_time_run(&time, 10);
	csg_sample_time_reset(&time);
	CU_ASSERT_FALSE(csg_sample_time_run(&time, 100000));
	CU_ASSERT(csg_sample_time_stamp(&time, 1200));
	CU_ASSERT_EQUAL(time.now, 1000);
}

static void an_unknown_timestamp_dates_nothing(void)
{
	struct csg_sample_time time = {0};

	CU_ASSERT(csg_sample_time_stamp(&time, 0));
	CU_ASSERT_EQUAL(time.now, 0);
	CU_ASSERT_FALSE(csg_sample_time_run(&time, 50));
	CU_ASSERT(csg_sample_time_stamp(&time, 3));
	CU_ASSERT_EQUAL(time.now, 0);
	CU_ASSERT_FALSE(csg_sample_time_stamp(&time, 0));
	CU_ASSERT_EQUAL(time.now, 3);
	CU_ASSERT_FALSE(csg_sample_time_run(&time, 50));
}

CSG_SUITE(script, sample_time, CSG_TEST(ranges_before_the_first_timestamp_wait_for_it),
	  CSG_TEST(later_ranges_follow_by_10_instructions_a_nanosecond),
	  CSG_TEST(a_further_timestamp_begins_where_the_one_before_ended),
	  CSG_TEST(after_an_interruption_ranges_wait_again_and_never_go_back),
	  CSG_TEST(an_unknown_timestamp_dates_nothing));
