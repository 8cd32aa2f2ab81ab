/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_splitter.h"
#include "session/run/splitter.h"
#include "suite.h"

static struct recorded_splitter r;

static void begin(unsigned int pieces)
{
	memset(&r, 0, sizeof(r));
	r.w.pieces = pieces;
	recorded_splitter_open(&r, 4, 20000);
}

static void jobs_hold_every_byte_once_in_order(void)
{
	const struct csg_enc_bytes *trace = &r.w.walk.etm.out;
	struct csg_job job = {0};
	uint64_t at = 0;
	size_t jobs = 0;

	begin(1);
	for (; recorded_splitter_job(&r, &job) > 0; jobs++) {
		for (size_t i = 0; i < job.steps.n; i++) {
			const struct csg_job_step *step = &job.steps.at[i];

			if (step->kind != CSG_JOB_RUN)
				continue;
			CU_ASSERT(step->index >= at);
			CU_ASSERT(step->index + step->n <= job.end);
			at = step->index + step->n;
		}
		CU_ASSERT(job.bytes.n <= CSG_JOB_BYTES_MAX);
		CU_ASSERT_EQUAL(job.fresh, jobs == 0);
	}
	CU_ASSERT(jobs > 1);
	CU_ASSERT_EQUAL(at, trace->size);
	CU_ASSERT_EQUAL(r.opened, 1);
	csg_job_fini(&job);
	recorded_splitter_close(&r);
}

static void segments_stand_in_the_job_of_their_index(void)
{
	struct csg_job job = {0};
	uint64_t begun = 0;
	size_t segments = 0;

	begin(1);
	while (recorded_splitter_job(&r, &job) > 0) {
		for (size_t i = 0; i < job.segments.n; i++)
			CU_ASSERT(job.segments.at[i].index >= begun &&
				  job.segments.at[i].index < job.end);
		for (size_t i = 0; i < job.asyncs.n; i++)
			CU_ASSERT(job.asyncs.at[i] >= begun && job.asyncs.at[i] < job.end);
		segments += job.segments.n;
		begun = job.end;
	}
	CU_ASSERT(segments > 100);
	csg_job_fini(&job);
	recorded_splitter_close(&r);
}

static void every_chunk_begins_a_job_that_knows_nothing(void)
{
	struct csg_job job = {0};
	size_t fresh = 0, ends = 0;

	begin(3);
	while (recorded_splitter_job(&r, &job) > 0) {
		fresh += job.fresh;
		ends += job.steps.n && job.steps.at[job.steps.n - 1].kind == CSG_JOB_END;
	}
	CU_ASSERT_EQUAL(fresh, 3);
	CU_ASSERT_EQUAL(ends, 3);
	csg_job_fini(&job);
	recorded_splitter_close(&r);
}

CSG_SUITE(session_run, splitter, CSG_TEST(jobs_hold_every_byte_once_in_order),
	  CSG_TEST(segments_stand_in_the_job_of_their_index),
	  CSG_TEST(every_chunk_begins_a_job_that_knows_nothing));
