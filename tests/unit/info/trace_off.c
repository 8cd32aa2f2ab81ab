/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/trace_off.h"

#include "recording/recording.h"
#include "suite.h"

static void the_whole_is_never_off(void)
{
	const struct csg_recording_setup options = {0};
	struct csg_recording *rec;
	struct csg_trace_off off;

	CU_ASSERT_EQUAL_FATAL(
		csg_recording_load(&rec, "traces/vhe-one-guest/perf.data", &options, NULL), 0);
	CU_ASSERT_EQUAL(csg_trace_off_count(&off, rec), 0);
	CU_ASSERT_EQUAL(off.times, 0);
	CU_ASSERT(off.bytes > 1000);
	CU_ASSERT_FALSE(csg_trace_off_is_often(&off));
	csg_recording_close(rec);
}

static void once_in_32_KB_is_often(void)
{
	CU_ASSERT(csg_trace_off_is_often(&(struct csg_trace_off){.times = 2, .bytes = 65536}));
	CU_ASSERT_FALSE(
		csg_trace_off_is_often(&(struct csg_trace_off){.times = 2, .bytes = 98304}));
	CU_ASSERT_FALSE(csg_trace_off_is_often(&(struct csg_trace_off){.times = 1, .bytes = 100}));
}

CSG_SUITE(info, trace_off, CSG_TEST(the_whole_is_never_off), CSG_TEST(once_in_32_KB_is_often));
