/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/merge.h"

#include "encoder/random.h"
#include "suite.h"

#define STREAMS 100
#define STEPS 20000

static void of_one_time_the_least_number_comes_first(void)
{
	struct csg_merge merge;
	size_t stream = 7;

	CU_ASSERT_EQUAL(csg_merge_init(&merge, 3), 0);
	CU_ASSERT(!csg_merge_take(&merge, &stream));
	csg_merge_add(&merge, 2, 5);
	csg_merge_add(&merge, 1, 5);
	csg_merge_add(&merge, 0, 6);
	CU_ASSERT(csg_merge_take(&merge, &stream));
	CU_ASSERT_EQUAL(stream, 1);
	CU_ASSERT(csg_merge_take(&merge, &stream));
	CU_ASSERT_EQUAL(stream, 2);
	CU_ASSERT(csg_merge_take(&merge, &stream));
	CU_ASSERT_EQUAL(stream, 0);
	CU_ASSERT(!csg_merge_take(&merge, &stream));
	csg_merge_fini(&merge);
}

/* What a look at all of them finds first. */
static size_t first(const uint64_t *times)
{
	size_t best = 0;

	for (size_t i = 1; i < STREAMS; i++)
		if (times[i] < times[best])
			best = i;
	return best;
}

static void the_order_is_that_of_a_look_at_all(void)
{
	struct csg_enc_random random;
	struct csg_merge merge;
	uint64_t times[STREAMS];

	random.state = 1;
	CU_ASSERT_EQUAL(csg_merge_init(&merge, STREAMS), 0);
	for (size_t i = 0; i < STREAMS; i++) {
		times[i] = csg_enc_random_below(&random, 50);
		csg_merge_add(&merge, i, times[i]);
	}
	for (size_t step = 0; step < STEPS; step++) {
		size_t stream = STREAMS;

		CU_ASSERT_FATAL(csg_merge_take(&merge, &stream));
		CU_ASSERT_EQUAL_FATAL(stream, first(times));
		/* Time goes back, too, where a timestamp is missing. */
		times[stream] += csg_enc_random_below(&random, 20);
		times[stream] -= csg_enc_random_below(&random, 5) % (times[stream] + 1);
		csg_merge_add(&merge, stream, times[stream]);
	}
	csg_merge_fini(&merge);
}

CSG_SUITE(session_run, merge, CSG_TEST(of_one_time_the_least_number_comes_first),
	  CSG_TEST(the_order_is_that_of_a_look_at_all));
