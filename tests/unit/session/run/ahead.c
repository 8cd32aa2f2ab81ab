/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/ahead.h"

#include <stdlib.h>

#include "recorded_splitter.h"
#include "suite.h"

static struct recorded_splitter r;

/* Begins to look at the recording's only chunk. */
static void begin(struct csg_ahead *ahead)
{
	size_t n;

	memset(&r, 0, sizeof(r));
	recorded_splitter_open(&r, 4, 4000);
	CU_ASSERT_EQUAL_FATAL(csg_ahead_init(ahead, r.w.rec, r.source, &r.registry, r.owners), 0);
	csg_ahead_begin(ahead, csg_recording_chunks(r.w.rec, &n), false, false);
}

static void end(struct csg_ahead *ahead, struct csg_job *job)
{
	csg_job_fini(job);
	csg_ahead_fini(ahead);
	recorded_splitter_close(&r);
}

static void owners_are_settled_beyond_the_place_or_held_back_there(void)
{
	struct csg_job job = {0};
	struct csg_ahead a;
	size_t held = 0;

	begin(&a);
	for (uint64_t at = 0; at < r.w.walk.etm.out.size; at += 10) {
		CU_ASSERT_EQUAL(csg_ahead_look(&a, at), 0);
		while (a.settled <= at && a.holds) {
			held++;
			CU_ASSERT_EQUAL(a.held.index, a.settled);
			CU_ASSERT_EQUAL(csg_ahead_release(&a, 0), 0);
			CU_ASSERT_EQUAL(csg_ahead_look(&a, at), 0);
		}
		CU_ASSERT(a.settled > at);
	}
	CU_ASSERT(held > 0);
	end(&a, &job);
}

static void what_is_given_is_what_lies_before(void)
{
	struct csg_job job = {0};
	struct csg_ahead a;
	size_t there;

	begin(&a);
	CU_ASSERT_EQUAL(csg_ahead_look(&a, 0), 0);
	there = a.segments.n;
	CU_ASSERT_FATAL(there > 2);
	CU_ASSERT_EQUAL(csg_ahead_give(&a, a.segments.at[2].index, &job), 0);
	CU_ASSERT(job.segments.n >= 1);
	CU_ASSERT_EQUAL(job.segments.n + a.segments.n, there);
	CU_ASSERT(a.segments.at[0].index > job.segments.at[job.segments.n - 1].index);
	end(&a, &job);
}

/* What follows the last timestamp before the place ran before that; the next job has it, too. */
static void the_first_timestamp_after_it_is_given_too(void)
{
	struct csg_job job = {0}, next = {0};
	struct csg_ahead a;

	begin(&a);
	a.times.at = calloc(3, sizeof(*a.times.at));
	CU_ASSERT_PTR_NOT_NULL_FATAL(a.times.at);
	a.times.n = a.times.capacity = 3;
	for (uint64_t i = 0; i < 3; i++)
		a.times.at[i] = (struct csg_job_time){.index = 10 + 10 * i, .time = i};
	CU_ASSERT_EQUAL(csg_ahead_give(&a, 15, &job), 0);
	CU_ASSERT_EQUAL_FATAL(job.times.n, 2);
	CU_ASSERT_EQUAL(job.times.at[0].index, 10);
	CU_ASSERT_EQUAL(job.times.at[1].index, 20);
	CU_ASSERT_EQUAL(csg_ahead_give(&a, 40, &next), 0);
	CU_ASSERT_EQUAL_FATAL(next.times.n, 3);
	CU_ASSERT_EQUAL(next.times.at[1].index, 20);
	csg_job_fini(&next);
	end(&a, &job);
}

CSG_SUITE(session_run, ahead, CSG_TEST(owners_are_settled_beyond_the_place_or_held_back_there),
	  CSG_TEST(what_is_given_is_what_lies_before),
	  CSG_TEST(the_first_timestamp_after_it_is_given_too));
