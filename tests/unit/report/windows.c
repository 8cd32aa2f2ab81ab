/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_lookup.h"
#include "report/windows.h"

#define HOST 1 /* owners, see fake_lookup.h */
#define GUEST 2

/* A tick is 10 ns. */
static uint64_t time_of(void *arg, uint64_t timestamp)
{
	(void)arg;
	return 10 * timestamp;
}

static struct csg_windows begin(void)
{
	return (struct csg_windows){.lookup = &fake_lookup, .source = {.time = time_of}};
}

static bool ends(uint8_t gap, uint8_t el, bool hyp_untraced)
{
	struct csg_windows w = begin();

	w.hyp_untraced = hyp_untraced;
	return csg_windows_end_at(
		&w, &(struct csg_element){.kind = CSG_ELEMENT_GAP, .gap = gap, .el = el});
}

static void a_window_ends_where_tracing_was_off(void)
{
	CU_ASSERT(ends(CSG_GAP_TRACE_ON, 0, false));
	CU_ASSERT(ends(CSG_GAP_TRACE_ON, 2, false));
	CU_ASSERT(ends(CSG_GAP_BUFFER, 0, false));
	CU_ASSERT(ends(CSG_GAP_TRUNCATED, 0, false));
	CU_ASSERT_FALSE(ends(CSG_GAP_OVERFLOW, 0, false));
	CU_ASSERT_FALSE(ends(CSG_GAP_NO_CODE, 0, false));
	CU_ASSERT_FALSE(ends(CSG_GAP_GUEST, 0, false));
}

static void a_call_of_an_untraced_el2_ends_none(void)
{
	CU_ASSERT_FALSE(ends(CSG_GAP_TRACE_ON, CSG_EL2, true));
	CU_ASSERT(ends(CSG_GAP_TRACE_ON, CSG_EL1, true));
}

static void stamp(struct csg_windows *w, uint32_t owner, uint64_t timestamp, uint64_t host)
{
	csg_windows_add(w, &(struct csg_element){.kind = CSG_ELEMENT_TIMESTAMP,
						 .owner = owner,
						 .timestamp = timestamp,
						 .start = host});
}

static void run(struct csg_windows *w, uint32_t n)
{
	csg_windows_add(w, &(struct csg_element){.kind = CSG_ELEMENT_RANGE, .instructions = n});
}

/* 100 instructions, between timestamps 50 of them in 25 ns. */
static void window(struct csg_windows *w)
{
	run(w, 10);
	stamp(w, HOST, 1000, 10000);
	run(w, 50);
	stamp(w, HOST, 1002, 10025);
	run(w, 40);
	csg_windows_end(w);
}

/* 40 windows take 25 ns and, as others take 1/2 ns, 25 more. */
static void the_factor_is_all_time_by_that_of_windows(void)
{
	struct csg_windows w = begin();

	for (int i = 0; i < 40; i++)
		window(&w);
	CU_ASSERT_EQUAL(w.sums.instructions, 4000);
	CU_ASSERT_DOUBLE_EQUAL(csg_windows_factor(&w, 20000), 10, 0.3);
	CU_ASSERT_EQUAL(csg_windows_factor(&w, 1000), 1);
	CU_ASSERT_EQUAL(csg_windows_factor(&w, 0), 0);
}

static void few_windows_with_two_timestamps_say_nothing(void)
{
	struct csg_windows w = begin();

	for (int i = 0; i < 29; i++)
		window(&w);
	run(&w, 1000);
	csg_windows_end(&w);
	CU_ASSERT_EQUAL(csg_windows_factor(&w, 20000), 0);
	window(&w);
	CU_ASSERT(csg_windows_factor(&w, 20000) > 0);
}

static void timestamps_of_two_counters_say_no_time(void)
{
	struct csg_windows w = begin();

	stamp(&w, HOST, 1000, 0);
	run(&w, 50);
	stamp(&w, GUEST, 2000, 0);
	csg_windows_end(&w);
	CU_ASSERT_EQUAL(w.sums.timed, 0);
	stamp(&w, GUEST, 2000, 0);
	run(&w, 50);
	stamp(&w, GUEST, 2001, 0);
	csg_windows_end(&w);
	CU_ASSERT_EQUAL(w.sums.timed, 1);
	CU_ASSERT_EQUAL(w.sums.time, 10);
}

static void timestamps_ten_seconds_apart_say_that_a_clock_was_set(void)
{
	struct csg_windows w = begin();

	stamp(&w, HOST, 1000, 10000);
	run(&w, 50);
	stamp(&w, HOST, 2000, 10000 + UINT64_C(10000000000));
	csg_windows_end(&w);
	CU_ASSERT_EQUAL(w.sums.timed, 0);
	CU_ASSERT_EQUAL(w.sums.time, 0);
}

static void two_windows_have_no_time_together(void)
{
	struct csg_windows w = begin();

	stamp(&w, HOST, 1000, 10000);
	run(&w, 50);
	csg_windows_end(&w);
	stamp(&w, HOST, 9000, 90000);
	csg_windows_end(&w);
	CU_ASSERT_EQUAL(w.sums.time, 0);
}

static void a_window_with_a_gap_in_it_is_incomplete(void)
{
	static const uint8_t gaps[] = {CSG_GAP_TRACE_ON, CSG_GAP_GUEST, CSG_GAP_NO_OWNER,
				       CSG_GAP_OVERFLOW};
	struct csg_windows w = begin();

	for (size_t i = 0; i < sizeof(gaps); i++) {
		csg_windows_add(&w, &(struct csg_element){.kind = CSG_ELEMENT_GAP, .gap = gaps[i]});
		run(&w, 10);
		csg_windows_end(&w);
	}
	CU_ASSERT_EQUAL(w.sums.incomplete, 2);
}

static void windows_are_timeless_where_little_is_between_timestamps(void)
{
	struct csg_windows w = {0};

	w.sums = (struct csg_windows_sums){.windows = 32, .instructions = 1000, .between = 899};
	CU_ASSERT(csg_windows_are_timeless(&w, 2));
	CU_ASSERT(!csg_windows_are_timeless(&w, 3));
	w.sums.between = 900;
	CU_ASSERT(!csg_windows_are_timeless(&w, 2));
}

CSG_SUITE(report, windows, CSG_TEST(windows_are_timeless_where_little_is_between_timestamps),
	  CSG_TEST(a_window_ends_where_tracing_was_off),
	  CSG_TEST(a_call_of_an_untraced_el2_ends_none),
	  CSG_TEST(the_factor_is_all_time_by_that_of_windows),
	  CSG_TEST(few_windows_with_two_timestamps_say_nothing),
	  CSG_TEST(timestamps_of_two_counters_say_no_time),
	  CSG_TEST(timestamps_ten_seconds_apart_say_that_a_clock_was_set),
	  CSG_TEST(two_windows_have_no_time_together),
	  CSG_TEST(a_window_with_a_gap_in_it_is_incomplete));
