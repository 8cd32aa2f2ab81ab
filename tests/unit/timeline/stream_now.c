/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "timeline/stream_now.h"

static struct csg_stream_now now;
static const struct csg_chunk chunk = {.begin_time = 100, .time = 9000000};

/* A batch of that time, which begins with a timestamp; it then is so late. */
static uint64_t at(uint64_t time, uint64_t stamp)
{
	const struct csg_batch batch = {.time = time, .chunk = &chunk};

	csg_stream_now_batch(&now, &batch, stamp);
	return now.time;
}

static void a_known_time_is_it(void)
{
	now = (struct csg_stream_now){0};
	CU_ASSERT_EQUAL(at(500, 500), 500);
	CU_ASSERT_EQUAL(at(700, 0), 700);
	/* Also one that is earlier. */
	CU_ASSERT_EQUAL(at(600, 600), 600);
}

static void without_any_it_is_the_begin_of_the_chunk(void)
{
	const struct csg_batch undated = {0};

	now = (struct csg_stream_now){0};
	csg_stream_now_batch(&now, &undated, 0);
	CU_ASSERT_EQUAL(now.time, 0);
	CU_ASSERT_EQUAL(at(0, 0), 100);
}

static void a_guests_counter_shows_what_passed(void)
{
	now = (struct csg_stream_now){0};
	at(500, 500);
	/* The counter changes, and changes back. */
	CU_ASSERT_EQUAL(at(0, 50000000), 500);
	CU_ASSERT_EQUAL(at(0, 50000300), 800);
	CU_ASSERT_EQUAL(at(0, 0), 800);
	CU_ASSERT_EQUAL(at(0, 50000400), 900);
	CU_ASSERT_EQUAL(at(0, 1000), 900);
	CU_ASSERT_EQUAL(at(0, 1100), 1000);
	CU_ASSERT_EQUAL(at(950, 950), 950);
}

static void it_does_not_pass_the_end_of_the_chunk(void)
{
	now = (struct csg_stream_now){.time = 8999999, .stamp = 20};
	CU_ASSERT_EQUAL(at(0, 120), 9000000);
}

CSG_SUITE(timeline, stream_now, CSG_TEST(a_known_time_is_it),
	  CSG_TEST(without_any_it_is_the_begin_of_the_chunk),
	  CSG_TEST(a_guests_counter_shows_what_passed),
	  CSG_TEST(it_does_not_pass_the_end_of_the_chunk));
