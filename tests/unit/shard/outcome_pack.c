/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/outcome_pack.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static struct csg_strings texts;

static void fill(struct csg_outcome_sum *s)
{
	const struct csg_missing missing = {.size = sizeof(missing),
					    .path = "/lib/x",
					    .error = -CSG_E_NO_IMAGE,
					    .first_address = 0x40,
					    .count = 2};

	*s = (struct csg_outcome_sum){
		.instructions = 10, .open = CSG_OPEN_VM, .contradiction_total = 1};
	s->gaps[CSG_GAP_NO_CODE] = 3;
	s->unknown[1][2].instructions = 4;
	s->advice[0] = (struct csg_outcome_advices){
		.at = {{"it lacks that", "record it"}}, .mends = {CSG_OPEN_VM}, .n = 1};
	s->streams = calloc(2, sizeof(*s->streams));
	s->stream_count = 2;
	s->streams[1] = (struct csg_outcome_stream){.bytes = 100, .queue = 1};
	s->contradictions = calloc(1, sizeof(*s->contradictions));
	s->contradiction_count = 1;
	s->contradictions[0] = (struct csg_contradiction){
		.size = sizeof(*s->contradictions), .begin_time = 1, .end_time = 9};
	CU_ASSERT_EQUAL(csg_outcome_sum_miss(s, &missing), 0);
}

static void an_outcome_comes_back(void)
{
	struct csg_outcome_sum from, to = {0};
	struct csg_pack pack = {0}, again = {0};
	struct csg_unpack u;

	fill(&from);
	csg_outcome_pack(&pack, &from);
	u = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	CU_ASSERT_EQUAL(csg_outcome_unpack(&u, &to, &texts), 0);
	CU_ASSERT_FALSE(u.failed);
	csg_outcome_pack(&again, &to);
	CU_ASSERT_EQUAL_FATAL(pack.n, again.n);
	CU_ASSERT(!memcmp(pack.bytes, again.bytes, pack.n));
	csg_pack_fini(&pack);
	csg_pack_fini(&again);
	csg_outcome_sum_fini(&from);
	csg_outcome_sum_fini(&to);
	csg_strings_fini(&texts);
}

static void one_that_is_cut_short_is_refused(void)
{
	struct csg_outcome_sum from;
	struct csg_pack pack = {0};

	fill(&from);
	csg_outcome_pack(&pack, &from);
	for (size_t n = 0; n < pack.n; n++) {
		struct csg_unpack u = {.at = pack.bytes, .end = pack.bytes + n};
		struct csg_outcome_sum to = {0};

		CU_ASSERT_EQUAL(csg_outcome_unpack(&u, &to, &texts), 0);
		CU_ASSERT(u.failed);
		csg_outcome_sum_fini(&to);
	}
	csg_pack_fini(&pack);
	csg_outcome_sum_fini(&from);
	csg_strings_fini(&texts);
}

static void parts_of_a_recording_add_up(void)
{
	struct csg_outcome_sum all, part;

	fill(&all);
	fill(&part);
	part.streams[1].bytes = 0;
	part.streams[0].bytes = 50;
	part.contradictions[0].begin_time = 3;
	CU_ASSERT_EQUAL(csg_outcome_sum_add(&all, &part, true), 0);
	CU_ASSERT_EQUAL(all.instructions, 20);
	CU_ASSERT_EQUAL(all.gaps[CSG_GAP_NO_CODE], 6);
	CU_ASSERT_EQUAL(all.unknown[1][2].instructions, 8);
	CU_ASSERT_EQUAL(all.stream_count, 2);
	CU_ASSERT_EQUAL(all.streams[0].bytes, 50);
	CU_ASSERT_EQUAL(all.missing_count, 1);
	CU_ASSERT_EQUAL(all.missing[0].count, 4);
	/* The trace of one shard makes it shorter; it is one all the same. */
	CU_ASSERT_EQUAL(all.contradiction_count, 1);
	CU_ASSERT_EQUAL(all.contradiction_total, 1);
	CU_ASSERT_EQUAL(all.contradictions[0].begin_time, 3);
	CU_ASSERT_EQUAL(all.advice[0].n, 1);
	csg_outcome_sum_fini(&all);
	csg_outcome_sum_fini(&part);
}

static void streams_of_another_recording_are_others(void)
{
	struct csg_outcome_sum all, other;

	fill(&all);
	fill(&other);
	CU_ASSERT_EQUAL(csg_outcome_sum_add(&all, &other, false), 0);
	CU_ASSERT_EQUAL(all.stream_count, 4);
	CU_ASSERT_NOT_EQUAL(all.streams[1].queue, all.streams[3].queue);
	csg_outcome_sum_fini(&all);
	csg_outcome_sum_fini(&other);
}

CSG_SUITE(shard, outcome_pack, CSG_TEST(an_outcome_comes_back),
	  CSG_TEST(one_that_is_cut_short_is_refused), CSG_TEST(parts_of_a_recording_add_up),
	  CSG_TEST(streams_of_another_recording_are_others));
