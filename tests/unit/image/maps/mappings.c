/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/mappings.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static const struct csg_map *find(const struct csg_mappings *m, uint64_t addr, uint64_t time)
{
	struct csg_map_part part;

	return csg_mappings_find(m, addr, time, &part, NULL) ? part.map : NULL;
}

static void a_mapping_hides_what_it_lies_over_from_its_time_on(void)
{
	struct csg_map old = {.start = 0x1000, .end = 0x9000},
		       new = {.start = 0x3000, .end = 0x5000};
	struct csg_arena arena = {0};
	struct csg_mappings m;
	struct csg_map_part part;

	csg_mappings_init(&m, &arena, 1);
	csg_mappings_add(&m, &old, 10);
	csg_mappings_add(&m, &new, 20);
	CU_ASSERT_PTR_EQUAL(find(&m, 0x4000, 15), &old);
	CU_ASSERT_PTR_EQUAL(find(&m, 0x4000, 20), &new);
	CU_ASSERT_PTR_EQUAL(find(&m, 0x2fff, 20), &old);
	CU_ASSERT_PTR_EQUAL(find(&m, 0x5000, UINT64_MAX), &old);
	CU_ASSERT_TRUE(csg_mappings_find(&m, 0x2000, 20, &part, NULL));
	CU_ASSERT_EQUAL(part.start, 0x1000);
	CU_ASSERT_EQUAL(part.end, 0x3000);
	CU_ASSERT_PTR_NULL(find(&m, 0x9000, 20));
	CU_ASSERT_PTR_NULL(find(&m, 0xfff, 20));
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

/* What is mapped later at one address says nothing of the addresses beside it. */
static void a_part_of_a_later_time_leaves_out_what_was_there_before(void)
{
	struct csg_map low = {.start = 0x1000, .end = 0x2000},
		       high = {.start = 0x6000, .end = 0x7000},
		       all = {.start = 0x1000, .end = 0x9000};
	struct csg_arena arena = {0};
	struct csg_mappings m;
	struct csg_map_part part;

	csg_mappings_init(&m, &arena, 1);
	csg_mappings_add(&m, &low, 10);
	csg_mappings_add(&m, &high, 10);
	csg_mappings_add(&m, &all, 20);
	CU_ASSERT_TRUE(csg_mappings_find(&m, 0x4000, 15, &part, NULL));
	CU_ASSERT_PTR_EQUAL(part.map, &all);
	CU_ASSERT_EQUAL(part.start, 0x2000);
	CU_ASSERT_EQUAL(part.end, 0x6000);
	CU_ASSERT_TRUE(csg_mappings_find_steady(&m, 0x4000, &part));
	CU_ASSERT_EQUAL(part.start, 0x2000);
	CU_ASSERT_EQUAL(part.end, 0x6000);
	CU_ASSERT_TRUE(csg_mappings_find(&m, 0x4000, 20, &part, NULL));
	CU_ASSERT_EQUAL(part.start, 0x1000);
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

static void a_steady_part_is_the_same_in_all_versions_that_have_one(void)
{
	struct csg_object *file = (struct csg_object *)1, *other = (struct csg_object *)2;
	struct csg_map sh = {.start = 0x1000, .end = 0x9000, .object = file},
		       again = {.start = 0x2000, .end = 0x8000, .pgoff = 0x1000, .object = file},
		       shifted = {.start = 0x6000, .end = 0x7000, .pgoff = 0x6000, .object = file},
		       ls = {.start = 0x4000, .end = 0x5000, .pgoff = 0x3000, .object = other};
	struct csg_arena arena = {0};
	struct csg_mappings m;
	struct csg_map_part part;

	csg_mappings_init(&m, &arena, 1);
	csg_mappings_add(&m, &sh, 10);
	csg_mappings_clear(&m, 20);
	csg_mappings_add(&m, &again, 30);
	csg_mappings_add(&m, &ls, 40);
	csg_mappings_add(&m, &shifted, 50);
	CU_ASSERT_TRUE(csg_mappings_find_steady(&m, 0x3000, &part));
	CU_ASSERT_EQUAL(part.start, 0x2000);
	CU_ASSERT_EQUAL(part.end, 0x4000);
	CU_ASSERT_TRUE(csg_mappings_find_steady(&m, 0x1800, &part));
	/* What comes later begins at 0x2000. */
	CU_ASSERT_EQUAL(part.end, 0x2000);
	CU_ASSERT_FALSE(csg_mappings_find_steady(&m, 0x4800, &part));
	CU_ASSERT_FALSE(csg_mappings_find_steady(&m, 0x6800, &part));
	CU_ASSERT_FALSE(csg_mappings_find_steady(&m, 0x800, &part));
	CU_ASSERT_TRUE(csg_mappings_ever(&m, 0x4800));
	CU_ASSERT_FALSE(csg_mappings_ever(&m, 0x800));
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

static void what_is_mapped_next_counts_before_its_time_but_not_over_an_exec(void)
{
	struct csg_map a = {.start = 0x1000, .end = 0x2000}, b = {.start = 0x8000, .end = 0x9000},
		       c = {.start = 0xa000, .end = 0xb000};
	struct csg_arena arena = {0};
	struct csg_mappings m;

	csg_mappings_init(&m, &arena, 1);
	csg_mappings_clear(&m, 5);
	csg_mappings_add(&m, &a, 10);
	csg_mappings_add(&m, &b, 20);
	csg_mappings_clear(&m, 30);
	csg_mappings_add(&m, &c, 40);
	CU_ASSERT_PTR_EQUAL(find(&m, 0x1000, 1), &a);
	CU_ASSERT_PTR_EQUAL(find(&m, 0x8000, 12), &b);
	CU_ASSERT_PTR_NULL(find(&m, 0xa000, 12));
	CU_ASSERT_PTR_EQUAL(find(&m, 0xa000, 30), &c);
	CU_ASSERT_PTR_NULL(find(&m, 0x1000, 30));
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

static void a_child_inherits_and_goes_its_own_way(void)
{
	struct csg_map a = {.start = 0x1000, .end = 0x2000}, b = {.start = 0x1000, .end = 0x2000};
	struct csg_arena arena = {0};
	struct csg_mappings parent, child;

	csg_mappings_init(&parent, &arena, 1);
	csg_mappings_init(&child, &arena, 2);
	csg_mappings_add(&parent, &a, 10);
	csg_mappings_inherit(&child, &parent, 20);
	csg_mappings_add(&parent, &b, 30);
	CU_ASSERT_PTR_EQUAL(find(&child, 0x1800, 25), &a);
	CU_ASSERT_PTR_EQUAL(find(&child, 0x1800, 35), &a);
	CU_ASSERT_PTR_EQUAL(find(&parent, 0x1800, 35), &b);
	csg_mappings_add(&child, &b, 40);
	CU_ASSERT_PTR_EQUAL(find(&child, 0x1800, 40), &b);
	CU_ASSERT_PTR_EQUAL(find(&parent, 0x1800, 25), &a);
	csg_mappings_fini(&parent);
	csg_mappings_fini(&child);
	csg_arena_fini(&arena);
}

static void until_says_when_the_answer_ends(void)
{
	struct csg_map a = {.start = 0x1000, .end = 0x2000}, b = {.start = 0x1000, .end = 0x2000},
		       other = {.start = 0x8000, .end = 0x9000};
	struct csg_arena arena = {0};
	struct csg_mappings m;
	struct csg_map_part part;
	uint64_t until;

	csg_mappings_init(&m, &arena, 1);
	csg_mappings_add(&m, &a, 10);
	csg_mappings_add(&m, &other, 20);
	csg_mappings_add(&m, &b, 30);
	csg_mappings_find(&m, 0x1000, 10, &part, &until);
	CU_ASSERT_EQUAL(until, 30);
	csg_mappings_find(&m, 0x1000, 30, &part, &until);
	CU_ASSERT_EQUAL(until, UINT64_MAX);
	CU_ASSERT_FALSE(csg_mappings_find(&m, 0x3000, 10, &part, &until));
	CU_ASSERT_EQUAL(until, UINT64_MAX);
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

static void an_event_out_of_order_counts_as_the_last(void)
{
	struct csg_map a = {.start = 0x1000, .end = 0x2000}, b = {.start = 0x1000, .end = 0x2000};
	struct csg_arena arena = {0};
	struct csg_mappings m;

	csg_mappings_init(&m, &arena, 1);
	csg_mappings_add(&m, &a, 10);
	csg_mappings_add(&m, &b, 3);
	CU_ASSERT_PTR_EQUAL(find(&m, 0x1000, 10), &b);
	csg_mappings_remove(&m, 0x1800, UINT64_MAX, 50);
	CU_ASSERT_PTR_NULL(find(&m, 0x1800, 50));
	CU_ASSERT_PTR_EQUAL(find(&m, 0x17ff, 50), &b);
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

static void what_fills_a_gap_stays_out_of_the_child(void)
{
	enum { COUNT = 40 };
	static struct csg_map maps[COUNT];
	struct csg_map own = {.start = 0x1000, .end = 0x1800};
	struct csg_arena arena = {0};
	struct csg_mappings parent, child;
	int wrong = 0;

	csg_mappings_init(&parent, &arena, 1);
	csg_mappings_init(&child, &arena, 2);
	for (uint64_t i = 0; i < COUNT; i++)
		maps[i] = (struct csg_map){.start = i * 0x1000, .end = i * 0x1000 + 0x1000};
	for (int i = 0; i < COUNT; i += 2)
		csg_mappings_add(&parent, &maps[i], 10);
	csg_mappings_inherit(&child, &parent, 20);
	for (int i = 1; i < COUNT; i += 2)
		csg_mappings_add(&parent, &maps[i], 30);
	csg_mappings_add(&child, &own, 50);
	for (int i = 0; i < COUNT; i++) {
		wrong += find(&parent, maps[i].start, 60) != &maps[i];
		if (i != 1)
			wrong += find(&child, maps[i].start, 60) != (i % 2 ? NULL : &maps[i]);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_PTR_EQUAL(find(&child, 0x1000, 60), &own);
	CU_ASSERT_PTR_NULL(find(&child, 0x1800, 60));
	csg_mappings_fini(&parent);
	csg_mappings_fini(&child);
	csg_arena_fini(&arena);
}

static void many_mappings_side_by_side_need_one_version(void)
{
	enum { COUNT = 20000 };
	static struct csg_map maps[COUNT];
	struct csg_arena arena = {0};
	struct csg_mappings m;
	int wrong = 0;

	csg_mappings_init(&m, &arena, 1);
	for (uint64_t i = 0; i < COUNT; i++) {
		uint64_t at = i * 7919 % COUNT * 0x1000;

		maps[i] = (struct csg_map){.start = at, .end = at + 0x1000};
		csg_mappings_add(&m, &maps[i], i);
	}
	CU_ASSERT_EQUAL(m.count, 1);
	for (uint64_t i = 0; i < COUNT; i++)
		wrong += find(&m, maps[i].start + 0xfff, UINT64_MAX) != &maps[i];
	CU_ASSERT_EQUAL(wrong, 0);
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

/* Every version against a plain array of what each page holds. */
static void every_version_agrees_with_a_plain_model(void)
{
	enum { PAGES = 64, STEPS = 250 };
	static struct csg_map maps[STEPS];
	static const struct csg_map *model[STEPS][PAGES];
	struct csg_arena arena = {0};
	struct csg_mappings m;
	size_t wrong = 0;

	srand(7);
	csg_mappings_init(&m, &arena, 99);
	for (int i = 0; i < STEPS; i++) {
		unsigned int from = rand() % PAGES, to = from + 1 + rand() % (PAGES - from);
		bool remove = rand() % 8 == 0;

		if (i)
			memcpy(model[i], model[i - 1], sizeof(model[i]));
		maps[i] = (struct csg_map){.start = from * 0x1000, .end = to * 0x1000};
		if (remove)
			csg_mappings_remove(&m, maps[i].start, maps[i].end, i);
		else
			csg_mappings_add(&m, &maps[i], i);
		for (unsigned int p = from; p < to; p++)
			model[i][p] = remove ? NULL : &maps[i];
	}
	for (int i = 0; i < STEPS; i++) {
		for (int p = 0; p < PAGES; p++) {
			/* What is not mapped yet is looked for in later versions. */
			const struct csg_map *want = model[i][p];

			for (int j = i + 1; !want && j < STEPS; j++)
				want = model[j][p];
			wrong += find(&m, p * 0x1000 + 0x800, i) != want;
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	csg_mappings_fini(&m);
	csg_arena_fini(&arena);
}

CSG_SUITE(image_maps, mappings, CSG_TEST(a_mapping_hides_what_it_lies_over_from_its_time_on),
	  CSG_TEST(a_part_of_a_later_time_leaves_out_what_was_there_before),
	  CSG_TEST(a_steady_part_is_the_same_in_all_versions_that_have_one),
	  CSG_TEST(what_is_mapped_next_counts_before_its_time_but_not_over_an_exec),
	  CSG_TEST(a_child_inherits_and_goes_its_own_way),
	  CSG_TEST(until_says_when_the_answer_ends),
	  CSG_TEST(an_event_out_of_order_counts_as_the_last),
	  CSG_TEST(what_fills_a_gap_stays_out_of_the_child),
	  CSG_TEST(many_mappings_side_by_side_need_one_version),
	  CSG_TEST(every_version_agrees_with_a_plain_model));
