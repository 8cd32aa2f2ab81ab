/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/offsets.h"

#include "suite.h"

/* CNTVOFF of VM 5 was seen to lie between low and high, all the time. */
static void see(struct csg_offsets *o, uint64_t from, uint64_t until, int64_t low, int64_t high)
{
	const struct csg_offset_period seen = {.from = from,
					       .until = until,
					       .offset = {low, high},
					       .loads = low != CSG_OFFSET_MIN,
					       .puts = high != CSG_OFFSET_MAX,
					       .sources = CSG_OFFSET_BY_TRACE};

	CU_ASSERT_EQUAL(csg_offsets_observe(o, 5, &seen), 0);
}

static bool is(const struct csg_offsets *o, uint64_t time, int64_t low, int64_t high)
{
	struct csg_offset offset;

	return csg_offsets_find(o, 5, time, &offset) && offset.low == low && offset.high == high;
}

static bool known(const struct csg_offsets *o, uint64_t time)
{
	struct csg_offset offset;

	return csg_offsets_find(o, 5, time, &offset);
}

static void observations_that_agree_meet_in_one_interval(void)
{
	struct csg_offsets o = {0};

	CU_ASSERT_FALSE(known(&o, 10));
	see(&o, 10, 20, 900, 1000);
	see(&o, 30, 40, 950, 1050);
	see(&o, 0, 5, 940, 990);
	CU_ASSERT_TRUE(is(&o, 12, 950, 990));
	CU_ASSERT_TRUE(is(&o, 0, 950, 990));
	CU_ASSERT_TRUE(is(&o, 100, 950, 990));
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->count, 1);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->periods[0].from, 0);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->periods[0].until, 40);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->periods[0].loads, 3);
	CU_ASSERT_PTR_NULL(csg_offsets_of(&o, 6));
	csg_offsets_fini(&o);
}

static void one_that_agrees_with_no_neighbour_is_a_change(void)
{
	struct csg_offsets o = {0};

	see(&o, 10, 20, 900, 1000);
	see(&o, 50, 60, -70, -60);
	see(&o, 30, 35, 920, 1000);
	see(&o, 65, 66, -68, 50);
	CU_ASSERT_TRUE(is(&o, 15, 920, 1000));
	CU_ASSERT_TRUE(is(&o, 35, 920, 1000));
	CU_ASSERT_FALSE(known(&o, 40)); /* somewhere here it changes */
	CU_ASSERT_TRUE(is(&o, 50, -68, -60));
	CU_ASSERT_TRUE(is(&o, 1000, -68, -60));
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->count, 2);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->contradictions, 0);
	/* It fits on both sides of the change: it says nothing. */
	see(&o, 41, 42, -1000, 1000);
	CU_ASSERT_FALSE(known(&o, 41));
	csg_offsets_fini(&o);
}

static void one_that_disagrees_within_a_piece_makes_it_unknown(void)
{
	struct csg_offsets o = {0};

	see(&o, 10, 20, 900, 1000);
	see(&o, 50, 60, 900, 1000);
	see(&o, 30, 40, 2000, 2100);
	CU_ASSERT_FALSE(known(&o, 15));
	CU_ASSERT_FALSE(known(&o, 55));
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->contradictions, 1);
	csg_offsets_fini(&o);
}

static void a_bound_on_one_side_tightens_and_does_not_last(void)
{
	struct csg_offsets o = {0};

	see(&o, 10, 20, 900, 1000);
	see(&o, 30, 40, 950, CSG_OFFSET_MAX);
	CU_ASSERT_TRUE(is(&o, 15, 950, 1000));
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->periods[0].until, 20);
	/* It contradicts: the offset has changed by then. */
	see(&o, 50, 60, 2000, CSG_OFFSET_MAX);
	CU_ASSERT_TRUE(is(&o, 15, 950, 1000));
	CU_ASSERT_TRUE(is(&o, 55, 2000, CSG_OFFSET_MAX));
	see(&o, 70, 80, 1990, 2010);
	CU_ASSERT_TRUE(is(&o, 75, 2000, 2010));
	csg_offsets_fini(&o);
}

static void say(struct csg_offsets *o, int64_t offset)
{
	const struct csg_offset_period said = {
		.until = UINT64_MAX, .offset = {offset, offset}, .sources = CSG_OFFSET_BY_USER};

	CU_ASSERT_EQUAL(csg_offsets_observe(o, 5, &said), 0);
}

static void what_the_user_says_is_believed(void)
{
	struct csg_offsets o = {0};

	say(&o, 77);
	CU_ASSERT_TRUE(is(&o, 15, 77, 77));
	see(&o, 30, 40, 70, 80);
	see(&o, 50, 60, 75, CSG_OFFSET_MAX);
	CU_ASSERT_TRUE(is(&o, 15, 77, 77));
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->contradictions, 0);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->periods[0].sources,
			CSG_OFFSET_BY_USER | CSG_OFFSET_BY_TRACE);
	CU_ASSERT_FALSE(csg_offsets_of(&o, 5)->refuted);
	say(&o, 78);
	CU_ASSERT_TRUE(is(&o, 15, 78, 78));
	csg_offsets_fini(&o);
}

static void what_contradicts_the_user_takes_the_place_of_what_was_said(void)
{
	struct csg_offsets o = {0};

	say(&o, 77);
	see(&o, 10, 20, 60, 80);
	see(&o, 30, 40, 70, 76);
	CU_ASSERT_TRUE(is(&o, 15, 70, 76));
	CU_ASSERT_TRUE(csg_offsets_of(&o, 5)->refuted);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->said, 77);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->evidence.offset.high, 76);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->evidence.from, 30);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->contradictions, 1);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->periods[0].sources, CSG_OFFSET_BY_TRACE);
	see(&o, 30, 40, 72, 80);
	CU_ASSERT_TRUE(is(&o, 15, 72, 76));
	csg_offsets_fini(&o);
}

static void what_was_seen_before_contradicts_the_user_as_well(void)
{
	struct csg_offsets o = {0};

	see(&o, 10, 20, 60, 70);
	say(&o, 77);
	CU_ASSERT_TRUE(is(&o, 15, 60, 70));
	CU_ASSERT_TRUE(csg_offsets_of(&o, 5)->refuted);
	say(&o, 65);
	CU_ASSERT_TRUE(is(&o, 15, 65, 65));
	CU_ASSERT_FALSE(csg_offsets_of(&o, 5)->refuted);
	csg_offsets_fini(&o);
}

static void whoever_observes_does_not_rest_on_what_the_user_said(void)
{
	struct csg_offset offset;
	struct csg_offsets o = {0};

	say(&o, 77);
	CU_ASSERT_FALSE(csg_offsets_find_shown(&o, 5, 15, &offset));
	see(&o, 10, 20, 60, 80);
	CU_ASSERT_TRUE(csg_offsets_find_shown(&o, 5, 15, &offset));
	CU_ASSERT_EQUAL(offset.low, 60);
	CU_ASSERT_EQUAL(offset.high, 80);
	CU_ASSERT_TRUE(is(&o, 15, 77, 77));
	see(&o, 10, 20, 60, 70);
	CU_ASSERT_TRUE(csg_offsets_find_shown(&o, 5, 15, &offset));
	CU_ASSERT_EQUAL(offset.high, 70);
	CU_ASSERT_FALSE(csg_offsets_find_shown(&o, 6, 15, &offset));
	csg_offsets_fini(&o);
}

static void one_that_reaches_over_two_pieces_joins_them(void)
{
	struct csg_offsets o = {0};

	see(&o, 10, 20, 900, 950);
	see(&o, 30, 40, 960, 1000);
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->count, 2);
	see(&o, 15, 35, 0, 2000); /* agrees with each, yet it cannot have changed meanwhile */
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->count, 1);
	CU_ASSERT_FALSE(known(&o, 15));
	csg_offsets_fini(&o);
}

static void an_empty_interval_is_a_contradiction(void)
{
	struct csg_offsets o = {0};

	see(&o, 10, 20, 50, 40);
	CU_ASSERT_FALSE(known(&o, 15));
	CU_ASSERT_EQUAL(csg_offsets_of(&o, 5)->contradictions, 1);
	csg_offsets_fini(&o);
}

CSG_SUITE(clock, offsets, CSG_TEST(observations_that_agree_meet_in_one_interval),
	  CSG_TEST(one_that_agrees_with_no_neighbour_is_a_change),
	  CSG_TEST(one_that_disagrees_within_a_piece_makes_it_unknown),
	  CSG_TEST(a_bound_on_one_side_tightens_and_does_not_last),
	  CSG_TEST(what_the_user_says_is_believed),
	  CSG_TEST(what_contradicts_the_user_takes_the_place_of_what_was_said),
	  CSG_TEST(what_was_seen_before_contradicts_the_user_as_well),
	  CSG_TEST(whoever_observes_does_not_rest_on_what_the_user_said),
	  CSG_TEST(one_that_reaches_over_two_pieces_joins_them),
	  CSG_TEST(an_empty_interval_is_a_contradiction));
