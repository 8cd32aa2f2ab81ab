/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/arena.h"

#include <stdint.h>
#include <string.h>

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

static void room_is_whatever_it_was_and_apart(void)
{
	struct csg_arena arena = {0};
	char *a = csg_arena_alloc(&arena, 16), *capacity = csg_arena_room(&arena, 100);
	char *b = csg_arena_alloc(&arena, 16);

	CU_ASSERT_PTR_NOT_NULL_FATAL(capacity);
	memset(capacity, 0xff, 100);
	CU_ASSERT_PTR_EQUAL(b, a + 16);
	CU_ASSERT_EQUAL(b[0], 0);
	CU_ASSERT_PTR_NULL(csg_arena_room(&arena, SIZE_MAX));
	csg_arena_fini(&arena);
}

CSG_SUITE(util, arena, CSG_TEST(pieces_are_zero_aligned_and_apart),
	  CSG_TEST(room_is_whatever_it_was_and_apart),
	  CSG_TEST(a_large_piece_does_not_end_the_current_block), CSG_TEST(strings_are_copied));
