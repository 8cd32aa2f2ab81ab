/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/times.h"

#include "suite.h"

static struct csg_times times;

static void add(uint64_t window, uint64_t begin, uint64_t until, uint64_t time)
{
	const struct csg_truth_piece piece = {.window = window, .time = begin, .until = until};

	csg_times_add(&times, &piece, 3, time);
}

static void a_time_within_its_window_is_good(void)
{
	times = (struct csg_times){0};
	add(0, 100, 120, 100);
	add(0, 120, 130, 105); /* the last timestamp before it */
	add(0, 130, 140, 140);
	CU_ASSERT_EQUAL(times.dated, 9);
	CU_ASSERT_EQUAL(times.early, 0);
	CU_ASSERT_EQUAL(times.late, 0);
}

static void a_time_of_the_window_before_is_early(void)
{
	times = (struct csg_times){0};
	add(0, 100, 120, 100);
	add(1, 500, 520, 120);
	CU_ASSERT_EQUAL(times.early, 3);
	CU_ASSERT_EQUAL(times.most_early, 380);
	/* Another stream's window of the same number is another one. */
	csg_times_stream(&times);
	add(1, 50, 60, 55);
	CU_ASSERT_EQUAL(times.early, 3);
}

static void a_time_after_it_was_over_is_late(void)
{
	times = (struct csg_times){0};
	add(0, 100, 120, 127);
	CU_ASSERT_EQUAL(times.late, 3);
	CU_ASSERT_EQUAL(times.most_late, 7);
	CU_ASSERT_EQUAL(times.far, 0);
	add(0, 100, 120, 5121);
	add(1, 9000, 9100, 3999);
	CU_ASSERT_EQUAL(times.far, 6);
}

static void what_is_not_known_does_not_count(void)
{
	times = (struct csg_times){0};
	add(0, 100, 120, 0);
	add(0, 100, 0, 700);
	CU_ASSERT_EQUAL(times.dated, 0);
	CU_ASSERT_EQUAL(times.late, 0);
}

CSG_SUITE(score, times, CSG_TEST(a_time_within_its_window_is_good),
	  CSG_TEST(a_time_of_the_window_before_is_early),
	  CSG_TEST(a_time_after_it_was_over_is_late), CSG_TEST(what_is_not_known_does_not_count));
