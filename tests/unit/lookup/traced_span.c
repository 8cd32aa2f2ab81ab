/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "lookup/traced_span.h"

static void is(const struct csg_chunk *chunks, size_t n, uint64_t from, uint64_t to)
{
	uint64_t first = 1, last = 1;

	csg_traced_span(chunks, n, &first, &last);
	CU_ASSERT_EQUAL(first, from);
	CU_ASSERT_EQUAL(last, to);
}

static void it_is_from_the_first_begin_to_the_last_end(void)
{
	const struct csg_chunk chunks[] = {{.begin_time = 20, .time = 30},
					   {.begin_time = 30, .time = 40},
					   {.time = 0},
					   {.begin_time = 10, .time = 35}};

	is(chunks, 4, 10, 40);
	is(chunks, 1, 20, 30);
}

static void a_sample_holds_the_moment_before_it(void)
{
	const struct csg_chunk chunks[] = {
		{.begin_time = 5, .time = 30, .flags = CSG_CHUNK_SAMPLE},
		{.begin_time = 5, .time = 50, .flags = CSG_CHUNK_SAMPLE}};

	is(chunks, 2, 30, 50);
}

static void without_times_it_is_not_known(void)
{
	const struct csg_chunk chunks[] = {{.bytes = 5}, {.bytes = 6}};

	is(chunks, 2, 0, 0);
	is(NULL, 0, 0, 0);
}

static void a_begin_that_is_not_known_is_the_end(void)
{
	const struct csg_chunk chunks[] = {{.time = 30}, {.begin_time = 40, .time = 50}};

	is(chunks, 2, 30, 50);
}

CSG_SUITE(lookup, traced_span, CSG_TEST(it_is_from_the_first_begin_to_the_last_end),
	  CSG_TEST(a_sample_holds_the_moment_before_it), CSG_TEST(without_times_it_is_not_known),
	  CSG_TEST(a_begin_that_is_not_known_is_the_end));
