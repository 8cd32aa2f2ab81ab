/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>

#include "timeline/slice_window.h"

static struct csg_slice slice;

static bool cut(uint64_t begin, uint64_t end)
{
	const struct csg_slice_window window = {begin, end};

	slice = (struct csg_slice){.begin = 100,
				   .end = 200,
				   .instructions = 10,
				   .missing = 3,
				   .instrumented = 3,
				   .left = CSG_LEFT_ERET};
	return csg_slice_window_cut(&window, &slice);
}

static void is(uint64_t begin, uint64_t end, uint64_t instructions, uint32_t missing)
{
	CU_ASSERT_EQUAL(slice.begin, begin);
	CU_ASSERT_EQUAL(slice.end, end);
	CU_ASSERT_EQUAL(slice.instructions, instructions);
	CU_ASSERT_EQUAL(slice.missing, missing);
	CU_ASSERT_EQUAL(slice.instrumented, missing);
}

static void a_slice_inside_stays_as_it_is(void)
{
	CU_ASSERT_TRUE(cut(100, 200));
	is(100, 200, 10, 3);
	CU_ASSERT_EQUAL(slice.left, CSG_LEFT_ERET);
	CU_ASSERT_TRUE(cut(0, UINT64_MAX));
	is(100, 200, 10, 3);
}

static void a_slice_that_reaches_out_is_cut(void)
{
	CU_ASSERT_TRUE(cut(150, 160));
	is(150, 160, 1, 0);
	CU_ASSERT_EQUAL(slice.left, CSG_LEFT_UNSEEN);
	CU_ASSERT_TRUE(cut(150, 1000));
	is(150, 200, 5, 2);
	CU_ASSERT_EQUAL(slice.left, CSG_LEFT_ERET);
	CU_ASSERT_TRUE(cut(0, 101));
	is(100, 101, 0, 0);
}

static void a_slice_outside_is_none(void)
{
	CU_ASSERT_FALSE(cut(0, 100));
	CU_ASSERT_FALSE(cut(200, 300));
	CU_ASSERT_FALSE(cut(150, 150));
}

static void windows_that_follow_each_other_add_up(void)
{
	for (uint64_t width = 1; width <= 100; width++) {
		uint64_t time = 0, instructions = 0, missing = 0;

		for (uint64_t at = 90; at < 210; at += width) {
			if (!cut(at, at + width))
				continue;
			time += slice.end - slice.begin;
			instructions += slice.instructions;
			missing += slice.missing;
		}
		CU_ASSERT_EQUAL(time, 100);
		CU_ASSERT_EQUAL(instructions, 10);
		CU_ASSERT_EQUAL(missing, 3);
	}
}

static void a_slice_without_a_length_lies_in_one_window(void)
{
	const struct csg_slice_window before = {0, 100}, after = {100, 200};
	struct csg_slice none = {.begin = 100, .end = 100, .instructions = 7};

	CU_ASSERT_FALSE(csg_slice_window_cut(&before, &none));
	CU_ASSERT_TRUE(csg_slice_window_cut(&after, &none));
	CU_ASSERT_EQUAL(none.instructions, 7);
}

static void windows_that_overlap_are_joined(void)
{
	struct csg_slice_window w[] = {{50, 60}, {10, 20}, {15, 17}, {20, 30}, {55, UINT64_MAX}};

	CU_ASSERT_EQUAL(csg_slice_windows_join(w, 0), 0);
	CU_ASSERT_EQUAL_FATAL(csg_slice_windows_join(w, 5), 2);
	CU_ASSERT_EQUAL(w[0].begin, 10);
	CU_ASSERT_EQUAL(w[0].end, 30);
	CU_ASSERT_EQUAL(w[1].begin, 50);
	CU_ASSERT_EQUAL(w[1].end, UINT64_MAX);
}

static void windows_share_a_time(void)
{
	struct csg_slice_window at[] = {{10, 20}, {30, UINT64_MAX}};
	const struct csg_slice_windows w = {at, 2}, none = {at, 0};

	CU_ASSERT_EQUAL(csg_slice_windows_share(&w, 0, 10), 0);
	CU_ASSERT_EQUAL(csg_slice_windows_share(&w, 15, 18), 3);
	CU_ASSERT_EQUAL(csg_slice_windows_share(&w, 15, 32), 7);
	CU_ASSERT_EQUAL(csg_slice_windows_share(&none, 15, 32), 0);
	CU_ASSERT_TRUE(csg_slice_windows_have(&w, 10) && csg_slice_windows_have(&w, 19));
	CU_ASSERT_FALSE(csg_slice_windows_have(&w, 20) || csg_slice_windows_have(&w, 9));
	CU_ASSERT_EQUAL(csg_slice_windows_share(&csg_slice_windows_all, 15, 32), 17);
}

static void a_time_is_cut(void)
{
	const struct csg_slice_window w = {10, 20};
	uint64_t begin = 5, end = 15, at = 20, early = 9;

	CU_ASSERT_TRUE(csg_slice_window_cut_time(&w, &begin, &end));
	CU_ASSERT_TRUE(begin == 10 && end == 15);
	/* Without a length it is where it begins. */
	CU_ASSERT_TRUE(csg_slice_window_cut_time(&w, &begin, &begin));
	CU_ASSERT_FALSE(csg_slice_window_cut_time(&w, &at, &at));
	CU_ASSERT_FALSE(csg_slice_window_cut_time(&w, &early, &begin));
}

static void windows_are_cut_to_a_span(void)
{
	struct csg_slice_window at[] = {{10, 20}, {30, 40}, {50, UINT64_MAX}};
	const struct csg_slice_windows w = {at, 3};
	struct csg_slice_windows parts;

	CU_ASSERT_EQUAL_FATAL(csg_slice_windows_within(&w, 20, 60, &parts), 0);
	CU_ASSERT_EQUAL_FATAL(parts.n, 2);
	CU_ASSERT_EQUAL(parts.at[0].begin, 30);
	CU_ASSERT_EQUAL(parts.at[1].end, 60);
	free(parts.at);
}

static void windows_are_made_of_times(void)
{
	struct csg_time_range r[] = {{50, 0}, {10, 20}};
	struct csg_time_ranges ranges = {r, 2, false};
	struct csg_slice_windows w;

	CU_ASSERT_EQUAL_FATAL(csg_slice_windows_make(&ranges, &w), 0);
	CU_ASSERT_EQUAL_FATAL(w.n, 2);
	CU_ASSERT_EQUAL(w.at[0].end, 20);
	CU_ASSERT_EQUAL(w.at[1].end, UINT64_MAX);
	free(w.at);
	/* The last nanosecond of a part is in it. */
	ranges.parts = true;
	CU_ASSERT_EQUAL_FATAL(csg_slice_windows_make(&ranges, &w), 0);
	CU_ASSERT_EQUAL(w.at[0].end, 21);
	free(w.at);
}

CSG_SUITE(timeline, slice_window, CSG_TEST(windows_share_a_time), CSG_TEST(a_time_is_cut),
	  CSG_TEST(windows_are_cut_to_a_span), CSG_TEST(windows_are_made_of_times),
	  CSG_TEST(a_slice_inside_stays_as_it_is), CSG_TEST(a_slice_that_reaches_out_is_cut),
	  CSG_TEST(a_slice_outside_is_none), CSG_TEST(windows_that_follow_each_other_add_up),
	  CSG_TEST(windows_that_overlap_are_joined),
	  CSG_TEST(a_slice_without_a_length_lies_in_one_window));
