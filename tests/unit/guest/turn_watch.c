/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_watch.h"

#include "suite.h"

#define SWITCH_TO UINT64_C(0xffff800080012340)
#define ELSEWHERE UINT64_C(0xffff800080056780)

static const struct csg_owner host = {.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL};
static const struct csg_owner user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .witness = CSG_WITNESS_VECTOR_BASE};
static const struct csg_owner default_user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .witness = CSG_WITNESS_POLICY_DEFAULT};
static const struct csg_owner guest = {.world = CSG_WORLD_GUEST};

static struct csg_turns turns;
static struct csg_turn_watch watch;

static void begin(void)
{
	turns = (struct csg_turns){0};
	watch = (struct csg_turn_watch){.turns = &turns, .switch_to = SWITCH_TO};
	csg_turn_watch_begin(&watch, 100);
}

static void range(uint64_t index, uint8_t el, uint64_t start, const struct csg_owner *owner)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_RANGE, .index = index, .el = el, .start = start};

	CU_ASSERT_EQUAL(csg_turn_watch_see(&watch, &e, owner), 0);
}

static void gap(uint64_t index, uint8_t el, enum csg_gap what)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_GAP, .index = index, .el = el, .gap = (uint8_t)what};

	CU_ASSERT_EQUAL(csg_turn_watch_see(&watch, &e, &host), 0);
}

static bool is(size_t i, uint64_t from, uint64_t until, uint8_t shown)
{
	return i < turns.count && turns.turns[i].begin == from && turns.turns[i].end == until &&
	       turns.shown[i] == shown;
}

static void end(size_t n)
{
	CU_ASSERT_EQUAL(csg_turn_watch_end(&watch), 0);
	CU_ASSERT_EQUAL(turns.count, n);
}

static void each_switch_ends_a_turn(void)
{
	begin();
	range(110, 2, ELSEWHERE, &host);
	range(120, 2, SWITCH_TO, &host);
	range(130, 1, ELSEWHERE, &guest);
	range(140, 2, SWITCH_TO, &host);
	range(150, 0, 0x400000, &user);
	end(3);
	CU_ASSERT(is(0, 100, 120, CSG_TURN_APART));
	CU_ASSERT(is(1, 120, 140, CSG_TURN_GUEST));
	CU_ASSERT(is(2, 140, 151, CSG_TURN_USER));
	csg_turns_fini(&turns);
}

static void only_the_hosts_kernel_switches_its_threads(void)
{
	begin();
	range(110, 1, SWITCH_TO, &guest); /* the same kernel in a guest */
	range(120, 2, SWITCH_TO + 4, &host);
	end(1);
	CU_ASSERT(is(0, 100, 121, CSG_TURN_APART | CSG_TURN_GUEST));
	csg_turns_fini(&turns);
}

static void a_default_shows_nothing(void)
{
	begin();
	range(110, 0, 0x400000, &default_user);
	end(1);
	CU_ASSERT(is(0, 100, 111, CSG_TURN_APART));
	csg_turns_fini(&turns);
}

static void what_may_hide_a_switch_sets_turns_apart(void)
{
	static const uint8_t kinds[] = {CSG_GAP_OVERFLOW, CSG_GAP_TRACE_ON, CSG_GAP_BUFFER,
					CSG_GAP_DISCARD,  CSG_GAP_NO_CODE,  CSG_GAP_DECODER};

	for (size_t i = 0; i < sizeof(kinds); i++) {
		begin();
		range(110, 2, ELSEWHERE, &host);
		gap(120, 2, (enum csg_gap)kinds[i]);
		gap(121, 2, CSG_GAP_OVERFLOW);
		range(130, 2, ELSEWHERE, &host);
		end(2);
		CU_ASSERT(is(0, 100, 120, CSG_TURN_APART));
		CU_ASSERT(is(1, 121, 131, CSG_TURN_APART));
		csg_turns_fini(&turns);
	}
}

static void code_that_is_missing_below_el2_hides_none(void)
{
	begin();
	range(110, 2, ELSEWHERE, &host);
	gap(120, 0, CSG_GAP_NO_OWNER);
	gap(130, 1, CSG_GAP_NO_CODE);
	range(140, 2, SWITCH_TO, &host);
	end(1);
	CU_ASSERT(is(0, 100, 140, CSG_TURN_APART));
	csg_turns_fini(&turns);
}

static void a_path_that_is_not_told_may_hide_a_switch(void)
{
	const struct csg_element q = {.kind = CSG_ELEMENT_RANGE_NOPATH, .index = 120, .el = 2};

	begin();
	range(110, 2, ELSEWHERE, &host);
	CU_ASSERT_EQUAL(csg_turn_watch_see(&watch, &q, &host), 0);
	range(130, 2, ELSEWHERE, &host);
	end(2);
	CU_ASSERT(is(1, 120, 131, CSG_TURN_APART));
	csg_turns_fini(&turns);
}

CSG_SUITE(guest, turn_watch, CSG_TEST(each_switch_ends_a_turn),
	  CSG_TEST(only_the_hosts_kernel_switches_its_threads), CSG_TEST(a_default_shows_nothing),
	  CSG_TEST(what_may_hide_a_switch_sets_turns_apart),
	  CSG_TEST(code_that_is_missing_below_el2_hides_none),
	  CSG_TEST(a_path_that_is_not_told_may_hide_a_switch));
