/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/slice_window.h"

static struct csg_slice slice;

/* Down to the window of that number. */
static bool cut(const struct csg_slice_window *at, size_t n, uint32_t number, uint32_t counted)
{
	struct csg_slice_window windows[4];
	const struct csg_slice_windows all = {windows, n};

	memcpy(windows, at, n * sizeof(*at));
	slice = (struct csg_slice){.begin = 100,
				   .end = 200,
				   .instructions = 10,
				   .missing = 3,
				   .instrumented = 2,
				   .window = counted,
				   .left = CSG_LEFT_ERET};
	return csg_slice_window_cut(&all, number, &slice);
}

static bool cut_to(uint64_t begin, uint64_t end)
{
	const struct csg_slice_window window = {begin, end};

	return cut(&window, 1, 0, 0);
}

static void is(uint64_t begin, uint64_t end, bool counted)
{
	CU_ASSERT_EQUAL(slice.begin, begin);
	CU_ASSERT_EQUAL(slice.end, end);
	CU_ASSERT_EQUAL(slice.instructions, counted ? 10 : 0);
	CU_ASSERT_EQUAL(slice.missing, counted ? 3 : 0);
	CU_ASSERT_EQUAL(slice.instrumented, counted ? 2 : 0);
}

static void a_slice_inside_stays_as_it_is(void)
{
	CU_ASSERT_TRUE(cut_to(100, 200));
	is(100, 200, true);
	CU_ASSERT_EQUAL(slice.left, CSG_LEFT_ERET);
	CU_ASSERT_TRUE(cut_to(0, UINT64_MAX));
	is(100, 200, true);
}

static void time_is_cut_and_instructions_are_not(void)
{
	CU_ASSERT_TRUE(cut_to(150, 160));
	is(150, 160, true);
	CU_ASSERT_EQUAL(slice.left, CSG_LEFT_UNSEEN);
	CU_ASSERT_TRUE(cut_to(150, 1000));
	is(150, 200, true);
	CU_ASSERT_EQUAL(slice.left, CSG_LEFT_ERET);
	CU_ASSERT_TRUE(cut_to(0, 101));
	is(100, 101, true);
}

static void instructions_are_in_their_window_alone(void)
{
	const struct csg_slice_window two[] = {{0, 120}, {150, 300}};

	CU_ASSERT_TRUE(cut(two, 2, 0, 0));
	is(100, 120, true);
	CU_ASSERT_TRUE(cut(two, 2, 1, 0));
	is(150, 200, false);
	CU_ASSERT_TRUE(cut(two, 2, 0, 1));
	is(100, 120, false);
	CU_ASSERT_TRUE(cut(two, 2, 1, CSG_SLICE_NO_WINDOW));
	is(150, 200, false);
}

static void instructions_of_a_window_without_the_time_are_at_its_end(void)
{
	const struct csg_slice_window after[] = {{0, 90}, {200, 300}};

	CU_ASSERT_TRUE(cut(after, 2, 0, 0));
	is(90, 90, true);
	CU_ASSERT_EQUAL(slice.left, CSG_LEFT_UNSEEN);
	CU_ASSERT_FALSE(cut(after, 2, 1, 0));
	CU_ASSERT_TRUE(cut(after, 2, 1, 1));
	is(200, 200, true);
	CU_ASSERT_FALSE(cut(after, 2, 0, 1));
}

static void a_slice_outside_that_counts_nothing_is_none(void)
{
	const struct csg_slice_window windows[] = {{0, 100}, {200, 300}};
	const struct csg_slice_windows all = {(struct csg_slice_window *)windows, 2};
	struct csg_slice none = {.begin = 100, .end = 200};

	CU_ASSERT_FALSE(csg_slice_window_cut(&all, 0, &none));
	CU_ASSERT_FALSE(csg_slice_window_cut(&all, 1, &none));
	CU_ASSERT_FALSE(cut(windows, 2, 0, CSG_SLICE_NO_WINDOW));
}

static void windows_that_follow_each_other_add_up(void)
{
	for (uint64_t width = 1; width <= 100; width++) {
		struct csg_slice_window w[2] = {{90, 90 + width}, {90 + width, 300}};
		uint64_t time = 0, instructions = 0, missing = 0;

		for (uint32_t i = 0; i < 2; i++) {
			if (!cut(w, 2, i, width % 2))
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
	struct csg_slice_window at[] = {{0, 100}, {100, 200}};
	const struct csg_slice_windows windows = {at, 2};
	const struct csg_slice none = {.begin = 100, .end = 100};
	struct csg_slice s = none;

	CU_ASSERT_FALSE(csg_slice_window_cut(&windows, 0, &s));
	CU_ASSERT_TRUE(csg_slice_window_cut(&windows, 1, &s));
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
	struct csg_time_range r[] = {{50, UINT64_MAX}, {10, 20}};
	struct csg_time_ranges ranges = {r, 2};
	struct csg_slice_windows w;

	CU_ASSERT_EQUAL_FATAL(csg_slice_windows_make(&ranges, &w), 0);
	CU_ASSERT_EQUAL_FATAL(w.n, 2);
	CU_ASSERT_EQUAL(w.at[0].end, 20);
	CU_ASSERT_EQUAL(w.at[1].end, UINT64_MAX);
	CU_ASSERT_EQUAL(csg_slice_windows_find(&w, 60), 1);
	CU_ASSERT_EQUAL(csg_slice_windows_find(&w, 20), CSG_SLICE_NO_WINDOW);
	free(w.at);
}

CSG_SUITE(timeline, slice_window, CSG_TEST(windows_share_a_time), CSG_TEST(a_time_is_cut),
	  CSG_TEST(windows_are_cut_to_a_span), CSG_TEST(windows_are_made_of_times),
	  CSG_TEST(a_slice_inside_stays_as_it_is), CSG_TEST(time_is_cut_and_instructions_are_not),
	  CSG_TEST(instructions_are_in_their_window_alone),
	  CSG_TEST(instructions_of_a_window_without_the_time_are_at_its_end),
	  CSG_TEST(a_slice_outside_that_counts_nothing_is_none),
	  CSG_TEST(windows_that_follow_each_other_add_up),
	  CSG_TEST(windows_that_overlap_are_joined),
	  CSG_TEST(a_slice_without_a_length_lies_in_one_window));
