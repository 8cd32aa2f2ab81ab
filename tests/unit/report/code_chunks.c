/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/code_chunks.h"

#include "csguest/error.h"
#include "suite.h"

static struct csg_code_chunks chunks;

static struct csg_code_count *count(uint32_t place, uint32_t code)
{
	const struct csg_code_place at = csg_code_chunks_place(&chunks, place);

	return csg_code_place_count(&at, code - chunks.base);
}

/* Makes it, and counts once. */
static int add(uint32_t place, uint32_t code)
{
	struct csg_code_count *made = NULL;
	int err = csg_code_chunks_make(&chunks, place, code, &made);

	if (!err) {
		CU_ASSERT_PTR_EQUAL(made, count(place, code));
		made->executions++;
	}
	return err;
}

static void each_place_and_code_has_a_count_of_its_own(void)
{
	csg_code_chunks_init(&chunks, 1000);
	CU_ASSERT_EQUAL(count(7, 5)->executions, 0);
	for (uint32_t place = 0; place < 10; place++)
		for (uint32_t code = 1; code < 20 * CSG_CHUNK_CODES; code += 3)
			for (uint32_t i = 0; i < code % 3 + place + 1; i++)
				CU_ASSERT_EQUAL(add(place, code), 0);
	for (uint32_t place = 0; place < 10; place++)
		for (uint32_t code = 1; code < 20 * CSG_CHUNK_CODES; code++)
			if (count(place, code)->executions !=
			    (code % 3 == 1 ? code % 3 + place + 1 : 0))
				CU_FAIL("another count");
	CU_ASSERT_EQUAL(count(10, 1)->executions, 0);
	CU_ASSERT_EQUAL(count(0, 100 * CSG_CHUNK_CODES)->executions, 0);
	csg_code_chunks_fini(&chunks);
}

static void used_chunks_are_in_order_of_code_and_place(void)
{
	csg_code_chunks_init(&chunks, 1000);
	add(2, 1);
	add(1, 5 * CSG_CHUNK_CODES);
	add(1, 2);
	add(1, 3);
	csg_code_chunks_sort(&chunks);
	CU_ASSERT_EQUAL_FATAL(chunks.used_count, 3);
	CU_ASSERT_EQUAL(chunks.used[0].place, 1);
	CU_ASSERT_EQUAL(chunks.used[1].place, 2);
	CU_ASSERT_EQUAL(chunks.used[1].chunk, 0);
	CU_ASSERT_EQUAL(chunks.used[2].chunk, 5);
	CU_ASSERT_EQUAL(csg_code_chunks_of(&chunks, &chunks.used[0])->counts[2].executions, 1);
	csg_code_chunks_fini(&chunks);
}

static void more_than_are_allowed_are_refused_until_it_is_emptied(void)
{
	csg_code_chunks_init(&chunks, 2);
	CU_ASSERT_EQUAL(add(0, 0), 0);
	CU_ASSERT_EQUAL(add(1, 0), 0);
	CU_ASSERT_EQUAL(add(2, 0), -CSG_E_LIMIT);
	CU_ASSERT_EQUAL(add(1, 1), 0);
	csg_code_chunks_empty(&chunks, 0);
	CU_ASSERT_EQUAL(chunks.used_count, 0);
	CU_ASSERT_EQUAL(count(1, 1)->executions, 0);
	CU_ASSERT_EQUAL(add(2, 1), 0);
	CU_ASSERT_EQUAL(count(2, 0)->executions, 0); /* a chunk that was used before is zero */
	CU_ASSERT_EQUAL(count(2, 1)->executions, 1);
	csg_code_chunks_fini(&chunks);
}

static void the_window_moves_when_it_is_empty(void)
{
	const uint32_t far = 5 * CSG_CHUNK_WINDOW + 3;

	csg_code_chunks_init(&chunks, 10);
	CU_ASSERT_EQUAL(add(0, CSG_CHUNK_WINDOW - 1), 0);
	CU_ASSERT_EQUAL(add(0, far), -CSG_E_LIMIT);
	csg_code_chunks_empty(&chunks, far);
	CU_ASSERT_EQUAL(chunks.base % CSG_CHUNK_CODES, 0);
	CU_ASSERT_EQUAL(add(0, far), 0);
	CU_ASSERT_EQUAL(add(0, far - CSG_CHUNK_WINDOW / 2 + 1), 0);
	CU_ASSERT_EQUAL(add(0, far + CSG_CHUNK_WINDOW / 2 - CSG_CHUNK_CODES), 0);
	CU_ASSERT_EQUAL(count(0, far)->executions, 1);
	CU_ASSERT_EQUAL(add(0, 1), -CSG_E_LIMIT);
	CU_ASSERT_EQUAL(count(0, 1)->executions, 0);
	csg_code_chunks_fini(&chunks);
}

CSG_SUITE(report, code_chunks, CSG_TEST(each_place_and_code_has_a_count_of_its_own),
	  CSG_TEST(used_chunks_are_in_order_of_code_and_place),
	  CSG_TEST(more_than_are_allowed_are_refused_until_it_is_emptied),
	  CSG_TEST(the_window_moves_when_it_is_empty));
