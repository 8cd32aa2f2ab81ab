/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_match.h"

#include "five_intervals.h"

static void as_many_slices_as_intervals_are_theirs(void)
{
	static const uint8_t shown[5] = {CSG_TIME_SLICE_APART};
	static const int32_t tids[] = {11, 0, 22, 0, 33};

	MATCH(shown, tids, 100, 600);
}

static void more_slices_than_intervals_are_nobodys(void)
{
	static const uint8_t shown[6] = {CSG_TIME_SLICE_APART};
	static const int32_t nobody[] = {-1, -1, -1, -1, -1, -1};

	MATCH(shown, nobody, 100, 600);
}

static void where_records_are_missing_nothing_is_concluded(void)
{
	static const uint8_t shown[1] = {CSG_TIME_SLICE_APART};
	static const int32_t nobody[] = {-1}, first[] = {11};
	struct csg_residency r;
	struct csg_time_slices t;

	MATCH(shown, first, 110, 150);
	MATCH(shown, nobody, 90, 150);
	MATCH(shown, nobody, 0, 150);
	MATCH(shown, nobody, 110, 601);
	five_intervals(&r);
	csg_residency_lost(&r, CPU);
	csg_residency_seen(&r, CPU, 700, 33, 33);
	show(&t, shown, 1);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, 550, 700), 0);
	CU_ASSERT(named(&t, nobody));
	csg_time_slices_fini(&t);
	csg_residency_fini(&r);
}

static void found_times_are_those_of_all_intervals_that_it_may_be(void)
{
	static const uint8_t shown[4] = {CSG_TIME_SLICE_APART, CSG_TIME_SLICE_USER};
	static const uint8_t open[4] = {CSG_TIME_SLICE_APART};
	struct csg_residency r;
	struct csg_time_slices t;

	five_intervals(&r);
	show(&t, shown, 4);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, 100, 600), 0);
	CU_ASSERT_EQUAL(t.times[1].from, 310);
	CU_ASSERT_EQUAL(t.times[1].until, 400);
	csg_time_slices_fini(&t);
	show(&t, open, 4);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, 100, 600), 0);
	CU_ASSERT_EQUAL(t.times[1].from, 210);
	CU_ASSERT_EQUAL(t.times[1].until, 400);
	csg_time_slices_fini(&t);
	show(&t, open, 4);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, 100, 700), 0);
	CU_ASSERT(t.times[1].from > t.times[1].until);
	csg_time_slices_fini(&t);
	csg_residency_fini(&r);
}

CSG_SUITE(guest_slices, time_slice_match, CSG_TEST(as_many_slices_as_intervals_are_theirs),
	  CSG_TEST(more_slices_than_intervals_are_nobodys),
	  CSG_TEST(where_records_are_missing_nothing_is_concluded),
	  CSG_TEST(found_times_are_those_of_all_intervals_that_it_may_be));
