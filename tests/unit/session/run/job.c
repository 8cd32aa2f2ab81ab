/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/job.h"
#include "suite.h"

static void runs_that_go_on_are_one(void)
{
	struct csg_job job = {0};

	CU_ASSERT_EQUAL(csg_job_add_run(&job, CSG_RUN(100, (const uint8_t *)"ab", 2)), 0);
	CU_ASSERT_EQUAL(csg_job_add_run(&job, CSG_RUN(102, (const uint8_t *)"cd", 2)), 0);
	CU_ASSERT_EQUAL(csg_job_add_run(&job, CSG_RUN(105, (const uint8_t *)"e", 1)), 0);
	CU_ASSERT_EQUAL(job.steps.n, 2);
	CU_ASSERT_EQUAL(job.steps.at[0].n, 4);
	CU_ASSERT_EQUAL(job.steps.at[1].index, 105);
	CU_ASSERT_EQUAL(job.bytes.at[job.steps.at[1].at], 'e');
	csg_job_fini(&job);
}

/* Two frames and a piece of a third, cut in the second: one run, of which the next job gets the
 * end. */
static void frames_that_go_on_are_one(void)
{
	static const uint8_t bytes[35];
	const struct csg_run all = {.index = 160, .bytes = bytes, .n = 35, .frame = CSG_FRAME_DATA};
	const struct csg_run parts[] = {csg_run_part(&all, 0, 20), csg_run_part(&all, 20, 15)};
	struct csg_job job = {0}, next = {0};

	CU_ASSERT_EQUAL(csg_job_add_run(&job, &parts[0]), 0);
	CU_ASSERT_EQUAL(csg_job_add_run(&job, &parts[1]), 0);
	CU_ASSERT_EQUAL(csg_job_add_run(&job, CSG_RUN(300, bytes, 3)), 0);
	CU_ASSERT_EQUAL_FATAL(job.steps.n, 2);
	CU_ASSERT_EQUAL(job.steps.at[0].n, 35);
	CU_ASSERT_EQUAL(job.steps.at[0].frame, CSG_FRAME_DATA);
	CU_ASSERT_EQUAL(job.steps.at[1].frame, 0);
	CU_ASSERT_EQUAL(csg_job_overlap(&next, &job, 180), 0);
	CU_ASSERT_EQUAL_FATAL(next.guess.steps.n, 2);
	CU_ASSERT_EQUAL(next.guess.steps.at[0].index, 180);
	CU_ASSERT_EQUAL(next.guess.steps.at[0].n, 16);
	CU_ASSERT_EQUAL(next.guess.steps.at[0].frame, 11);
	csg_job_fini(&next);
	csg_job_fini(&job);
}

static void an_entry_counts_once(void)
{
	const struct csg_job_entry a = {.eret = 1, .owner = 2, .el = 0},
				   b = {.eret = 1, .owner = 3};
	struct csg_job job = {0};

	csg_job_add_entry(&job, &a);
	csg_job_add_entry(&job, &b);
	csg_job_add_entry(&job, &a);
	CU_ASSERT_EQUAL(job.entries.n, 2);
	csg_job_fini(&job);
}

static void the_timestamps_around_a_place_are_found(void)
{
	struct csg_job job = {0};

	for (uint64_t i = 1; i < 6; i++)
		csg_job_add_time(&job, &(struct csg_job_time){.index = 10 * i, .time = i});
	CU_ASSERT_PTR_NULL(csg_job_time_at(&job, 9));
	CU_ASSERT_EQUAL(csg_job_time_at(&job, 10)->time, 1);
	CU_ASSERT_EQUAL(csg_job_time_at(&job, 39)->time, 3);
	CU_ASSERT_EQUAL(csg_job_time_at(&job, 1000)->time, 5);
	CU_ASSERT_EQUAL(csg_job_time_after(&job, 9)->time, 1);
	CU_ASSERT_EQUAL(csg_job_time_after(&job, 10)->time, 2);
	CU_ASSERT_PTR_NULL(csg_job_time_after(&job, 50));
	csg_job_fini(&job);
}

static void what_is_before_a_timestamp_had_run_by_then(void)
{
	const struct csg_chunk chunk = {.time = 900}, undated = {0};
	struct csg_job job = {.chunk = &chunk};

	CU_ASSERT_EQUAL(csg_job_ran_by(&job, 5), 900);
	csg_job_add_time(&job, &(struct csg_job_time){.index = 10, .time = 100, .latest = 120});
	csg_job_add_time(&job, &(struct csg_job_time){.index = 20, .time = 200, .latest = 0});
	CU_ASSERT_EQUAL(csg_job_ran_by(&job, 5), 120);
	CU_ASSERT_EQUAL(csg_job_ran_by(&job, 10), 900);
	CU_ASSERT_EQUAL(csg_job_ran_by(&job, 20), 900);
	job.chunk = &undated;
	CU_ASSERT_EQUAL(csg_job_ran_by(&job, 20), UINT64_MAX);
	csg_job_fini(&job);
}

static void an_async_is_found_from_a_place_on(void)
{
	struct csg_job job = {0};

	csg_job_add_async(&job, 7);
	csg_job_add_async(&job, 300);
	CU_ASSERT_EQUAL(csg_job_async_at(&job, 0), 7);
	CU_ASSERT_EQUAL(csg_job_async_at(&job, 8), 300);
	CU_ASSERT_EQUAL(csg_job_async_at(&job, 301), UINT64_MAX);
	csg_job_fini(&job);
}

static void a_cleared_job_is_empty_but_keeps_its_memory(void)
{
	struct csg_job job = {.hold = true, .fresh = true, .eret = 4};
	uint8_t *bytes;

	csg_job_add_run(&job, CSG_RUN(1, (const uint8_t *)"x", 1));
	csg_job_add_segment(&job, &(struct csg_job_segment){.index = 1});
	csg_job_add_miss(&job, &(struct csg_job_miss){.address = 1});
	bytes = job.bytes.at;
	csg_job_clear(&job);
	CU_ASSERT_FALSE(job.hold || job.fresh || job.eret);
	CU_ASSERT_EQUAL(job.bytes.n + job.steps.n + job.segments.n + job.misses.n, 0);
	CU_ASSERT_PTR_EQUAL(job.bytes.at, bytes);
	csg_job_fini(&job);
}

CSG_SUITE(session_run, job, CSG_TEST(runs_that_go_on_are_one), CSG_TEST(frames_that_go_on_are_one),
	  CSG_TEST(an_entry_counts_once), CSG_TEST(the_timestamps_around_a_place_are_found),
	  CSG_TEST(what_is_before_a_timestamp_had_run_by_then),
	  CSG_TEST(an_async_is_found_from_a_place_on),
	  CSG_TEST(a_cleared_job_is_empty_but_keeps_its_memory));
