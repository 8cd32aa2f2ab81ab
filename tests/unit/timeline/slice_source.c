/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/slice_source.h"

#include "csguest/attribution.h"
#include "csguest/recording.h"
#include "fixture.h"

static void times_are_the_sessions(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_slice_source source = csg_slice_source_of(session);

	CU_ASSERT(csg_session_time(session, 1000000000) > 0);
	CU_ASSERT_EQUAL(source.time(source.arg, 1000000000), csg_session_time(session, 1000000000));
	for (uint32_t i = 0; i < csg_session_owner_count(session); i++)
		CU_ASSERT_EQUAL(source.clock(source.arg, i) == CSG_CLOCK_HOST,
				csg_session_is_host_time(session, i));
	csg_session_close(session);
}

/* From one on-CPU interval's begin to beyond its end. */
static void untraced_time_is_that_of_the_thread_on_the_cpu(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_slice_source source = csg_slice_source_of(session);
	struct csg_slice slice = {.gap = CSG_GAP_TRACE_ON,
				  .el = CSG_EL_UNKNOWN,
				  .before = CSG_SLICE_LOST,
				  .after = CSG_SLICE_LOST};
	struct csg_interval interval;
	const int32_t cpu = csg_session_stream(session, 0)->source->cpu;
	uint64_t until;
	int64_t owner;

	fixture_drain(session);
	CU_ASSERT_FATAL(csg_interval_count(session, cpu) > 1);
	CU_ASSERT_EQUAL(csg_interval_at(session, cpu, 1, &interval, sizeof(interval)), 0);
	slice.begin = interval.from;
	until = slice.end = interval.until + 1000;
	owner = source.untraced(source.arg, &slice, &until);
	CU_ASSERT_FATAL(owner >= 0 && owner != CSG_SLICE_LOST);
	CU_ASSERT_EQUAL(csg_session_owner(session, (uint32_t)owner)->host_tid, interval.tid);
	CU_ASSERT(until > slice.begin && until <= interval.until);
	csg_session_close(session);
}

static void before_all_records_nobody_is_known(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_slice_source source = csg_slice_source_of(session);
	const struct csg_slice slice = {.begin = 1, .end = 9, .gap = CSG_GAP_OVERFLOW};
	uint64_t until = 9;

	fixture_drain(session);
	CU_ASSERT_EQUAL(source.untraced(source.arg, &slice, &until), CSG_SLICE_LOST);
	CU_ASSERT_EQUAL(source.guests(source.arg, 0, 1, 9), 0);
	CU_ASSERT_EQUAL(source.guests(source.arg, UINT32_MAX, 1, 9), 0);
	csg_session_close(session);
}

CSG_SUITE(timeline, slice_source, CSG_TEST(times_are_the_sessions),
	  CSG_TEST(untraced_time_is_that_of_the_thread_on_the_cpu),
	  CSG_TEST(before_all_records_nobody_is_known));
