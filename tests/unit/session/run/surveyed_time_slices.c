/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/surveyed_time_slices.h"

#include "suite.h"

/* The chunks of a recording, whose contents do not matter. */
static const struct csg_chunk chunks[4];

static void slices_are_those_of_the_row_that_a_chunk_is_part_of(void)
{
	struct csg_attribution_time_slice slices[] = {
		{0, 10, 1, 1, 0}, {10, 20, 2, 2, 0}, {0, 10, 3, 3, 0}};
	struct csg_attribution_guest_time_slice guest_slices[] = {
		{.begin = 0, .end = 5, .host_tid = 9}, {.begin = 12, .end = 15, .host_tid = 9}};
	struct csg_surveyed_row rows[] = {{&chunks[0], &chunks[1], 0, 0},
					  {&chunks[2], &chunks[2], 2, 1},
					  {&chunks[3], &chunks[3], 3, 2}};
	const struct csg_switch_survey survey = {.slices = {.slices = slices, .count = 3},
						 .rows = rows,
						 .count = 3,
						 .guest_slices = {guest_slices, 2, 2}};
	struct csg_attribution_piece reported[4];

	for (int i = 0; i < 4; i++)
		reported[i] = csg_chunk_piece(&chunks[i], &survey);
	CU_ASSERT_PTR_EQUAL(reported[0].slices, &slices[0]);
	CU_ASSERT_EQUAL(reported[0].slice_count, 2);
	CU_ASSERT_PTR_EQUAL(reported[0].guest_slices, &guest_slices[0]);
	CU_ASSERT_EQUAL(reported[0].guest_slice_count, 1);
	CU_ASSERT_PTR_EQUAL(reported[1].slices, &slices[0]);
	CU_ASSERT_PTR_EQUAL(reported[2].slices, &slices[2]);
	CU_ASSERT_EQUAL(reported[2].slice_count, 1);
	CU_ASSERT_PTR_EQUAL(reported[2].guest_slices, &guest_slices[1]);
	CU_ASSERT_EQUAL(reported[2].guest_slice_count, 1);
	CU_ASSERT_PTR_NULL(reported[3].slices);
	CU_ASSERT_EQUAL(reported[3].slice_count, 0);
	CU_ASSERT_PTR_NULL(reported[3].guest_slices);
}

static void what_an_aux_record_says_is_stated_without_a_survey(void)
{
	const struct csg_chunk chunk = {.begin_time = 5, .time = 9, .pid = 3, .tid = 4};
	const struct csg_attribution_piece piece = csg_chunk_piece(&chunk, NULL);

	CU_ASSERT_EQUAL(piece.size, sizeof(piece));
	CU_ASSERT_EQUAL(piece.begin_time, 5);
	CU_ASSERT_EQUAL(piece.end_time, 9);
	CU_ASSERT_EQUAL(piece.pid, 3);
	CU_ASSERT_EQUAL(piece.tid, 4);
	CU_ASSERT_EQUAL(piece.slice_count, 0);
	CU_ASSERT_EQUAL(piece.loss_count, 0);
}

CSG_SUITE(session_run, surveyed_time_slices,
	  CSG_TEST(slices_are_those_of_the_row_that_a_chunk_is_part_of),
	  CSG_TEST(what_an_aux_record_says_is_stated_without_a_survey));
