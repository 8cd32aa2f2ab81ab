/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/surveyed_turns.h"

#include "suite.h"

/* The chunks of a recording, whose contents do not matter. */
static const struct csg_chunk chunks[4];

static void turns_are_those_of_the_piece_that_a_chunk_is_part_of(void)
{
	struct csg_attribution_turn turns[] = {
		{0, 10, 1, 1, 0}, {10, 20, 2, 2, 0}, {0, 10, 3, 3, 0}};
	struct csg_attribution_guest_turn guest_turns[] = {{.begin = 0, .end = 5, .host_tid = 9},
							   {.begin = 12, .end = 15, .host_tid = 9}};
	struct csg_surveyed_piece pieces[] = {{&chunks[0], &chunks[1], 0, 0},
					      {&chunks[2], &chunks[2], 2, 1},
					      {&chunks[3], &chunks[3], 3, 2}};
	const struct csg_switch_survey survey = {.turns = {.turns = turns, .count = 3},
						 .pieces = pieces,
						 .count = 3,
						 .guest_turns = {guest_turns, 2, 2}};
	struct csg_attribution_piece told[4] = {{.size = 0}};

	for (int i = 0; i < 4; i++)
		csg_surveyed_turns(&survey, &chunks[i], &told[i]);
	CU_ASSERT_PTR_EQUAL(told[0].turns, &turns[0]);
	CU_ASSERT_EQUAL(told[0].turn_count, 2);
	CU_ASSERT_PTR_EQUAL(told[0].guest_turns, &guest_turns[0]);
	CU_ASSERT_EQUAL(told[0].guest_turn_count, 1);
	CU_ASSERT_PTR_EQUAL(told[1].turns, &turns[0]);
	CU_ASSERT_PTR_EQUAL(told[2].turns, &turns[2]);
	CU_ASSERT_EQUAL(told[2].turn_count, 1);
	CU_ASSERT_PTR_EQUAL(told[2].guest_turns, &guest_turns[1]);
	CU_ASSERT_EQUAL(told[2].guest_turn_count, 1);
	CU_ASSERT_PTR_NULL(told[3].turns);
	CU_ASSERT_EQUAL(told[3].turn_count, 0);
	CU_ASSERT_PTR_NULL(told[3].guest_turns);
}

CSG_SUITE(session, surveyed_turns, CSG_TEST(turns_are_those_of_the_piece_that_a_chunk_is_part_of));
