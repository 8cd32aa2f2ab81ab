/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "calls/call_log.h"

static struct csg_call_log call_log;

static void add(uint32_t stream, uint64_t value)
{
	const struct csg_call_event event = {.stream = stream, .value = value};

	CU_ASSERT_EQUAL(csg_call_log_add(&call_log, &event), 0);
}

/* The next event is this one. */
static void next(uint64_t value, uint64_t time)
{
	struct csg_call_event event = {0};

	CU_ASSERT(csg_call_log_next(&call_log, &event));
	CU_ASSERT_EQUAL(event.value, value);
	CU_ASSERT_EQUAL(event.time, time);
}

static void none(void)
{
	struct csg_call_event event;

	CU_ASSERT_FALSE(csg_call_log_next(&call_log, &event));
}

static void events_between_timestamps_are_dated_by_instructions(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 1, false), 0);
	csg_call_log_stamp(&call_log, 0, 1000);
	csg_call_log_ran(&call_log, 0, 10);
	add(0, 1);
	csg_call_log_ran(&call_log, 0, 30);
	add(0, 2);
	none();
	csg_call_log_stamp(&call_log, 0, 1400);
	next(1, 1100);
	next(2, 1400);
	none();
	csg_call_log_fini(&call_log);
}

static void events_before_the_first_timestamp_are_earlier(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 1, false), 0);
	add(0, 1);
	csg_call_log_ran(&call_log, 0, 30);
	csg_call_log_stamp(&call_log, 0, 1000);
	next(1, 970);
	csg_call_log_fini(&call_log);
}

static void what_is_before_a_cut_is_not_dated_by_what_is_after_it(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 1, false), 0);
	csg_call_log_stamp(&call_log, 0, 1000);
	csg_call_log_ran(&call_log, 0, 10);
	add(0, 1);
	csg_call_log_ran(&call_log, 0, 10);
	csg_call_log_cut(&call_log, 0);
	next(1, 1010);
	csg_call_log_ran(&call_log, 0, 10);
	add(0, 2);
	none();
	csg_call_log_cut(&call_log, 0);
	csg_call_log_ran(&call_log, 0, 30);
	csg_call_log_stamp(&call_log, 0, 900000);
	next(2, 900000 - 30);
	csg_call_log_fini(&call_log);
}

static void time_never_goes_back(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 1, false), 0);
	csg_call_log_stamp(&call_log, 0, 1000);
	add(0, 1);
	csg_call_log_stamp(&call_log, 0, 900); /* counts for nothing */
	none();
	csg_call_log_stamp(&call_log, 0, 1000);
	next(1, 1000);
	csg_call_log_fini(&call_log);
}

static void streams_keep_the_order_in_which_things_happened(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 2, false), 0);
	csg_call_log_stamp(&call_log, 0, 100);
	csg_call_log_stamp(&call_log, 1, 100);
	add(0, 1);
	add(1, 2);
	add(0, 3);
	csg_call_log_stamp(&call_log, 1, 150);
	none(); /* the first waits for stream 0 */
	csg_call_log_stamp(&call_log, 0, 200);
	next(1, 200);
	next(2, 150);
	next(3, 200);
	csg_call_log_fini(&call_log);
}

static void at_the_end_time_goes_on_with_instructions(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 1, false), 0);
	csg_call_log_stamp(&call_log, 0, 100);
	csg_call_log_ran(&call_log, 0, 7);
	add(0, 1);
	csg_call_log_end(&call_log);
	next(1, 107);
	csg_call_log_fini(&call_log);
}

static void without_times_instructions_are_the_time(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 1, true), 0);
	csg_call_log_ran(&call_log, 0, 42);
	csg_call_log_stamp(&call_log, 0, 100000);
	add(0, 1);
	next(1, 42);
	csg_call_log_fini(&call_log);
}

static void memory_is_bounded(void)
{
	CU_ASSERT_EQUAL(csg_call_log_init(&call_log, 1, false), 0);
	csg_call_log_stamp(&call_log, 0, 100);
	for (uint64_t i = 0; i <= CSG_CALL_LOG_MAX; i++) {
		csg_call_log_ran(&call_log, 0, 1);
		add(0, i);
		if (i < CSG_CALL_LOG_MAX)
			continue;
		next(0, 101);
	}
	CU_ASSERT(call_log.queue.capacity <= 2 * CSG_CALL_LOG_MAX);
	csg_call_log_fini(&call_log);
}

CSG_SUITE(calls, call_log, CSG_TEST(events_between_timestamps_are_dated_by_instructions),
	  CSG_TEST(events_before_the_first_timestamp_are_earlier),
	  CSG_TEST(what_is_before_a_cut_is_not_dated_by_what_is_after_it),
	  CSG_TEST(time_never_goes_back), CSG_TEST(streams_keep_the_order_in_which_things_happened),
	  CSG_TEST(at_the_end_time_goes_on_with_instructions),
	  CSG_TEST(without_times_instructions_are_the_time), CSG_TEST(memory_is_bounded));
