/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/earliest.h"

#include <stdbool.h>

#include "suite.h"

#define STREAMS 37

static struct csg_earliest earliest;

static void of_none_none_is_the_earliest(void)
{
	CU_ASSERT_EQUAL_FATAL(csg_earliest_init(&earliest, 0), 0);
	CU_ASSERT_EQUAL(csg_earliest_get(&earliest), UINT32_MAX);
	csg_earliest_fini(&earliest);
	CU_ASSERT_EQUAL_FATAL(csg_earliest_init(&earliest, 2), 0);
	csg_earliest_remove(&earliest, 1);
	CU_ASSERT_EQUAL(csg_earliest_get(&earliest), UINT32_MAX);
	csg_earliest_fini(&earliest);
}

static void of_one_time_the_least_number_is_first(void)
{
	CU_ASSERT_EQUAL_FATAL(csg_earliest_init(&earliest, 3), 0);
	csg_earliest_set(&earliest, 2, 7);
	csg_earliest_set(&earliest, 1, 7);
	CU_ASSERT_EQUAL(csg_earliest_get(&earliest), 1);
	csg_earliest_set(&earliest, 0, 8);
	CU_ASSERT_EQUAL(csg_earliest_get(&earliest), 1);
	csg_earliest_set(&earliest, 0, 7);
	CU_ASSERT_EQUAL(csg_earliest_get(&earliest), 0);
	csg_earliest_fini(&earliest);
}

/* What looking at all of them finds. */
static uint32_t find(const uint64_t *times, const bool *there)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < STREAMS; i++)
		if (there[i] && (best == UINT32_MAX || times[i] < times[best]))
			best = i;
	return best;
}

static void any_stream_may_change_its_time_or_go(void)
{
	uint64_t times[STREAMS] = {0}, random = 1;
	bool there[STREAMS] = {false};
	size_t wrong = 0;

	CU_ASSERT_EQUAL_FATAL(csg_earliest_init(&earliest, STREAMS), 0);
	for (int i = 0; i < 20000; i++) {
		uint32_t stream;

		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		stream = (uint32_t)(random >> 33) % STREAMS;
		there[stream] = random >> 60 != 0;
		times[stream] = random >> 40 & 0x1f;
		if (there[stream])
			csg_earliest_set(&earliest, stream, times[stream]);
		else
			csg_earliest_remove(&earliest, stream);
		wrong += csg_earliest_get(&earliest) != find(times, there);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	csg_earliest_fini(&earliest);
}

CSG_SUITE(stack, earliest, CSG_TEST(of_none_none_is_the_earliest),
	  CSG_TEST(of_one_time_the_least_number_is_first),
	  CSG_TEST(any_stream_may_change_its_time_or_go));
