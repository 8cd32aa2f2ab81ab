/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/array.h"

#include <stdint.h>
#include <stdlib.h>

#include "csguest/error.h"
#include "suite.h"

static void an_array_grows_and_keeps_what_it_has(void)
{
	size_t capacity = 0;
	int *array = NULL;

	for (int i = 0; i < 1000; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_array_grow((void **)&array, i, &capacity, sizeof(int)),
				      0);
		array[i] = i;
	}
	CU_ASSERT_EQUAL(array[0] + array[999], 999);
	CU_ASSERT_TRUE(capacity >= 1000 && capacity < 4000);
	free(array);
}

static void a_capacity_is_reserved_at_once_and_never_shrinks(void)
{
	size_t capacity = 0, before;
	char *array = NULL;

	CU_ASSERT_EQUAL_FATAL(csg_array_reserve((void **)&array, &capacity, 1000, 1), 0);
	CU_ASSERT_FATAL(capacity >= 1000);
	array[999] = 'x';
	before = capacity;
	CU_ASSERT_EQUAL(csg_array_reserve((void **)&array, &capacity, 1000, 1), 0);
	CU_ASSERT_EQUAL(csg_array_reserve((void **)&array, &capacity, SIZE_MAX / 2, 1),
			-CSG_E_NO_MEMORY);
	CU_ASSERT_EQUAL(capacity, before);
	CU_ASSERT_EQUAL_FATAL(csg_array_reserve((void **)&array, &capacity, before + 1, 1), 0);
	CU_ASSERT(capacity >= 2 * before);
	CU_ASSERT_EQUAL(array[999], 'x');
	free(array);
}

static void an_array_reaches_an_index_and_is_zero_up_to_it(void)
{
	const uint64_t none = 0;
	uint64_t *array = NULL;
	size_t count = 0, before;

	CU_ASSERT_EQUAL_FATAL(csg_array_reach((void **)&array, &count, 0, sizeof(*array)), 0);
	CU_ASSERT_FATAL(count > 0);
	for (size_t i = 0; i < count; i++)
		array[i] = i + 1;
	before = count;
	CU_ASSERT_EQUAL_FATAL(csg_array_reach((void **)&array, &count, before, sizeof(*array)), 0);
	CU_ASSERT_FATAL(count > before);
	CU_ASSERT_EQUAL(array[before - 1], before);
	for (size_t i = before; i < count; i++)
		CU_ASSERT_EQUAL(array[i], none);
	before = count;
	CU_ASSERT_EQUAL(csg_array_reach((void **)&array, &count, 1, sizeof(*array)), 0);
	CU_ASSERT_EQUAL(count, before);
	CU_ASSERT_EQUAL(csg_array_reach((void **)&array, &count, SIZE_MAX / 8, sizeof(*array)),
			-CSG_E_NO_MEMORY);
	CU_ASSERT_EQUAL(count, before);
	free(array);
}

static void an_added_element_is_zero_and_counted(void)
{
	struct {
		uint32_t a, b;
	} *array = NULL, *last;
	size_t n = 0, capacity = 0;

	for (uint32_t i = 0; i < 100; i++) {
		last = csg_array_add(&array, &n, &capacity, sizeof(*array));
		CU_ASSERT_PTR_NOT_NULL_FATAL(last);
		CU_ASSERT_EQUAL(last->a, 0);
		*last = (typeof(*last)){i, i};
	}
	CU_ASSERT_EQUAL(n, 100);
	CU_ASSERT(capacity >= n);
	CU_ASSERT_EQUAL(array[0].a, 0);
	CU_ASSERT_EQUAL(array[99].b, 99);
	free(array);
}

CSG_SUITE(util, array, CSG_TEST(an_array_grows_and_keeps_what_it_has),
	  CSG_TEST(a_capacity_is_reserved_at_once_and_never_shrinks),
	  CSG_TEST(an_array_reaches_an_index_and_is_zero_up_to_it),
	  CSG_TEST(an_added_element_is_zero_and_counted));
