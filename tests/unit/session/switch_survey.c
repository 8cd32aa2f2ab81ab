/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_walk.h"
#include "session/switch_survey.h"
#include "suite.h"

static struct recorded_walk w;

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

/* What becomes of a recording without the host's kernel is seen here, the rest in tests/scenarios. */
static void a_host_without_symbols_is_not_surveyed(void)
{
	const struct csg_image_options options = {0};
	struct csg_switch_survey survey = {0};
	struct csg_image *image;
	struct csg_people people;
	size_t n;

	memset(&w, 0, sizeof(w));
	CU_ASSERT_FATAL(walk_init(&w.walk, 3, false, false, 500));
	recorded_walk_open(&w);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_people_init(&people, image, false, false), 0);
	csg_attribution_set_policy(people.attribution, CSG_HV_KVM_VHE, false, false);
	CU_ASSERT_EQUAL(
		csg_survey_switches(&survey, w.rec, csg_recording_sources(w.rec, &n), &people), 0);
	CU_ASSERT_EQUAL(survey.count, 0);
	csg_switch_survey_fini(&survey);
	csg_people_fini(&people);
	csg_image_destroy(image);
	recorded_walk_close(&w);
}

CSG_SUITE(session, switch_survey, CSG_TEST(turns_are_those_of_the_piece_that_a_chunk_is_part_of),
	  CSG_TEST(a_host_without_symbols_is_not_surveyed));
