/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "calls/exit_cuts.h"

static void begin(struct csg_exit_cuts *cuts, bool hyp_untraced, bool timeless)
{
	CU_ASSERT_EQUAL_FATAL(csg_exit_cuts_init(cuts, 2, hyp_untraced, timeless), 0);
}

static void lost_trace_is_a_cut_and_missing_code_is_none(void)
{
	static const enum csg_gap lost[] = {CSG_GAP_TRACE_ON,  CSG_GAP_OVERFLOW, CSG_GAP_BUFFER,
					    CSG_GAP_TRUNCATED, CSG_GAP_DISCARD,	 CSG_GAP_GUEST};
	static const enum csg_gap here[] = {CSG_GAP_NONE, CSG_GAP_NO_CODE, CSG_GAP_NO_OWNER,
					    CSG_GAP_RETURN, CSG_GAP_UNDEFINED};
	struct csg_exit_cuts cuts;

	begin(&cuts, false, false);
	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		CU_ASSERT(csg_exit_cuts_gap(&cuts, 0, lost[i]));
	for (size_t i = 0; i < sizeof(here) / sizeof(*here); i++)
		CU_ASSERT_FALSE(csg_exit_cuts_gap(&cuts, 0, here[i]));
	csg_exit_cuts_fini(&cuts);
}

static void a_crossing_of_an_untraced_level_is_no_cut(void)
{
	struct csg_exit_cuts cuts;

	begin(&cuts, true, false);
	CU_ASSERT_FALSE(csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON));
	CU_ASSERT(cuts.streams[0].open);
	csg_exit_cuts_resumed(&cuts, 0, false); /* the stream begins */
	CU_ASSERT_FALSE(csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON));
	CU_ASSERT_FALSE(csg_exit_cuts_resumed(&cuts, 0, true));
	CU_ASSERT_FALSE(cuts.streams[0].open);
	CU_ASSERT(csg_exit_cuts_gap(&cuts, 0, CSG_GAP_OVERFLOW));
	csg_exit_cuts_fini(&cuts);
}

static void where_windows_are_seen_a_crossing_may_hide_one(void)
{
	struct csg_exit_cuts cuts;

	begin(&cuts, true, false);
	csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON);
	csg_exit_cuts_resumed(&cuts, 0, false);
	csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON);
	CU_ASSERT(csg_exit_cuts_resumed(&cuts, 0, false));
	csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON);
	CU_ASSERT(csg_exit_cuts_resumed(&cuts, 0, true));
	/* Of that stream alone. */
	csg_exit_cuts_resumed(&cuts, 1, false);
	csg_exit_cuts_gap(&cuts, 1, CSG_GAP_TRACE_ON);
	CU_ASSERT_FALSE(csg_exit_cuts_resumed(&cuts, 1, true));
	csg_exit_cuts_fini(&cuts);
}

static void a_gap_lasts_until_the_next_timestamp(void)
{
	struct csg_exit_cuts cuts;

	begin(&cuts, false, false);
	csg_exit_cuts_stamp(&cuts, 0, 1000);
	CU_ASSERT_FALSE(csg_exit_cuts_since(&cuts, 1000));
	csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON);
	CU_ASSERT(csg_exit_cuts_since(&cuts, 5000));
	csg_exit_cuts_stamp(&cuts, 1, 4000);
	CU_ASSERT(csg_exit_cuts_since(&cuts, 5000));
	csg_exit_cuts_stamp(&cuts, 0, 3000);
	csg_exit_cuts_stamp(&cuts, 0, 4000);
	CU_ASSERT_EQUAL(csg_exit_cuts_time(&cuts, 0), 4000);
	CU_ASSERT(csg_exit_cuts_since(&cuts, 3000));
	CU_ASSERT_FALSE(csg_exit_cuts_since(&cuts, 3001));
	csg_exit_cuts_fini(&cuts);
}

static void without_timestamps_the_beginning_of_a_stream_is_no_gap(void)
{
	struct csg_exit_cuts cuts;

	begin(&cuts, false, true);
	CU_ASSERT_FALSE(csg_exit_cuts_gap(&cuts, 1, CSG_GAP_TRACE_ON));
	CU_ASSERT_FALSE(csg_exit_cuts_since(&cuts, 0));
	csg_exit_cuts_resumed(&cuts, 1, false);
	CU_ASSERT(csg_exit_cuts_gap(&cuts, 1, CSG_GAP_TRACE_ON));
	CU_ASSERT(csg_exit_cuts_since(&cuts, 0));
	csg_exit_cuts_fini(&cuts);
}

/* A Trace On after an HVC, but another chunk: tracing was paused in between. */
static void where_a_chunk_does_not_go_on_no_crossing_is_seen(void)
{
	const struct csg_chunk first = {.flags = 0}, on = {.flags = CSG_CHUNK_CONTINUES},
			       paused = {.flags = 0};
	struct csg_exit_cuts cuts;

	begin(&cuts, true, false);
	csg_exit_cuts_chunk(&cuts, 0, &first);
	CU_ASSERT_FALSE(csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON));
	csg_exit_cuts_resumed(&cuts, 0, true);
	csg_exit_cuts_chunk(&cuts, 0, &on);
	CU_ASSERT_FALSE(csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON));
	csg_exit_cuts_resumed(&cuts, 0, true);
	csg_exit_cuts_chunk(&cuts, 0, &paused);
	csg_exit_cuts_chunk(&cuts, 0, NULL);
	CU_ASSERT(csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON));
	CU_ASSERT_FALSE(csg_exit_cuts_gap(&cuts, 0, CSG_GAP_TRACE_ON));
	csg_exit_cuts_fini(&cuts);
}

CSG_SUITE(calls, exit_cuts, CSG_TEST(where_a_chunk_does_not_go_on_no_crossing_is_seen),
	  CSG_TEST(lost_trace_is_a_cut_and_missing_code_is_none),
	  CSG_TEST(a_crossing_of_an_untraced_level_is_no_cut),
	  CSG_TEST(where_windows_are_seen_a_crossing_may_hide_one),
	  CSG_TEST(a_gap_lasts_until_the_next_timestamp),
	  CSG_TEST(without_timestamps_the_beginning_of_a_stream_is_no_gap));
