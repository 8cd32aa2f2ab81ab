/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"
#include "world/ran.h"

static void say(struct csg_ran *ran, enum csg_track_kind kind, enum csg_el el,
		enum csg_security security)
{
	const struct csg_track_event event = {
		.kind = (uint8_t)kind,
		.context = {.el = (uint8_t)el, .security = (uint8_t)security}};

	csg_ran_event(ran, &event);
}

static void at(struct csg_ran *ran, enum csg_el el)
{
	say(ran, CSG_TRACK_CONTEXT, el, CSG_NON_SECURE);
}

static void a_level_left_for_another_has_run(void)
{
	struct csg_ran ran;

	csg_ran_init(&ran);
	at(&ran, CSG_EL1);
	at(&ran, CSG_EL2);
	CU_ASSERT_FALSE(csg_ran_at(&ran, CSG_EL2));
	at(&ran, CSG_EL1);
	CU_ASSERT(csg_ran_at(&ran, CSG_EL2));
	CU_ASSERT(csg_ran_at(&ran, CSG_EL1));
	CU_ASSERT_FALSE(csg_ran_at(&ran, CSG_EL0));
}

static void the_target_of_an_exception_that_is_not_traced_has_not_run(void)
{
	struct csg_ran ran;

	csg_ran_init(&ran);
	for (int i = 0; i < 3; i++) {
		at(&ran, CSG_EL1);
		at(&ran, CSG_EL2);
		say(&ran, CSG_TRACK_TRACE_ON, CSG_EL2, CSG_NON_SECURE);
	}
	at(&ran, CSG_EL1);
	CU_ASSERT_FALSE(csg_ran_at(&ran, CSG_EL2));
}

static void a_gap_proves_nothing(void)
{
	struct csg_ran ran;

	csg_ran_init(&ran);
	at(&ran, CSG_EL2);
	say(&ran, CSG_TRACK_GAP, CSG_EL_UNKNOWN, CSG_SECURITY_UNKNOWN);
	at(&ran, CSG_EL1);
	CU_ASSERT_EQUAL(ran.seen, 0);
}

static void a_context_stated_again_is_not_left(void)
{
	struct csg_ran ran;

	csg_ran_init(&ran);
	at(&ran, CSG_EL2);
	at(&ran, CSG_EL2);
	CU_ASSERT_EQUAL(ran.seen, 0);
}

static void a_return_from_an_exception_proves_its_level(void)
{
	struct csg_ran ran;

	csg_ran_init(&ran);
	say(&ran, CSG_TRACK_ERET, CSG_EL2, CSG_NON_SECURE);
	CU_ASSERT_EQUAL(ran.seen, 0);
	at(&ran, CSG_EL2);
	say(&ran, CSG_TRACK_ERET, CSG_EL2, CSG_NON_SECURE);
	CU_ASSERT_EQUAL(ran.seen, 1 << CSG_EL2);
}

static void atoms_prove_their_level(void)
{
	struct csg_ran ran;

	csg_ran_init(&ran);
	csg_ran_atoms(&ran);
	at(&ran, CSG_EL2);
	say(&ran, CSG_TRACK_TRACE_ON, CSG_EL2, CSG_NON_SECURE);
	csg_ran_atoms(&ran);
	CU_ASSERT_EQUAL(ran.seen, 0);
	at(&ran, CSG_EL2);
	csg_ran_atoms(&ran);
	CU_ASSERT_EQUAL(ran.seen, 1 << CSG_EL2);
}

static void secure_levels_do_not_count(void)
{
	struct csg_ran ran;

	csg_ran_init(&ran);
	say(&ran, CSG_TRACK_CONTEXT, CSG_EL2, CSG_SECURE);
	at(&ran, CSG_EL1);
	CU_ASSERT_EQUAL(ran.seen, 0);
}

CSG_SUITE(world, ran, CSG_TEST(a_level_left_for_another_has_run),
	  CSG_TEST(the_target_of_an_exception_that_is_not_traced_has_not_run),
	  CSG_TEST(a_gap_proves_nothing), CSG_TEST(a_context_stated_again_is_not_left),
	  CSG_TEST(a_return_from_an_exception_proves_its_level), CSG_TEST(atoms_prove_their_level),
	  CSG_TEST(secure_levels_do_not_count));
