/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/vhe.h"

#include "world/story.h"

static void el0_entered_from_el1_is_the_guests(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	at_el(&s, CSG_EL0, 7);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	expect(&s, 10, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_EVIDENCE_NEIGHBOUR_EL);
	end_story(&s);
}

static void el0_entered_from_el2_stays_open_until_it_is_left(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 20);
	expect(&s, 10, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	CU_ASSERT_EQUAL(next(&s).index, UINT64_MAX);
	at_el(&s, CSG_EL1, 7);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_EVIDENCE_NEIGHBOUR_EL);
	expect(&s, 30, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void el0_between_two_el2_is_the_host_by_default(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL2, 7);
	expect(&s, 10, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	expect(&s, 30, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void a_neighbour_after_trace_on_is_none(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	trace_on(&s);
	at_el(&s, CSG_EL0, 7);
	trace_on(&s);
	at_el(&s, CSG_EL1, 7);
	expect(&s, 10, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 30, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	expect(&s, 40, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	expect(&s, 50, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void a_context_left_out_after_trace_on_still_holds(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	trace_on(&s);
	address(&s);
	at_el(&s, CSG_EL1, 7);
	next(&s);
	expect(&s, 20, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	/* What ran after Trace On was left to EL1 without a gap. */
	expect(&s, 30, CSG_WORLD_GUEST, CSG_EVIDENCE_NEIGHBOUR_EL);
	expect(&s, 50, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void after_overflow_nobody_runs_until_a_context(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment gap;

	at_el(&s, CSG_EL1, 7);
	overflow(&s);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL2, 7);
	next(&s);
	gap = next(&s);
	CU_ASSERT_EQUAL(gap.index, 20);
	CU_ASSERT_FALSE(gap.at_context);
	CU_ASSERT_EQUAL(gap.owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(gap.owner.reason, CSG_REASON_NO_CONTEXT);
	expect(&s, 30, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	expect(&s, 40, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void a_context_stated_again_changes_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL1, 7);
	next(&s);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_EVIDENCE_NEIGHBOUR_EL);
	expect(&s, 40, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void el0_that_leaves_to_the_guest_vectors_is_the_guests(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x600);
	expect(&s, 50, CSG_WORLD_GUEST, CSG_EVIDENCE_VECTOR_BASE);
	expect(&s, 70, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void el0_that_leaves_to_other_vectors_is_the_hosts(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	expect(&s, 50, CSG_WORLD_HOST, CSG_EVIDENCE_VECTOR_BASE);
	expect(&s, 70, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

static void while_the_guest_vectors_are_not_known_a_target_proves_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x600);
	next(&s);
	expect(&s, 20, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	next(&s);
	end_story(&s);
}

static void the_exit_of_a_guests_el0_shows_the_vectors_too(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x600);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x680);
	for (int i = 0; i < 3; i++)
		next(&s);
	expect(&s, 60, CSG_WORLD_GUEST, CSG_EVIDENCE_VECTOR_BASE);
	next(&s);
	end_story(&s);
}

static void faults_inside_hyp_code_teach_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION});
	say(&s,
	    (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = HOST_VECTORS + 0x200});
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	next(&s);
	expect(&s, 40, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	next(&s);
	end_story(&s);
}

static void an_exception_cut_off_by_a_gap_settles_nothing(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION});
	at_el(&s, CSG_EL2, 7);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 50);
	trace_on(&s);
	expect(&s, 50, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	next(&s);
	next(&s);
	end_story(&s);
}

static void vectors_are_remembered_across_gaps(void)
{
	struct story s = begin_with_known_vectors();

	overflow(&s);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x680);
	next(&s);
	expect(&s, 60, CSG_WORLD_GUEST, CSG_EVIDENCE_VECTOR_BASE);
	next(&s);
	end_story(&s);
}

static void an_exit_that_its_symbol_contradicts_is_reported_and_does_not_last(void)
{
	struct reported reported;
	struct story s = begin_with_symbols(&reported);

	at_el(&s, CSG_EL1, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	CU_ASSERT_EQUAL(reported.times, 1);
	CU_ASSERT_EQUAL(reported.last.kind, CSG_CONTRADICTION_EXIT_VECTORS);
	CU_ASSERT_EQUAL(reported.last.begin, 10);
	CU_ASSERT_EQUAL(reported.last.end, 20);
	next(&s);
	next(&s);
	/* Up to the next exit that agrees with the symbols EL0 is nobody's. */
	expect_el0(&s, HOST_VECTORS + 0x400, CSG_WORLD_UNKNOWN, 0);
	CU_ASSERT_EQUAL(reported.last.begin, 10);
	CU_ASSERT_EQUAL(reported.last.end, 60);
	expect_el0(&s, HOST_VECTORS + 0x400, CSG_WORLD_HOST, CSG_EVIDENCE_VECTOR_BASE);
	expect_el0(&s, HYP_VECTORS + 0x400, CSG_WORLD_GUEST, CSG_EVIDENCE_VECTOR_BASE);
	CU_ASSERT_EQUAL(reported.times, 2);
	end_story(&s);
}

static void what_is_no_vector_tells_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x44);
	CU_ASSERT_FALSE(csg_exit_vectors_known(&s.world.exit_vectors));
	next(&s);
	next(&s);
	s.world.exit_vectors.guest = (struct csg_exit_base){.base = HYP_VECTORS, .exits = 1};
	expect_el0(&s, HOST_VECTORS + 0x44, CSG_WORLD_HOST, CSG_EVIDENCE_POLICY_DEFAULT);
	end_story(&s);
}

#define KVM_VECTORS UINT64_C(0xffff800080000800)

static enum csg_world hyp_vectors(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	(void)arg;
	return kind == CSG_EXIT_VECTORS && address == KVM_VECTORS ? CSG_WORLD_GUEST
								  : CSG_WORLD_HOST;
}

static void address_at(struct story *s, uint64_t address)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = address});
}

/* Whether the trace that goes on at address of el shows that a guest ran; stated: with a
 * context. */
static bool guest_before(enum csg_hypervisor kind, bool stated, enum csg_el el, uint64_t address)
{
	const struct csg_landmark_names names = {.of = hyp_vectors};
	struct story s = begin_story(kind);
	struct csg_segment segment;
	bool guest = false;
	uint64_t on;

	s.world.landmarks.names = &names;
	at_el(&s, el, 7);
	address_at(&s, 0x400000);
	trace_on(&s);
	on = s.index;
	if (stated)
		at_el(&s, el, 7);
	address_at(&s, address);
	/* Only the first address tells. */
	address_at(&s, KVM_VECTORS + 0x400);
	if (el == CSG_EL2)
		CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	csg_world_settle(&s.world);
	while (csg_world_next(&s.world, &segment)) {
		CU_ASSERT(!segment.guest_ran || segment.index == on);
		guest |= segment.guest_ran;
	}
	csg_world_fini(&s.world);
	return guest;
}

static void trace_that_goes_on_where_guests_exit_to_shows_that_one_ran(void)
{
	CU_ASSERT(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x480));
	CU_ASSERT(guest_before(CSG_HV_KVM_VHE, false, CSG_EL2, KVM_VECTORS + 0x600));
	/* A fault in KVM's own code, its code, the host's vectors. */
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x280));
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x484));
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x1480));
	/* A guest's own vectors, at the same address. */
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL1, KVM_VECTORS + 0x480));
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL0, KVM_VECTORS + 0x480));
	CU_ASSERT_FALSE(guest_before(CSG_HV_XEN, true, CSG_EL2, KVM_VECTORS + 0x480));
}

static void a_trace_on_waits_for_its_first_address_only(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	trace_on(&s);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 20);
	at_el(&s, CSG_EL2, 8);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 20);
	/* No address comes: who runs next settles nothing of it. */
	at_el(&s, CSG_EL1, 8);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	expect(&s, 10, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 30, CSG_WORLD_HOST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	expect(&s, 40, CSG_WORLD_GUEST, CSG_EVIDENCE_EXCEPTION_LEVEL);
	end_story(&s);
}

CSG_SUITE(world, vhe, CSG_TEST(el0_entered_from_el1_is_the_guests),
	  CSG_TEST(el0_entered_from_el2_stays_open_until_it_is_left),
	  CSG_TEST(el0_between_two_el2_is_the_host_by_default),
	  CSG_TEST(a_neighbour_after_trace_on_is_none),
	  CSG_TEST(a_context_left_out_after_trace_on_still_holds),
	  CSG_TEST(after_overflow_nobody_runs_until_a_context),
	  CSG_TEST(a_context_stated_again_changes_nothing),
	  CSG_TEST(el0_that_leaves_to_the_guest_vectors_is_the_guests),
	  CSG_TEST(el0_that_leaves_to_other_vectors_is_the_hosts),
	  CSG_TEST(while_the_guest_vectors_are_not_known_a_target_proves_nothing),
	  CSG_TEST(the_exit_of_a_guests_el0_shows_the_vectors_too),
	  CSG_TEST(faults_inside_hyp_code_teach_nothing),
	  CSG_TEST(an_exception_cut_off_by_a_gap_settles_nothing),
	  CSG_TEST(vectors_are_remembered_across_gaps),
	  CSG_TEST(an_exit_that_its_symbol_contradicts_is_reported_and_does_not_last),
	  CSG_TEST(what_is_no_vector_tells_nothing),
	  CSG_TEST(trace_that_goes_on_where_guests_exit_to_shows_that_one_ran),
	  CSG_TEST(a_trace_on_waits_for_its_first_address_only));
