/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_breaks.h"

#include "suite.h"

#define PART (CSG_TIME_SLICE_GOES_ON)
#define BREAK (CSG_TIME_SLICE_GOES_ON | CSG_TIME_SLICE_BREAK)

static struct csg_time_slices slices;
static struct csg_time_slice_breaks breaks;

static void add(uint64_t begin, uint64_t end, uint8_t shown)
{
	const struct csg_border_sight sight = {.address = begin};

	CU_ASSERT_EQUAL(csg_time_slices_sight(&slices, &sight), 0);
	CU_ASSERT_EQUAL(csg_time_slices_add(&slices, begin, end, shown), 0);
}

static bool is(size_t i, uint64_t begin, uint64_t end, uint8_t shown, size_t seen)
{
	return i < slices.count && slices.slices[i].begin == begin && slices.slices[i].end == end &&
	       slices.shown[i] == shown && slices.seen[i] == seen;
}

/* A time slice before, and two that are divided at a break. */
static void begin(void)
{
	slices = (struct csg_time_slices){0};
	breaks = (struct csg_time_slice_breaks){.added = {.count = 0}};
	add(0, 10, CSG_TIME_SLICE_APART);
	add(10, 14, 0);
	add(14, 16, BREAK);
	add(16, 20, PART | CSG_TIME_SLICE_USER);
	add(20, 24, CSG_TIME_SLICE_GUEST);
	add(24, 26, BREAK);
	add(26, 30, PART);
	CU_ASSERT_EQUAL(csg_time_slice_breaks_join(&breaks, &slices, 0), 0);
}

static void end(void)
{
	csg_time_slice_breaks_fini(&breaks);
	csg_time_slices_fini(&slices);
}

static void joined_slices_are_whole(void)
{
	begin();
	CU_ASSERT_EQUAL(slices.count, 3);
	CU_ASSERT(is(0, 0, 10, CSG_TIME_SLICE_APART, 1));
	CU_ASSERT(is(1, 10, 20, CSG_TIME_SLICE_USER, 4));
	CU_ASSERT(is(2, 20, 30, CSG_TIME_SLICE_GUEST, 7));
	end();
}

static void what_contradicts_the_events_is_divided_again(void)
{
	int err;

	begin();
	slices.slices[2].events = CSG_TIME_SLICE_EVENTS_CONTRADICT;
	slices.slices[1].tid = 7;
	CU_ASSERT(csg_time_slice_breaks_divide(&breaks, &slices, 0, &err));
	CU_ASSERT_EQUAL(err, 0);
	CU_ASSERT_EQUAL(slices.count, 5);
	CU_ASSERT(is(1, 10, 20, CSG_TIME_SLICE_USER, 4));
	CU_ASSERT(is(2, 20, 24, CSG_TIME_SLICE_GUEST, 5));
	CU_ASSERT(is(3, 24, 26, BREAK, 6));
	CU_ASSERT(is(4, 26, 30, PART, 7));
	CU_ASSERT_EQUAL(slices.slices[1].tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(csg_time_slice_breaks_undo(&breaks, &slices, 0), 0);
	CU_ASSERT_EQUAL(slices.count, 3);
	CU_ASSERT_EQUAL(slices.slices[1].tid, 7);
	CU_ASSERT_EQUAL(slices.slices[2].events, CSG_TIME_SLICE_EVENTS_CONTRADICT);
	end();
}

static void where_no_slice_contradicts_none_is_divided(void)
{
	int err;

	begin();
	slices.slices[0].events = CSG_TIME_SLICE_EVENTS_CONTRADICT; /* it has no break */
	CU_ASSERT_FALSE(csg_time_slice_breaks_divide(&breaks, &slices, 0, &err));
	CU_ASSERT_EQUAL(err, 0);
	CU_ASSERT_EQUAL(slices.count, 3);
	CU_ASSERT_EQUAL(slices.slices[0].events, CSG_TIME_SLICE_EVENTS_CONTRADICT);
	end();
}

static void a_slice_that_is_over_is_cut(void)
{
	slices = (struct csg_time_slices){0};
	breaks = (struct csg_time_slice_breaks){.added = {.count = 0}};
	add(0, 10, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER);
	add(10, 20, 0);
	CU_ASSERT_EQUAL(csg_time_slice_breaks_cut(&slices, 0, 6, CSG_TIME_SLICE_APART, 0), 0);
	CU_ASSERT_EQUAL(slices.count, 3);
	CU_ASSERT(is(0, 0, 6, CSG_TIME_SLICE_APART, 0));
	CU_ASSERT(is(1, 6, 10, BREAK | CSG_TIME_SLICE_USER, 1));
	CU_ASSERT(is(2, 10, 20, 0, 2));
	end();
}

CSG_SUITE(guest_slices, time_slice_breaks, CSG_TEST(joined_slices_are_whole),
	  CSG_TEST(what_contradicts_the_events_is_divided_again),
	  CSG_TEST(where_no_slice_contradicts_none_is_divided),
	  CSG_TEST(a_slice_that_is_over_is_cut));
