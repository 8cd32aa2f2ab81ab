/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/stream_counts.h"
#include "suite.h"

static void jobs_that_nobody_asks_for_do_not_count(void)
{
	struct csg_stream_counts counts = {0};

	csg_stream_counts_job(&counts, &(struct csg_job){.trace_bytes = 100, .bytes_lost = 7});
	csg_stream_counts_job(
		&counts, &(struct csg_job){.trace_bytes = 300, .bytes_lost = 9, .unwanted = true});
	csg_stream_counts_job(&counts, &(struct csg_job){.trace_bytes = 350, .bytes_lost = 10});
	CU_ASSERT_EQUAL(counts.read_bytes, 350);
	CU_ASSERT_EQUAL(counts.trace_bytes, 150);
	CU_ASSERT_EQUAL(counts.lost, 8);
}

CSG_SUITE(session_run, stream_counts, CSG_TEST(jobs_that_nobody_asks_for_do_not_count));
