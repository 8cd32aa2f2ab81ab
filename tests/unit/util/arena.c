/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static void pieces_are_zero_aligned_and_apart(void)
{
	struct csg_arena arena = {0};
	uint8_t *pieces[300];

	for (size_t i = 0; i < 300; i++) {
		size_t size = i * 97 % 5000;

		pieces[i] = csg_arena_alloc(&arena, size);
		CU_ASSERT_PTR_NOT_NULL_FATAL(pieces[i]);
		CU_ASSERT_EQUAL((uintptr_t)pieces[i] % 16, 0);
		for (size_t j = 0; j < size; j++)
			if (pieces[i][j])
				CU_FAIL("not zero");
		memset(pieces[i], 0xff, size);
	}
	csg_arena_fini(&arena);
	csg_arena_fini(&arena);
}

static void a_large_piece_does_not_end_the_current_block(void)
{
	struct csg_arena arena = {0};
	char *a = csg_arena_alloc(&arena, 16), *big = csg_arena_alloc(&arena, 1 << 20);
	char *b = csg_arena_alloc(&arena, 16);

	CU_ASSERT_PTR_NOT_NULL(big);
	CU_ASSERT_PTR_EQUAL(b, a + 16);
	CU_ASSERT_PTR_NULL(csg_arena_alloc(&arena, SIZE_MAX));
	csg_arena_fini(&arena);
}

static void strings_are_copied(void)
{
	struct csg_arena arena = {0};

	CU_ASSERT_STRING_EQUAL(csg_arena_string(&arena, "kernel"), "kernel");
	CU_ASSERT_STRING_EQUAL(csg_arena_substring(&arena, "kernel", 4), "kern");
	csg_arena_fini(&arena);
}

static void an_array_grows_and_keeps_what_it_has(void)
{
	size_t room = 0;
	int *array = NULL;

	for (int i = 0; i < 1000; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_array_grow((void **)&array, i, &room, sizeof(int)), 0);
		array[i] = i;
	}
	CU_ASSERT_EQUAL(array[0] + array[999], 999);
	CU_ASSERT_TRUE(room >= 1000 && room < 4000);
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

static void room_is_whatever_it_was_and_apart(void)
{
	struct csg_arena arena = {0};
	char *a = csg_arena_alloc(&arena, 16), *room = csg_arena_room(&arena, 100);
	char *b = csg_arena_alloc(&arena, 16);

	CU_ASSERT_PTR_NOT_NULL_FATAL(room);
	memset(room, 0xff, 100);
	CU_ASSERT_PTR_EQUAL(b, a + 16);
	CU_ASSERT_EQUAL(b[0], 0);
	CU_ASSERT_PTR_NULL(csg_arena_room(&arena, SIZE_MAX));
	csg_arena_fini(&arena);
}

CSG_SUITE(util, arena, CSG_TEST(pieces_are_zero_aligned_and_apart),
	  CSG_TEST(room_is_whatever_it_was_and_apart),
	  CSG_TEST(a_large_piece_does_not_end_the_current_block), CSG_TEST(strings_are_copied),
	  CSG_TEST(an_array_grows_and_keeps_what_it_has),
	  CSG_TEST(an_array_reaches_an_index_and_is_zero_up_to_it));
