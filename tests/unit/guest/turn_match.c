/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_match.h"

#include "five_stays.h"

static void as_many_turns_as_stays_are_theirs(void)
{
	static const uint8_t shown[5] = {CSG_TURN_APART};
	static const int32_t tids[] = {11, 0, 22, 0, 33};

	MATCH(shown, tids, 100, 600);
}

static void more_turns_than_stays_are_nobodys(void)
{
	static const uint8_t shown[6] = {CSG_TURN_APART};
	static const int32_t nobody[] = {-1, -1, -1, -1, -1, -1};

	MATCH(shown, nobody, 100, 600);
}

static void where_records_are_missing_nothing_is_concluded(void)
{
	static const uint8_t shown[1] = {CSG_TURN_APART};
	static const int32_t nobody[] = {-1}, first[] = {11};
	struct csg_residency r;
	struct csg_turns t;

	MATCH(shown, first, 110, 150);
	MATCH(shown, nobody, 90, 150);
	MATCH(shown, nobody, 0, 150);
	MATCH(shown, nobody, 110, 601);
	five_stays(&r);
	csg_residency_lost(&r, CPU);
	csg_residency_seen(&r, CPU, 700, 33, 33);
	show(&t, shown, 1);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 550, 700), 0);
	CU_ASSERT(named(&t, nobody));
	csg_turns_fini(&t);
	csg_residency_fini(&r);
}

static void found_times_are_those_of_all_stays_that_it_may_be(void)
{
	static const uint8_t shown[4] = {CSG_TURN_APART, CSG_TURN_USER};
	static const uint8_t open[4] = {CSG_TURN_APART};
	struct csg_residency r;
	struct csg_turns t;

	five_stays(&r);
	show(&t, shown, 4);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 600), 0);
	CU_ASSERT_EQUAL(t.times[1].from, 310);
	CU_ASSERT_EQUAL(t.times[1].until, 400);
	csg_turns_fini(&t);
	show(&t, open, 4);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 600), 0);
	CU_ASSERT_EQUAL(t.times[1].from, 210);
	CU_ASSERT_EQUAL(t.times[1].until, 400);
	csg_turns_fini(&t);
	show(&t, open, 4);
	CU_ASSERT_EQUAL(csg_turns_match(&t, 0, &r, &nothing_told, CPU, 100, 700), 0);
	CU_ASSERT(t.times[1].from > t.times[1].until);
	csg_turns_fini(&t);
	csg_residency_fini(&r);
}

CSG_SUITE(guest, turn_match, CSG_TEST(as_many_turns_as_stays_are_theirs),
	  CSG_TEST(more_turns_than_stays_are_nobodys),
	  CSG_TEST(where_records_are_missing_nothing_is_concluded),
	  CSG_TEST(found_times_are_those_of_all_stays_that_it_may_be));
