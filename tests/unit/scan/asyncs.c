/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/asyncs.h"
#include "suite.h"

static void the_next_from_an_index_on_is_found(void)
{
	static struct csg_asyncs a;

	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 0), UINT64_MAX);
	for (uint64_t i = 0; i < 10; i++)
		csg_asyncs_add(&a, 1000 * i);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 0), 0);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 1), 1000);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 8000), 8000);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 9001), UINT64_MAX);
}

static void those_close_after_another_are_left_out(void)
{
	static struct csg_asyncs a;

	csg_asyncs_add(&a, 100);
	csg_asyncs_add(&a, 100 + CSG_ASYNCS_DISTANCE - 1);
	csg_asyncs_add(&a, 100 + CSG_ASYNCS_DISTANCE);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 101), 100 + CSG_ASYNCS_DISTANCE);
}

static void an_earlier_index_begins_another_piece(void)
{
	static struct csg_asyncs a;

	csg_asyncs_add(&a, 100000);
	csg_asyncs_add(&a, 16);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 0), 16);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 17), UINT64_MAX);
}

static void a_full_ring_takes_more_when_it_was_read(void)
{
	static struct csg_asyncs a;
	const uint64_t n = 3 * CSG_ASYNCS;

	for (uint64_t i = 0; i < n; i++)
		csg_asyncs_add(&a, i * CSG_ASYNCS_DISTANCE);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, n * CSG_ASYNCS_DISTANCE), UINT64_MAX);
	csg_asyncs_add(&a, n * CSG_ASYNCS_DISTANCE);
	CU_ASSERT_EQUAL(csg_asyncs_next(&a, 0), n * CSG_ASYNCS_DISTANCE);
}

static void the_ring_goes_around(void)
{
	static struct csg_asyncs a;

	for (uint64_t i = 0; i < 3 * CSG_ASYNCS; i++) {
		csg_asyncs_add(&a, i * CSG_ASYNCS_DISTANCE);
		CU_ASSERT_EQUAL(csg_asyncs_next(&a, i * CSG_ASYNCS_DISTANCE),
				i * CSG_ASYNCS_DISTANCE);
	}
}

CSG_SUITE(scan, asyncs, CSG_TEST(the_next_from_an_index_on_is_found),
	  CSG_TEST(those_close_after_another_are_left_out),
	  CSG_TEST(an_earlier_index_begins_another_piece),
	  CSG_TEST(a_full_ring_takes_more_when_it_was_read), CSG_TEST(the_ring_goes_around));
