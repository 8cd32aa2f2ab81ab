/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "timeline/slice_clock.h"

static struct csg_slice_clock clock;
static struct csg_slice slices[8];

static void slice_at(uint64_t index, uint32_t owner)
{
	CU_ASSERT_EQUAL_FATAL(
		csg_slice_clock_push(&clock, &(struct csg_slice){.index = index, .owner = owner}),
		0);
}

/* Takes all that are dated. */
static size_t take(void)
{
	size_t n = 0;

	while (n < 8 && csg_slice_clock_next(&clock, &slices[n]))
		n++;
	return n;
}

static void spans(size_t i, uint64_t begin, uint64_t end)
{
	CU_ASSERT_EQUAL(slices[i].begin, begin);
	CU_ASSERT_EQUAL(slices[i].end, end);
}

static void time_between_two_timestamps_is_shared_by_bytes(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(100, 1);
	csg_slice_clock_mark(&clock, 100, 1000, CSG_CLOCK_HOST, 0);
	slice_at(110, 2);
	slice_at(140, 3);
	csg_slice_clock_mark(&clock, 200, 2000, CSG_CLOCK_HOST, 0);
	CU_ASSERT_EQUAL(take(), 2);
	spans(0, 1000, 1100);
	spans(1, 1100, 1400);
	csg_slice_clock_end(&clock, 200, 0);
	CU_ASSERT_EQUAL(take(), 1);
	spans(0, 1400, 2000);
	csg_slice_clock_fini(&clock);
}

static void what_ran_before_the_first_timestamp_is_counted_back(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	slice_at(50, 2);
	csg_slice_clock_mark(&clock, 100, 5000, CSG_CLOCK_HOST, 0);
	csg_slice_clock_end(&clock, 100, 0);
	CU_ASSERT_EQUAL(take(), 2);
	spans(0, 4800, 4900); /* 2 a byte, before anything is known */
	spans(1, 4900, 5000);
	csg_slice_clock_fini(&clock);
}

static void lost_trace_gets_what_bytes_do_not_account_for(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	csg_slice_clock_mark(&clock, 0, 1000, CSG_CLOCK_HOST, 0);
	csg_slice_clock_mark(&clock, 100, 1100, CSG_CLOCK_HOST, 0); /* 1 a byte */
	slice_at(110, CSG_SLICE_LOST);
	csg_slice_clock_slack(&clock, false);
	slice_at(112, 2);
	csg_slice_clock_mark(&clock, 150, 9000, CSG_CLOCK_HOST, 0);
	csg_slice_clock_end(&clock, 150, 0);
	CU_ASSERT_EQUAL(take(), 3);
	spans(0, 1000, 1110);
	spans(1, 1110, 8962);
	spans(2, 8962, 9000);
	csg_slice_clock_fini(&clock);
}

/* A guest's counter is after by years; how much passes on it counts all the same. */
static void another_clock_tells_how_much_passed(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	csg_slice_clock_mark(&clock, 0, 1000000, CSG_CLOCK_HOST, 0);
	slice_at(10, 2);
	csg_slice_clock_mark(&clock, 20, 50, 7, 0);
	slice_at(40, 3); /* by bytes it would be in the middle */
	csg_slice_clock_mark(&clock, 60, 4050, 7, 0);
	slice_at(70, 4);
	csg_slice_clock_mark(&clock, 80, 1004400, CSG_CLOCK_HOST, 0);
	csg_slice_clock_end(&clock, 80, 0);
	CU_ASSERT_EQUAL(take(), 4);
	CU_ASSERT_EQUAL(slices[0].begin, 1000000);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(slices[i].end, slices[i + 1].begin);
	CU_ASSERT(slices[2].begin > 1001400 && slices[2].begin < 1001600);
	CU_ASSERT(slices[3].begin > 1003500 && slices[3].begin < 1004400);
	CU_ASSERT_EQUAL(slices[3].end, 1004400);
	csg_slice_clock_fini(&clock);
}

/* A clock, and then, perhaps after a step back, another one 2 ms ahead. */
static void change_clocks(uint64_t one, bool goes_back, uint64_t other)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	csg_slice_clock_mark(&clock, 0, 3000000, one, 0);
	csg_slice_clock_mark(&clock, 100, 3000100, one, 0); /* 1 a byte */
	if (goes_back)
		csg_slice_clock_mark(&clock, 105, 1000105, CSG_CLOCK_UNSURE, 0);
	slice_at(110, 2);
	csg_slice_clock_mark(&clock, 120, 5000120, other, 0);
	csg_slice_clock_mark(&clock, 200, 5000200, other, 0);
	csg_slice_clock_end(&clock, 200, 9000000);
	CU_ASSERT_EQUAL(take(), 2);
	csg_slice_clock_fini(&clock);
}

static void nothing_is_counted(void)
{
	spans(0, 8999800, 8999910);
	spans(1, 8999910, 9000000);
}

/* Offsets of VMs may be milliseconds: bytes say that this is no time that passed. */
static void a_clock_that_was_changed_tells_nothing(void)
{
	change_clocks(7, false, CSG_CLOCK_UNSURE);
	nothing_is_counted();
	change_clocks(CSG_CLOCK_GUEST, false, CSG_CLOCK_GUEST);
	nothing_is_counted();
	change_clocks(7, false, 8);
	nothing_is_counted();
	change_clocks(CSG_CLOCK_UNSURE, true, CSG_CLOCK_UNSURE);
	nothing_is_counted();
	/* Where no guest ran and no clock went back, it was not changed. */
	change_clocks(CSG_CLOCK_UNSURE, false, CSG_CLOCK_UNSURE);
	CU_ASSERT_EQUAL(slices[0].begin, 9000000 - 2000200);
}

static void a_guests_time_passes_however_few_bytes_there_are(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	csg_slice_clock_mark(&clock, 0, 1000, 7, 0);
	csg_slice_clock_mark(&clock, 100, 1100, 7, 0);
	slice_at(110, 2);
	csg_slice_clock_mark(&clock, 120, 5001120, 7, 0);
	csg_slice_clock_end(&clock, 120, 6000000);
	CU_ASSERT_EQUAL(take(), 2);
	CU_ASSERT_EQUAL(slices[1].end - slices[0].begin, 5000120);
	csg_slice_clock_fini(&clock);
}

static void time_never_runs_backwards(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	csg_slice_clock_mark(&clock, 0, 1000, CSG_CLOCK_HOST, 0);
	slice_at(10, 2);
	csg_slice_clock_mark(&clock, 20, 500, CSG_CLOCK_HOST, 0);
	slice_at(30, 3);
	csg_slice_clock_mark(&clock, 40, 2000, CSG_CLOCK_HOST, 0);
	csg_slice_clock_end(&clock, 40, 0);
	CU_ASSERT_EQUAL(take(), 3);
	for (int i = 0; i < 3; i++)
		CU_ASSERT(slices[i].begin <= slices[i].end);
	CU_ASSERT_EQUAL(slices[0].begin, 1000);
	CU_ASSERT_EQUAL(slices[2].end, 2000);
	csg_slice_clock_fini(&clock);
}

static void without_timestamps_bytes_are_the_time(void)
{
	csg_slice_clock_init(&clock, true);
	slice_at(5, 1);
	slice_at(70, 2);
	CU_ASSERT_EQUAL(take(), 1);
	spans(0, 5, 70);
	csg_slice_clock_mark(&clock, 80, 12345, CSG_CLOCK_HOST, 0);
	csg_slice_clock_end(&clock, 99, 0);
	CU_ASSERT_EQUAL(take(), 1);
	spans(0, 70, 99);
	csg_slice_clock_fini(&clock);
}

static void the_end_is_when_the_recording_says_if_nothing_else_does(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	csg_slice_clock_end(&clock, 100, 7000);
	CU_ASSERT_EQUAL(take(), 1);
	spans(0, 6800, 7000);
	csg_slice_clock_fini(&clock);
}

static void slices_without_any_timestamp_do_not_pile_up(void)
{
	struct csg_slice slice;
	uint64_t last = 0;
	size_t n = 0;

	csg_slice_clock_init(&clock, false);
	for (uint32_t i = 0; i < 300000; i++) {
		slice_at(10 * i, i);
		for (; csg_slice_clock_next(&clock, &slice); n++) {
			CU_ASSERT_EQUAL(slice.owner, n);
			CU_ASSERT(slice.begin >= last);
			last = slice.begin;
		}
		if (i % 1000 == 999) /* a guest's clock, which never anchors */
			csg_slice_clock_mark(&clock, 10 * i + 5, 77 + i, false, 0);
	}
	CU_ASSERT(n > 200000);
	CU_ASSERT(clock.capacity < 300000);
	csg_slice_clock_fini(&clock);
}

/* The second slice stood still in a guest, the third otherwise. */
static void what_guests_had_is_the_slices_in_which_they_ran(void)
{
	csg_slice_clock_init(&clock, false);
	slice_at(0, 1);
	csg_slice_clock_mark(&clock, 0, 1000, CSG_CLOCK_HOST, 0);
	csg_slice_clock_mark(&clock, 100, 1100, CSG_CLOCK_HOST, 0); /* 1 a byte */
	slice_at(100, 2);
	csg_slice_clock_slack(&clock, true);
	slice_at(110, 3);
	csg_slice_clock_slack(&clock, false);
	slice_at(120, 4);
	csg_slice_clock_mark(&clock, 150, 2150, CSG_CLOCK_HOST, 700);
	CU_ASSERT_EQUAL(csg_slice_clock_marked(&clock), 2150);
	CU_ASSERT_EQUAL(take(), 3);
	spans(0, 1000, 1100);
	spans(1, 1100, 1810);
	/* 50 bytes have 50 of the 350 that are left. */
	spans(2, 1810, 2120);
	csg_slice_clock_fini(&clock);
}

CSG_SUITE(timeline, slice_clock, CSG_TEST(time_between_two_timestamps_is_shared_by_bytes),
	  CSG_TEST(what_ran_before_the_first_timestamp_is_counted_back),
	  CSG_TEST(lost_trace_gets_what_bytes_do_not_account_for),
	  CSG_TEST(another_clock_tells_how_much_passed),
	  CSG_TEST(a_clock_that_was_changed_tells_nothing),
	  CSG_TEST(a_guests_time_passes_however_few_bytes_there_are),
	  CSG_TEST(time_never_runs_backwards), CSG_TEST(without_timestamps_bytes_are_the_time),
	  CSG_TEST(the_end_is_when_the_recording_says_if_nothing_else_does),
	  CSG_TEST(slices_without_any_timestamp_do_not_pile_up),
	  CSG_TEST(what_guests_had_is_the_slices_in_which_they_ran));
