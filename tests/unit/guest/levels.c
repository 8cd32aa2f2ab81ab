/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/levels.h"

#include "suite.h"

static const struct csg_attribution_level levels[] = {
	{100, 200, CSG_PID_UNKNOWN, CSG_LEVEL_GUEST, false},
	{250, 300, CSG_PID_UNKNOWN, CSG_LEVEL_GUEST, false},
	{350, 400, 203, CSG_LEVEL_NESTED, true},
	{450, 500, CSG_PID_UNKNOWN, CSG_LEVEL_GUEST, true},
	{550, 600, CSG_PID_UNKNOWN, CSG_LEVEL_UNKNOWN, false},
	{620, 640, CSG_PID_UNKNOWN, CSG_LEVEL_GUEST, false},
	{650, 700, CSG_PID_UNKNOWN, CSG_LEVEL_GUEST, true},
};
static const struct csg_attribution_piece piece = {.levels = levels, .level_count = 7};

static struct csg_owner a_guest(void)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_GUEST;
	owner.vm = 500;
	owner.tid = 1201;
	owner.reason = CSG_REASON_NONE;
	owner.evidence = CSG_EVIDENCE_CONTEXTIDR_EL1;
	return owner;
}

static void a_level_is_between_its_borders(void)
{
	CU_ASSERT_PTR_EQUAL(csg_level_at(&piece, 101), &levels[0]);
	CU_ASSERT_PTR_NULL(csg_level_at(&piece, 100));
	CU_ASSERT_PTR_NULL(csg_level_at(&piece, 200));
	CU_ASSERT_PTR_EQUAL(csg_level_at(&piece, 399), &levels[2]);
	CU_ASSERT_PTR_NULL(csg_level_at(&piece, 700));
}

static void time_is_steady_beside_level_1_alone(void)
{
	CU_ASSERT_TRUE(csg_level_is_steady(&piece, 150));
	CU_ASSERT_TRUE(csg_level_is_steady(&piece, 220));
	CU_ASSERT_FALSE(csg_level_is_steady(&piece, 50));
	CU_ASSERT_FALSE(csg_level_is_steady(&piece, 320));
	CU_ASSERT_FALSE(csg_level_is_steady(&piece, 360));
	CU_ASSERT_FALSE(csg_level_is_steady(&piece, 420));
	CU_ASSERT_TRUE(csg_level_is_steady(&piece, 460));
	CU_ASSERT_FALSE(csg_level_is_steady(&piece, 520));
	CU_ASSERT_FALSE(csg_level_is_steady(&piece, 560));
	CU_ASSERT_FALSE(csg_level_is_steady(&piece, 645));
}

static void without_nesting_nothing_changes(void)
{
	const struct csg_when when = {.piece = &piece, .index = 360};
	struct csg_owner owner = a_guest(), before = owner;
	struct csg_facts facts = {.nests = false};

	CU_ASSERT_TRUE(csg_owner_by_level(&facts, &when, &owner));
	CU_ASSERT_TRUE(csg_owner_equal(&owner, &before));
}

static void threads_below_level_1_are_not_the_guests(void)
{
	const struct csg_when nested = {.piece = &piece, .index = 360};
	const struct csg_when unknown = {.piece = &piece, .index = 560};
	const struct csg_when guest = {.piece = &piece, .index = 150};
	struct csg_facts facts = {.nests = true};
	struct csg_owner owner = a_guest();

	CU_ASSERT_FALSE(csg_owner_by_level(&facts, &nested, &owner));
	CU_ASSERT_EQUAL(owner.level, CSG_LEVEL_NESTED);
	CU_ASSERT_EQUAL(owner.guest_tid, 203);
	CU_ASSERT_EQUAL(owner.nested, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_NESTED);
	owner = a_guest();
	CU_ASSERT_FALSE(csg_owner_by_level(&facts, &unknown, &owner));
	CU_ASSERT_EQUAL(owner.level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_LEVEL);
	owner = a_guest();
	owner.reason = CSG_REASON_CONFLICT;
	CU_ASSERT_FALSE(csg_owner_by_level(&facts, &nested, &owner));
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	owner = a_guest();
	CU_ASSERT_TRUE(csg_owner_by_level(&facts, &guest, &owner));
	CU_ASSERT_EQUAL(owner.level, CSG_LEVEL_GUEST);
	CU_ASSERT_EQUAL(owner.nested, CSG_VM_HOST);
	CU_ASSERT_EQUAL(owner.tid, 1201);
}

CSG_SUITE(guest, levels, CSG_TEST(a_level_is_between_its_borders),
	  CSG_TEST(time_is_steady_beside_level_1_alone), CSG_TEST(without_nesting_nothing_changes),
	  CSG_TEST(threads_below_level_1_are_not_the_guests));
