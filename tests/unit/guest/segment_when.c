/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/segment_when.h"

#include "attribution_story.h"
#include "csguest/element.h"
#include "guest/attribution_stream.h"
#include "guest/answers.h"

/* Thread 7 leaves to the idle thread and comes back; in between the host's kernel has ID 0. */
static struct csg_owner owner_of_zero(bool other_ids_before, bool new_piece)
{
	struct story story;
	struct csg_segment segment;

	begin(&story);
	tell_switch(story.a, CSG_VM_HOST, 1000, 9, 7);
	tell_switch(story.a, CSG_VM_HOST, 10000, 7, 0);
	tell_switch(story.a, CSG_VM_HOST, 20000, 0, 7);
	tell_switch(story.a, CSG_VM_HOST, 30000, 7, 9);
	open_stream(&story);
	at(&story, other_ids_before ? CSG_EL2 : CSG_EL0, other_ids_before ? 7 : 0);
	stamp(&story, 9000);
	csg_attribution_settle(story.s);
	while (next(&story).index != UINT64_MAX)
		;
	if (new_piece) {
		const struct csg_attribution_piece piece = {.size = sizeof(piece),
							    .begin_time = 9000,
							    .end_time = 90000000,
							    .pid = -1,
							    .tid = -1};

		CU_ASSERT_EQUAL(csg_attribution_piece(story.s, story.index + 1, &piece), 0);
		at(&story, CSG_EL0, 0);
		stamp(&story, 9100);
	}
	at(&story, CSG_EL2, 0);
	at(&story, CSG_EL2, 7);
	stamp(&story, 21000);
	csg_attribution_settle(story.s);
	do {
		segment = next(&story);
	} while (segment.index != UINT64_MAX && segment.owner.el != CSG_EL2);
	end(&story);
	return segment.owner;
}

static void a_zero_context_id_is_the_idle_threads_where_others_are_traced(void)
{
	struct csg_owner owner = owner_of_zero(true, false);

	CU_ASSERT_EQUAL(owner.tid, 0);
	CU_ASSERT_EQUAL(owner.pid, 0);
	owner = owner_of_zero(false, false);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_ZERO_CONTEXT_ID);
	owner = owner_of_zero(true, true);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_ZERO_CONTEXT_ID);
}

/* In a vCPU thread timestamps are the guest's counter or the host's until another one's follows. */
static void a_thread_id_that_comes_back_waits_for_the_time(void)
{
	struct story story;

	begin(&story);
	CU_ASSERT_EQUAL(csg_attribution_thread_ended(story.a, CSG_VM_HOST, 4100, 4103, 50000), 0);
	CU_ASSERT_EQUAL(csg_attribution_thread(story.a, CSG_VM_HOST, 4103, 4103, "sh", true, 60000),
			0);
	open_stream(&story);
	at(&story, CSG_EL2, 7);
	stamp(&story, 10000);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 20000);
	at(&story, CSG_EL1, 4103);
	stamp(&story, 20010);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 20020);
	CU_ASSERT_EQUAL(next(&story).gap, CSG_GAP_BUFFER);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 7);
	CU_ASSERT_EQUAL(next(&story).index, UINT64_MAX);
	at(&story, CSG_EL2, 7);
	stamp(&story, 30000);
	at(&story, CSG_EL2, 4103);
	stamp(&story, 30010);
	at(&story, CSG_EL2, 7);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 4100);
	CU_ASSERT_EQUAL(next(&story).owner.vm, 4100);
	CU_ASSERT_EQUAL(next(&story).owner.pid, 4100);
	end(&story);
}

/*
 * Thread 7 left at 5000 while nothing was traced, and a timestamp was sent.  From the Trace On to
 * the context that follows, bytes later, its context ID is still in force.
 */
static uint64_t contradictions_of_trace_on(uint64_t bytes, bool survey)
{
	struct story story;
	struct csg_track_event on = {.kind = CSG_TRACK_TRACE_ON};
	uint64_t n;

	begin(&story);
	tell_switch(story.a, CSG_VM_HOST, 1000, 9, 7);
	tell_switch(story.a, CSG_VM_HOST, 5000, 7, 9);
	tell_switch(story.a, CSG_VM_HOST, 30000, 9, 7);
	open_stream(&story);
	if (!survey)
		csg_attribution_counts_findings(story.s);
	stamp(&story, 4000);
	at(&story, CSG_EL2, 7);
	stamp(&story, 6000);
	on.index = story.index += 10;
	csg_attribution_event(story.s, &on);
	story.index += bytes - 10;
	at(&story, CSG_EL2, 9);
	stamp(&story, 7000);
	csg_attribution_settle(story.s);
	while (next(&story).index != UINT64_MAX)
		;
	n = csg_attribution_contradictions(story.a)->count;
	end(&story);
	return n;
}

static void a_trace_on_without_an_atom_contradicts_nothing(void)
{
	CU_ASSERT_EQUAL(contradictions_of_trace_on(1, false), 0);
	CU_ASSERT_EQUAL(contradictions_of_trace_on(3, false), 0);
	/* An address without context, which no trace unit sends there, and an atom have room. */
	CU_ASSERT_EQUAL(contradictions_of_trace_on(4, false), 1);
	/* Whose it is is not settled yet. */
	CU_ASSERT_EQUAL(contradictions_of_trace_on(4, true), 0);
}

CSG_SUITE(guest, segment_when, CSG_TEST(a_trace_on_without_an_atom_contradicts_nothing),
	  CSG_TEST(a_zero_context_id_is_the_idle_threads_where_others_are_traced),
	  CSG_TEST(a_thread_id_that_comes_back_waits_for_the_time));
