/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_breaks.h"

#include "suite.h"

#define PART (CSG_TURN_GOES_ON)
#define BREAK (CSG_TURN_GOES_ON | CSG_TURN_BREAK)

static struct csg_turns turns;
static struct csg_turn_breaks breaks;

static void add(uint64_t begin, uint64_t end, uint8_t shown)
{
	const struct csg_border_sight sight = {.address = begin};

	CU_ASSERT_EQUAL(csg_turns_sight(&turns, &sight), 0);
	CU_ASSERT_EQUAL(csg_turns_add(&turns, begin, end, shown), 0);
}

static bool is(size_t i, uint64_t begin, uint64_t end, uint8_t shown, size_t seen)
{
	return i < turns.count && turns.turns[i].begin == begin && turns.turns[i].end == end &&
	       turns.shown[i] == shown && turns.seen[i] == seen;
}

/* A turn before, and two that are divided at a break. */
static void begin(void)
{
	turns = (struct csg_turns){0};
	breaks = (struct csg_turn_breaks){.added = {.count = 0}};
	add(0, 10, CSG_TURN_APART);
	add(10, 14, 0);
	add(14, 16, BREAK);
	add(16, 20, PART | CSG_TURN_USER);
	add(20, 24, CSG_TURN_GUEST);
	add(24, 26, BREAK);
	add(26, 30, PART);
	CU_ASSERT_EQUAL(csg_turn_breaks_join(&breaks, &turns, 0), 0);
}

static void end(void)
{
	csg_turn_breaks_fini(&breaks);
	csg_turns_fini(&turns);
}

static void joined_turns_are_whole(void)
{
	begin();
	CU_ASSERT_EQUAL(turns.count, 3);
	CU_ASSERT(is(0, 0, 10, CSG_TURN_APART, 1));
	CU_ASSERT(is(1, 10, 20, CSG_TURN_USER, 4));
	CU_ASSERT(is(2, 20, 30, CSG_TURN_GUEST, 7));
	end();
}

static void what_contradicts_the_events_is_divided_again(void)
{
	int err;

	begin();
	turns.turns[2].events = CSG_TURN_EVENTS_CONTRADICT;
	turns.turns[1].tid = 7;
	CU_ASSERT(csg_turn_breaks_divide(&breaks, &turns, 0, &err));
	CU_ASSERT_EQUAL(err, 0);
	CU_ASSERT_EQUAL(turns.count, 5);
	CU_ASSERT(is(1, 10, 20, CSG_TURN_USER, 4));
	CU_ASSERT(is(2, 20, 24, CSG_TURN_GUEST, 5));
	CU_ASSERT(is(3, 24, 26, BREAK, 6));
	CU_ASSERT(is(4, 26, 30, PART, 7));
	CU_ASSERT_EQUAL(turns.turns[1].tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(csg_turn_breaks_undo(&breaks, &turns, 0), 0);
	CU_ASSERT_EQUAL(turns.count, 3);
	CU_ASSERT_EQUAL(turns.turns[1].tid, 7);
	CU_ASSERT_EQUAL(turns.turns[2].events, CSG_TURN_EVENTS_CONTRADICT);
	end();
}

static void where_no_turn_contradicts_none_is_divided(void)
{
	int err;

	begin();
	turns.turns[0].events = CSG_TURN_EVENTS_CONTRADICT; /* it has no break */
	CU_ASSERT_FALSE(csg_turn_breaks_divide(&breaks, &turns, 0, &err));
	CU_ASSERT_EQUAL(err, 0);
	CU_ASSERT_EQUAL(turns.count, 3);
	CU_ASSERT_EQUAL(turns.turns[0].events, CSG_TURN_EVENTS_CONTRADICT);
	end();
}

static void a_turn_that_is_over_is_cut(void)
{
	turns = (struct csg_turns){0};
	breaks = (struct csg_turn_breaks){.added = {.count = 0}};
	add(0, 10, CSG_TURN_APART | CSG_TURN_USER);
	add(10, 20, 0);
	CU_ASSERT_EQUAL(csg_turn_breaks_cut(&turns, 0, 6, CSG_TURN_APART, 0), 0);
	CU_ASSERT_EQUAL(turns.count, 3);
	CU_ASSERT(is(0, 0, 6, CSG_TURN_APART, 0));
	CU_ASSERT(is(1, 6, 10, BREAK | CSG_TURN_USER, 1));
	CU_ASSERT(is(2, 10, 20, 0, 2));
	end();
}

CSG_SUITE(guest, turn_breaks, CSG_TEST(joined_turns_are_whole),
	  CSG_TEST(what_contradicts_the_events_is_divided_again),
	  CSG_TEST(where_no_turn_contradicts_none_is_divided),
	  CSG_TEST(a_turn_that_is_over_is_cut));
