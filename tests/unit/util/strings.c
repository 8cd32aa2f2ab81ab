/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/strings.h"

#include <stdio.h>
#include <string.h>

#include "suite.h"

static void equal_texts_are_one(void)
{
	struct csg_strings strings = {0};
	const char *a = csg_strings_intern(&strings, "path", 4);
	const char *b = csg_strings_intern_text(&strings, "path\0more", 9);

	CU_ASSERT_PTR_EQUAL(a, b);
	CU_ASSERT_STRING_EQUAL(a, "path");
	CU_ASSERT_PTR_NOT_EQUAL(a, csg_strings_intern(&strings, "path\0", 5));
	csg_strings_fini(&strings);
}

static void a_text_without_an_end_is_cut_at_its_size(void)
{
	struct csg_strings strings = {0};

	CU_ASSERT_STRING_EQUAL(csg_strings_intern_text(&strings, "abcdef", 3), "abc");
	CU_ASSERT_STRING_EQUAL(csg_strings_intern_text(&strings, "", 0), "");
	csg_strings_fini(&strings);
}

static void thousands_stay_where_they_are(void)
{
	struct csg_strings strings = {0};
	const char *first[5000];
	char text[32];

	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "/usr/lib/%d", i);
		first[i] = csg_strings_intern_text(&strings, text, sizeof(text));
	}
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "/usr/lib/%d", i);
		CU_ASSERT_STRING_EQUAL(first[i], text);
		CU_ASSERT_PTR_EQUAL(csg_strings_intern_text(&strings, text, sizeof(text)),
				    first[i]);
	}
	csg_strings_fini(&strings);
}

static void texts_longer_than_a_block_are_kept(void)
{
	struct csg_strings strings = {0};
	static char large[200000];
	const char *kept;

	memset(large, 'x', sizeof(large));
	kept = csg_strings_intern(&strings, large, sizeof(large));
	CU_ASSERT_PTR_NOT_NULL_FATAL(kept);
	CU_ASSERT_EQUAL(memcmp(kept, large, sizeof(large)), 0);
	CU_ASSERT_EQUAL(kept[sizeof(large)], 0);
	csg_strings_fini(&strings);
}

static void finding_adds_nothing(void)
{
	struct csg_strings strings = {0};
	const char *kept;

	CU_ASSERT_PTR_NULL(csg_strings_find(&strings, "a", 1));
	kept = csg_strings_intern(&strings, "a", 1);
	CU_ASSERT_PTR_EQUAL(csg_strings_find(&strings, "a", 1), kept);
	CU_ASSERT_PTR_NULL(csg_strings_find(&strings, "b", 1));
	csg_strings_fini(&strings);
}

CSG_SUITE(util, strings, CSG_TEST(equal_texts_are_one),
	  CSG_TEST(a_text_without_an_end_is_cut_at_its_size),
	  CSG_TEST(thousands_stay_where_they_are), CSG_TEST(texts_longer_than_a_block_are_kept),
	  CSG_TEST(finding_adds_nothing));
