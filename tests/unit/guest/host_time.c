/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/host_time.h"
#include "suite.h"

static const struct csg_attribution_piece piece = {.begin_time = 100, .end_time = 1000};

/* A counter of one tick a nanosecond. */
static struct csg_host_time begin(int64_t ts_source)
{
	const struct csg_trace_unit unit = {.ts_source = ts_source};
	const struct csg_attribution_clock clock = {.conv = {.valid = true, .mult = 1}};
	struct csg_host_time time;

	csg_host_time_init(&time, &unit, &clock);
	return time;
}

static void a_virtual_timestamp_is_the_hosts_time(void)
{
	struct csg_host_time time = begin(CSG_TS_SOURCE_VIRTUAL);

	CU_ASSERT_EQUAL(csg_host_time_of(&time, &piece, 200), 200);
	csg_host_time_pass(&time, &piece, 200);
	CU_ASSERT_EQUAL(time.now, 200);
	csg_host_time_restart(&time);
	CU_ASSERT_EQUAL(time.now, 0);
}

static void another_counter_tells_nothing(void)
{
	struct csg_host_time time = begin(CSG_TS_SOURCE_CORESIGHT);

	CU_ASSERT_EQUAL(csg_host_time_of(&time, &piece, 200), 0);
}

static void a_timestamp_that_goes_back_is_a_guests(void)
{
	struct csg_host_time time = begin(CSG_TS_SOURCE_VIRTUAL);

	csg_host_time_pass(&time, &piece, 500);
	csg_host_time_pass(&time, &piece, 300);
	CU_ASSERT_EQUAL(time.now, 500);
	CU_ASSERT_EQUAL(csg_host_time_of(&time, &piece, 499), 0);
	CU_ASSERT_EQUAL(csg_host_time_of(&time, &piece, 500), 500);
}

static void a_timestamp_outside_its_piece_is_a_guests(void)
{
	struct csg_host_time time = begin(CSG_TS_SOURCE_VIRTUAL);

	CU_ASSERT_EQUAL(csg_host_time_of(&time, &piece, 99), 0);
	CU_ASSERT_EQUAL(csg_host_time_of(&time, &piece, 2000000000), 0);
	CU_ASSERT_EQUAL(csg_host_time_of(&time, &piece, 0), 0);
}

static void a_timestamp_outside_the_recording_is_a_guests(void)
{
	const struct csg_attribution_piece unknown = {0};
	struct csg_host_time time = begin(CSG_TS_SOURCE_VIRTUAL);

	time.clock.first_time = UINT64_C(10000000000);
	time.clock.last_time = UINT64_C(20000000000);
	CU_ASSERT_EQUAL(csg_host_time_of(&time, &unknown, UINT64_C(1000000000)), 0);
	CU_ASSERT_EQUAL(csg_host_time_of(&time, &unknown, UINT64_C(30000000000)), 0);
	CU_ASSERT_EQUAL(csg_host_time_of(&time, &unknown, UINT64_C(15000000000)),
			UINT64_C(15000000000));
}

CSG_SUITE(guest, host_time, CSG_TEST(a_virtual_timestamp_is_the_hosts_time),
	  CSG_TEST(another_counter_tells_nothing), CSG_TEST(a_timestamp_that_goes_back_is_a_guests),
	  CSG_TEST(a_timestamp_outside_its_piece_is_a_guests),
	  CSG_TEST(a_timestamp_outside_the_recording_is_a_guests));
