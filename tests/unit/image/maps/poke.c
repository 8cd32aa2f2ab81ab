/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/poke.h"

#include <string.h>

#include "suite.h"

static uint8_t base[CSG_POKE_PAGE];
static const uint8_t a[4] = {'a', 'a', 'a', 'a'}, b[4] = {'b', 'b', 'b', 'b'},
		     c[4] = {'c', 'c', 'c', 'c'};

static const struct csg_poke_version *page(struct csg_pokes *pokes, uint64_t addr, uint64_t time)
{
	const struct csg_poke_version *version;

	CU_ASSERT_EQUAL(csg_pokes_page(pokes, addr, time, base, 0, CSG_POKE_PAGE, &version), 0);
	return version;
}

static void each_time_has_its_bytes_whatever_the_image_is_of(void)
{
	/* The image may be of before, of in between, or of after the changes. */
	for (int image = 0; image < 3; image++) {
		struct csg_arena arena = {0};
		struct csg_pokes pokes = {.arena = &arena};
		const struct csg_poke_version *version;

		memset(base, 'x', sizeof(base));
		memcpy(base + 8, image == 0 ? a : image == 1 ? b : c, 4);
		csg_pokes_add(&pokes, 0x5008, 100, a, 4, b, 4);
		csg_pokes_add(&pokes, 0x5008, 200, b, 4, c, 4);
		version = page(&pokes, 0x5ff0, 99);
		CU_ASSERT_EQUAL_FATAL(memcmp(version->bytes + 7, "xaaaax", 6), 0);
		CU_ASSERT_EQUAL(version->until, 100);
		version = page(&pokes, 0x5000, 100);
		CU_ASSERT_EQUAL(memcmp(version->bytes + 7, "xbbbbx", 6), 0);
		CU_ASSERT_EQUAL(version->from, 100);
		CU_ASSERT_EQUAL(version->until, 200);
		version = page(&pokes, 0x5000, UINT64_MAX);
		CU_ASSERT_EQUAL(memcmp(version->bytes + 7, "xccccx", 6), 0);
		CU_ASSERT_EQUAL(version->until, UINT64_MAX);
		csg_pokes_fini(&pokes);
		csg_arena_fini(&arena);
	}
}

static void the_steady_page_knows_what_no_change_changes(void)
{
	struct csg_arena arena = {0};
	struct csg_pokes pokes = {.arena = &arena};
	const struct csg_poke_version *version;
	const uint8_t partly[4] = {'a', 'b', 'a', 'a'};

	memset(base, 'x', sizeof(base));
	csg_pokes_add(&pokes, 0x5008, 100, a, 4, partly, 4);
	csg_pokes_add(&pokes, 0x5008, 200, partly, 4, a, 4);
	csg_pokes_add(&pokes, 0x5010, 300, a, 4, b, 4);
	CU_ASSERT_EQUAL_FATAL(
		csg_pokes_steady_page(&pokes, 0x5000, base, 0, CSG_POKE_PAGE, &version), 0);
	CU_ASSERT_EQUAL(memcmp(version->bytes, "xxxxxxxxa", 9), 0);
	CU_ASSERT_TRUE(version->known[7] && version->known[8] && version->known[10]);
	CU_ASSERT_FALSE(version->known[9]);
	for (int i = 0x10; i < 0x14; i++)
		CU_ASSERT_FALSE(version->known[i]);
	CU_ASSERT_EQUAL(version->until, UINT64_MAX);
	CU_ASSERT_EQUAL(csg_pokes_steady_page(&pokes, 0x7000, base, 0, CSG_POKE_PAGE, &version), 0);
	CU_ASSERT_PTR_NULL(version);
	csg_pokes_fini(&pokes);
	csg_arena_fini(&arena);
}

static void versions_stay_where_they_are(void)
{
	struct csg_arena arena = {0};
	struct csg_pokes pokes = {.arena = &arena};
	const struct csg_poke_version *first;

	memset(base, 'x', sizeof(base));
	csg_pokes_add(&pokes, 0x5008, 100, a, 4, b, 4);
	first = page(&pokes, 0x5000, 150);
	CU_ASSERT_PTR_EQUAL(page(&pokes, 0x5004, 199), first);
	csg_pokes_add(&pokes, 0x5008, 200, b, 4, c, 4);
	CU_ASSERT_EQUAL(page(&pokes, 0x5000, 200)->bytes[8], 'c');
	CU_ASSERT_EQUAL(first->bytes[8], 'b');
	csg_pokes_fini(&pokes);
	csg_arena_fini(&arena);
}

static void pages_without_changes_have_no_versions(void)
{
	struct csg_arena arena = {0};
	struct csg_pokes pokes = {.arena = &arena};

	CU_ASSERT_PTR_NULL(page(&pokes, 0x5000, 0));
	CU_ASSERT_EQUAL(csg_pokes_next_page(&pokes, 0), UINT64_MAX);
	csg_pokes_add(&pokes, 0x5ffe, 100, a, 4, b, 4);
	CU_ASSERT_PTR_NULL(page(&pokes, 0x4fff, 0));
	CU_ASSERT_PTR_NULL(page(&pokes, 0x7000, 0));
	CU_ASSERT_EQUAL(page(&pokes, 0x5000, 100)->bytes[0xfff], 'b');
	CU_ASSERT_EQUAL(page(&pokes, 0x6000, 100)->bytes[1], 'b');
	CU_ASSERT_EQUAL(csg_pokes_next_page(&pokes, 0x100), 0x5000);
	CU_ASSERT_EQUAL(csg_pokes_next_page(&pokes, 0x5800), 0x5000);
	CU_ASSERT_EQUAL(csg_pokes_next_page(&pokes, 0x6001), 0x6000);
	CU_ASSERT_EQUAL(csg_pokes_next_page(&pokes, 0x7000), UINT64_MAX);
	csg_pokes_fini(&pokes);
	csg_arena_fini(&arena);
}

static void without_an_image_only_what_was_poked_is_known(void)
{
	struct csg_arena arena = {0};
	struct csg_pokes pokes = {.arena = &arena};
	const struct csg_poke_version *version;

	/* A trampoline: nothing there before. */
	csg_pokes_add(&pokes, 0x5008, 100, NULL, 0, b, 4);
	csg_pokes_page(&pokes, 0x5000, 150, NULL, 0, 0, &version);
	CU_ASSERT_FALSE(version->known[7]);
	CU_ASSERT_TRUE(version->known[8] && version->known[11]);
	CU_ASSERT_FALSE(version->known[12]);
	csg_pokes_page(&pokes, 0x5000, 50, NULL, 0, 0, &version);
	CU_ASSERT_FALSE(version->known[8]);
	csg_pokes_fini(&pokes);
	csg_arena_fini(&arena);
}

static void an_image_may_end_within_the_page(void)
{
	struct csg_arena arena = {0};
	struct csg_pokes pokes = {.arena = &arena};
	const struct csg_poke_version *version;

	csg_pokes_add(&pokes, 0x5100, 100, a, 4, b, 4);
	csg_pokes_page(&pokes, 0x5000, 150, (const uint8_t *)"yz", 0x200, 0x202, &version);
	CU_ASSERT_EQUAL(version->bytes[0x201], 'z');
	CU_ASSERT_TRUE(version->known[0x201]);
	CU_ASSERT_FALSE(version->known[0x1ff]);
	CU_ASSERT_FALSE(version->known[0x202]);
	csg_pokes_fini(&pokes);
	csg_arena_fini(&arena);
}

static void addresses_at_the_end_of_the_world_are_ignored(void)
{
	struct csg_arena arena = {0};
	struct csg_pokes pokes = {.arena = &arena};

	CU_ASSERT_EQUAL(csg_pokes_add(&pokes, UINT64_MAX - 2, 1, a, 4, b, 4), 0);
	CU_ASSERT_EQUAL(csg_pokes_add(&pokes, 0x1000, 1, NULL, 0, NULL, 0), 0);
	CU_ASSERT_EQUAL(pokes.count, 0);
	csg_pokes_fini(&pokes);
	csg_arena_fini(&arena);
}

CSG_SUITE(image_maps, poke, CSG_TEST(each_time_has_its_bytes_whatever_the_image_is_of),
	  CSG_TEST(the_steady_page_knows_what_no_change_changes),
	  CSG_TEST(versions_stay_where_they_are), CSG_TEST(pages_without_changes_have_no_versions),
	  CSG_TEST(without_an_image_only_what_was_poked_is_known),
	  CSG_TEST(an_image_may_end_within_the_page),
	  CSG_TEST(addresses_at_the_end_of_the_world_are_ignored));
