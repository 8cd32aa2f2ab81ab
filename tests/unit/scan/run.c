/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/run.h"

#include "suite.h"

/* Bytes of a stream as frames have them, each its index: 0 to 14, 16 to 30, ... */
#define SIZE 100

static uint8_t indexes[SIZE];

static struct csg_run from(size_t place, size_t n)
{
	const struct csg_run all = {.bytes = indexes, .n = SIZE, .frame = CSG_FRAME_DATA};

	for (size_t i = 0; i < SIZE; i++)
		indexes[i] = (uint8_t)(i + i / 15);
	return csg_run_part(&all, place, n);
}

static void a_part_knows_where_its_bytes_lie(void)
{
	size_t wrong = 0;

	for (size_t place = 0; place < SIZE; place++) {
		struct csg_run part = from(place, SIZE - place);

		for (size_t i = 0; i < part.n; i++)
			wrong += csg_run_index(&part, i) != part.bytes[i];
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void bytes_before_an_index_are_counted(void)
{
	const struct csg_run plain = {.index = 5, .bytes = indexes, .n = 10};
	size_t wrong = 0;

	for (size_t place = 0; place < SIZE; place++) {
		struct csg_run part = from(place, SIZE - place);

		for (uint64_t index = part.index; index < 120; index++) {
			size_t before = 0;

			while (before < part.n && part.bytes[before] < index)
				before++;
			wrong += csg_run_before(&part, index) != before;
		}
		wrong += csg_run_before(&part, UINT64_MAX) != part.n;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(csg_run_before(&plain, 5), 0);
	CU_ASSERT_EQUAL(csg_run_before(&plain, 14), 9);
	CU_ASSERT_EQUAL(csg_run_before(&plain, 16), 10);
	CU_ASSERT_EQUAL(csg_run_before(&plain, UINT64_MAX), 10);
}

static void what_is_cut_anywhere_goes_on(void)
{
	struct csg_run plain = {.index = 30, .n = 1};

	for (size_t place = 0; place < SIZE; place++) {
		struct csg_run first = from(0, place), second = from(place, SIZE - place);

		CU_ASSERT(csg_run_goes_on(&first, &second));
		second.index++;
		CU_ASSERT_FALSE(csg_run_goes_on(&first, &second));
		second.index--;
		second.frame = (uint8_t)(second.frame % 15 + 1);
		CU_ASSERT_FALSE(csg_run_goes_on(&first, &second));
	}
	CU_ASSERT_FALSE(csg_run_goes_on(&plain, CSG_RUN(30, indexes, 1)));
	CU_ASSERT(csg_run_goes_on(&plain, CSG_RUN(31, indexes, 1)));
}

CSG_SUITE(scan, run, CSG_TEST(a_part_knows_where_its_bytes_lie),
	  CSG_TEST(bytes_before_an_index_are_counted), CSG_TEST(what_is_cut_anywhere_goes_on));
