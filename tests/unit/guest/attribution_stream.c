/* SPDX-License-Identifier: BSD-3-Clause */
#include "attribution_story.h"
#include "csguest/element.h"

static void a_guests_user_code_is_its_threads(void)
{
	struct story story;
	struct csg_segment segment;

	begin(&story);
	tell_clock(story.a, 4100);
	tell_switch(story.a, 4100, 10000, 21, 22);
	CU_ASSERT_EQUAL(csg_attribution_offset(story.a, 4100, OFFSET), 0);
	open_stream(&story);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 1000 + OFFSET);
	at(&story, CSG_EL1, 4103);
	stamp(&story, 2000);
	at(&story, CSG_EL0, 4103);
	stamp(&story, 3000);
	at(&story, CSG_EL1, 4103);
	stamp(&story, 18000);
	at(&story, CSG_EL0, 4103);
	stamp(&story, 19000);
	at(&story, CSG_EL2, 4103);
	csg_attribution_settle(story.s);
	CU_ASSERT_EQUAL(next(&story).gap, CSG_GAP_BUFFER);
	segment = next(&story);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(segment.owner.pid, 4100);
	segment = next(&story);
	CU_ASSERT_EQUAL(segment.owner.vm, 4100);
	CU_ASSERT_EQUAL(segment.owner.vcpu, 0);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	segment = next(&story);
	CU_ASSERT(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_KERNEL);
	CU_ASSERT_EQUAL(segment.owner.tid, 21);
	segment = next(&story);
	CU_ASSERT_FALSE(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_USER);
	CU_ASSERT_EQUAL(segment.owner.tid, 21);
	CU_ASSERT_EQUAL(segment.after, 2000);
	CU_ASSERT_EQUAL(segment.before, 18000);
	segment = next(&story);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.reason, CSG_REASON_SWITCH);
	segment = next(&story);
	CU_ASSERT(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_KERNEL);
	CU_ASSERT_EQUAL(segment.owner.tid, 22);
	segment = next(&story);
	CU_ASSERT_FALSE(segment.at_time);
	CU_ASSERT_EQUAL(segment.owner.tid, 22);
	end(&story);
}

static void what_is_not_settled_is_not_handed_out(void)
{
	struct story story;

	begin(&story);
	open_stream(&story);
	at(&story, CSG_EL2, 7);
	stamp(&story, 90);
	CU_ASSERT_EQUAL(next(&story).gap, CSG_GAP_BUFFER);
	CU_ASSERT_EQUAL(next(&story).index, UINT64_MAX);
	CU_ASSERT_EQUAL(csg_attribution_settled(story.s), 10);
	at(&story, CSG_EL0, 7);
	stamp(&story, 100);
	CU_ASSERT_EQUAL(next(&story).index, UINT64_MAX);
	at(&story, CSG_EL2, 7);
	CU_ASSERT_EQUAL(next(&story).index, 10);
	CU_ASSERT_EQUAL(csg_attribution_settled(story.s), 30);
	csg_attribution_settle(story.s);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 7);
	next(&story);
	CU_ASSERT_EQUAL(csg_attribution_settled(story.s), UINT64_MAX);
	end(&story);
}

static void exits_that_one_stream_saw_help_another(void)
{
	const struct csg_track_event exception = {.kind = CSG_TRACK_EXCEPTION};
	const struct csg_track_event target = {.kind = CSG_TRACK_ADDRESS, .address = 0x80400};
	struct story story;
	struct csg_attribution_stream *other;

	begin(&story);
	open_stream(&story);
	other = story.s;
	at(&story, CSG_EL2, 4103);
	at(&story, CSG_EL1, 4103);
	csg_attribution_event(story.s, &exception);
	at(&story, CSG_EL2, 4103);
	csg_attribution_event(story.s, &target);
	CU_ASSERT(csg_attribution_has_learned(other));
	CU_ASSERT(csg_attribution_ran_at(other, CSG_EL1));
	open_stream(&story);
	CU_ASSERT_FALSE(csg_attribution_has_learned(story.s));
	csg_attribution_learn_from(story.s, other);
	CU_ASSERT(csg_attribution_has_learned(story.s));
	csg_attribution_stream_destroy(other);
	end(&story);
}

static void another_policy_holds_for_what_comes(void)
{
	struct story story;

	begin(&story);
	open_stream(&story);
	csg_attribution_settle(story.s);
	next(&story);
	csg_attribution_set_policy(story.a, CSG_HV_NONE, false, false);
	CU_ASSERT_EQUAL(csg_attribution_hypervisor(story.a), CSG_HV_NONE);
	at(&story, CSG_EL1, 7);
	csg_attribution_settle(story.s);
	CU_ASSERT_EQUAL(next(&story).owner.world, CSG_WORLD_HOST);
	end(&story);
}

/*
 * The path of the code shows the loss: upper bits are those from before it until a packet sends
 * them.
 */
static void no_timestamp_after_a_loss_says_when_before_its_upper_bits_are_sent(void)
{
	static const struct csg_attribution_loss loss = {25, 35};
	struct csg_attribution_piece piece = {.size = sizeof(piece),
					      .begin_time = 1,
					      .end_time = 90000000,
					      .pid = -1,
					      .tid = -1,
					      .losses = &loss,
					      .loss_count = 1};
	struct story story;
	uint64_t low, high;

	begin(&story);
	open_stream(&story);
	CU_ASSERT_EQUAL(csg_attribution_piece(story.s, 0, &piece), 0);
	at(&story, CSG_EL2, 7);
	stamp(&story, 1000);
	at(&story, CSG_EL0, 7);
	stamp(&story, 1100);
	at(&story, CSG_EL2, 7);
	stamp(&story, 50000);
	at(&story, CSG_EL0, 7);
	while (next(&story).index != UINT64_MAX)
		;
	csg_attribution_settle(story.s);
	while (next(&story).index != UINT64_MAX)
		;
	CU_ASSERT_EQUAL(csg_attribution_time(story.s, 20), 1000);
	CU_ASSERT_EQUAL(csg_attribution_time(story.s, 40), 0);
	CU_ASSERT_EQUAL(csg_attribution_time(story.s, 60), 50000);
	csg_attribution_time_bounds(story.s, 20, &low, &high);
	CU_ASSERT_EQUAL(low, 1000);
	CU_ASSERT_EQUAL(high, 1000);
	csg_attribution_time_bounds(story.s, 40, &low, &high);
	CU_ASSERT_EQUAL(low, 1000);
	CU_ASSERT_EQUAL(high, 50000);
	csg_attribution_time_bounds(story.s, 80, &low, &high);
	CU_ASSERT_EQUAL(low, 0);
	CU_ASSERT_EQUAL(high, 0);
	csg_attribution_time_bounds(NULL, 20, &low, &high);
	CU_ASSERT_EQUAL(low, 0);
	end(&story);
}

CSG_SUITE(guest, attribution_stream, CSG_TEST(a_guests_user_code_is_its_threads),
	  CSG_TEST(what_is_not_settled_is_not_handed_out),
	  CSG_TEST(exits_that_one_stream_saw_help_another),
	  CSG_TEST(another_policy_holds_for_what_comes),
	  CSG_TEST(no_timestamp_after_a_loss_says_when_before_its_upper_bits_are_sent));
