/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/time_ranges.h"

#include "csguest/error.h"
#include "suite.h"

#define FIRST 1000000000000u
#define LAST 2000000000000u

static int time_refused(const char *text)
{
	struct csg_time_ranges ranges = {0};
	int err = csg_time_ranges_parse(&ranges, text, FIRST, LAST);

	csg_time_ranges_fini(&ranges);
	return err == -CSG_E_USAGE;
}

static int time_passes(const char *text, uint64_t time)
{
	struct csg_time_ranges ranges = {0};
	int passes;

	CU_ASSERT_EQUAL(csg_time_ranges_parse(&ranges, text, FIRST, LAST), 0);
	passes = csg_time_ranges_have(&ranges, time);
	csg_time_ranges_fini(&ranges);
	return passes;
}

static void times_are_intervals_of_seconds(void)
{
	CU_ASSERT(time_passes("1.5,1.500000002", 1500000001));
	CU_ASSERT_FALSE(time_passes("1.5,1.500000002", 1500000002));
	CU_ASSERT_FALSE(time_passes("1.5,2", 1499999999));
	CU_ASSERT(time_passes("1.5,", 99999999999));
	CU_ASSERT(time_passes(",2", 1));
	CU_ASSERT_FALSE(time_passes(",2", 2000000001));
	CU_ASSERT(time_passes("1,2 5,6", 5500000000));
	CU_ASSERT_FALSE(time_passes("1,2 5,6", 3000000000));
}

static void intervals_that_follow_each_other_share_nothing(void)
{
	CU_ASSERT_FALSE(time_passes("1,1.5", 1500000000));
	CU_ASSERT(time_passes("1.5,2", 1500000000));
	/* One time is that nanosecond. */
	CU_ASSERT(time_passes("1.5,1.5", 1500000000));
	CU_ASSERT_FALSE(time_passes("1.5,1.5", 1500000001));
}

static void what_is_before_all_times_is_in_open_intervals(void)
{
	CU_ASSERT_FALSE(time_passes("1,2", 0));
	CU_ASSERT(time_passes(",2", 0));
	CU_ASSERT(time_passes("0%-10%", 0));
}

static void times_are_parts_of_the_recording(void)
{
	CU_ASSERT(time_passes("10%/2", 1100000000000));
	CU_ASSERT_FALSE(time_passes("10%/2", 1200000000000));
	CU_ASSERT(time_passes("10%/3", 1200000000000));
	CU_ASSERT(time_passes("10%", 1050000000000));
	CU_ASSERT_FALSE(time_passes("10%", 1100000000000));
	CU_ASSERT(time_passes("0%-10%,30%-40%", 1350000000000));
	CU_ASSERT_FALSE(time_passes("0%-10%,30%-40%", 1250000000000));
	CU_ASSERT(time_passes("90%-100%", LAST));
	CU_ASSERT(time_passes("10%/10", LAST));
	CU_ASSERT(time_passes("10%/10", LAST + 5));
	CU_ASSERT(time_passes("0%-10%", FIRST - 5));
	CU_ASSERT_FALSE(time_passes("10%-100%", FIRST - 5));
}

static void nonsense_is_refused(void)
{
	static const char *const texts[] = {"",
					    "5",
					    "a,b",
					    "1,b",
					    "2,1",
					    "1.,x",
					    "1.0000000001,2",
					    "1,2,3",
					    "10",
					    "10%/0",
					    "10%/x",
					    "20%-10%",
					    "0%-200%",
					    "10%/11",
					    "10%,,",
					    "x%",
					    "-10%",
					    "10%/2 ",
					    "0%/1",
					    ",,",
					    "nan%",
					    "99999999999999999999,",
					    "1 2"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CU_ASSERT(time_refused(texts[i]));
}

static void parts_need_times_in_the_recording(void)
{
	struct csg_time_ranges ranges = {0};

	CU_ASSERT_EQUAL(csg_time_ranges_parse(&ranges, "10%", 0, 0), -CSG_E_USAGE);
	csg_time_ranges_fini(&ranges);
}

CSG_SUITE(text, time_ranges, CSG_TEST(times_are_intervals_of_seconds),
	  CSG_TEST(intervals_that_follow_each_other_share_nothing),
	  CSG_TEST(what_is_before_all_times_is_in_open_intervals),
	  CSG_TEST(times_are_parts_of_the_recording), CSG_TEST(nonsense_is_refused),
	  CSG_TEST(parts_need_times_in_the_recording));
