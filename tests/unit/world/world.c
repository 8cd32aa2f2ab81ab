/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/world.h"

#include "world/story.h"

static void a_changed_policy_holds_from_then_on(void)
{
	struct story s = begin_story(CSG_HV_NONE);

	at_el(&s, CSG_EL1, 7);
	csg_world_set_kind(&s.world, CSG_HV_KVM_VHE);
	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL1, 7);
	expect(&s, 10, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	expect(&s, 20, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 30, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void an_eret_that_its_symbol_contradicts_settles_nothing_until_it_agrees(void)
{
	struct reported reported;
	struct story s = begin_with_symbols(&reported);
	const struct csg_owner host = {.world = CSG_WORLD_HOST,
				       .evidence = CSG_EVIDENCE_VECTOR_BASE};
	struct csg_segment segment;

	csg_world_learn_entry(&s.world, HYP_VECTORS, CSG_EL0, &host);
	CU_ASSERT_EQUAL(reported.times, 1);
	CU_ASSERT_EQUAL(reported.last.kind, CSG_CONTRADICTION_ENTRY_ERET);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL2, 7);
	segment = next(&s);
	CU_ASSERT(segment.open);
	csg_world_entered(&s.world, &segment, HYP_VECTORS);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.reason, CSG_REASON_CONFLICT);
	csg_world_learn_entry(&s.world, HYP_VECTORS, CSG_EL1, NULL);
	segment.open = true;
	csg_world_entered(&s.world, &segment, HYP_VECTORS);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_GUEST);
	next(&s);
	end_story(&s);
}

static void an_entry_to_el3_tells_nothing_of_el0(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL3, HYP_VECTORS + 0x400);
	expect(&s, 50, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	expect(&s, 70, CSG_WORLD_FIRMWARE, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

#define KVM_ERET UINT64_C(0xffff800080099920)
#define HOST_ERET UINT64_C(0xffff8000800121f0)

/* An EL0 that nothing settles, entered from EL2. */
static struct csg_segment open_el0(struct story *s)
{
	at_el(s, CSG_EL2, 7);
	at_el(s, CSG_EL0, 7);
	at_el(s, CSG_EL2, 7);
	next(s);
	return next(s);
}

static void an_open_el0_is_settled_by_the_symbol_of_the_eret_that_entered_it(void)
{
	struct reported reported;
	struct story s = begin_with_symbols(&reported);
	struct csg_segment segment = open_el0(&s);

	CU_ASSERT(segment.open);
	csg_world_entered(&s.world, &segment, KVM_ERET);
	CU_ASSERT_EQUAL(segment.owner.evidence,
			CSG_EVIDENCE_POLICY_DEFAULT | CSG_EVIDENCE_CONTEXTIDR_EL2);
	csg_world_entered(&s.world, &segment, HYP_VECTORS);
	CU_ASSERT_FALSE(segment.open);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(segment.owner.host_tid, 7);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.evidence,
			CSG_EVIDENCE_ENTRY_ERET | CSG_EVIDENCE_CONTEXTIDR_EL2);
	segment = open_el0(&s);
	csg_world_entered(&s.world, &segment, HOST_VECTORS);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(segment.owner.tid, 7);
	next(&s);
	end_story(&s);
}

/* It may serve processes as well as guests. */
static void an_eret_that_has_entered_guests_or_processes_does_not_settle_who_is_next(void)
{
	const struct csg_owner host = {.world = CSG_WORLD_HOST,
				       .evidence = CSG_EVIDENCE_VECTOR_BASE};
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment;

	csg_world_learn_entry(&s.world, KVM_ERET, CSG_EL1, NULL);
	csg_world_learn_entry(&s.world, HOST_ERET, CSG_EL0, &host);
	segment = open_el0(&s);
	csg_world_entered(&s.world, &segment, KVM_ERET);
	CU_ASSERT(segment.open);
	csg_world_entered(&s.world, &segment, HOST_ERET);
	CU_ASSERT(segment.open);
	next(&s);
	end_story(&s);
}

static void a_default_teaches_nothing_of_erets(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment = open_el0(&s);

	csg_world_learn_entry(&s.world, HOST_ERET, CSG_EL0, &segment.owner);
	csg_world_entered(&s.world, &segment, HOST_ERET);
	CU_ASSERT(segment.open);
	next(&s);
	end_story(&s);
}

static void what_is_settled_stays_so(void)
{
	struct story s = begin_with_known_vectors();
	struct csg_segment segment;

	csg_world_learn_entry(&s.world, KVM_ERET, CSG_EL1, NULL);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	segment = next(&s);
	CU_ASSERT_FALSE(segment.open);
	csg_world_entered(&s.world, &segment, KVM_ERET);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	next(&s);
	end_story(&s);
}

CSG_SUITE(world, world, CSG_TEST(a_changed_policy_holds_from_then_on),
	  CSG_TEST(an_eret_that_its_symbol_contradicts_settles_nothing_until_it_agrees),
	  CSG_TEST(an_entry_to_el3_tells_nothing_of_el0),
	  CSG_TEST(an_open_el0_is_settled_by_the_symbol_of_the_eret_that_entered_it),
	  CSG_TEST(an_eret_that_has_entered_guests_or_processes_does_not_settle_who_is_next),
	  CSG_TEST(a_default_teaches_nothing_of_erets), CSG_TEST(what_is_settled_stays_so));
