/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/words.h"

#include <string.h>

#include "suite.h"

static char line[100];

static char *line_of(const char *text)
{
	return strcpy(line, text);
}

static void a_number_is_a_whole_word(void)
{
	char *s = line_of("18446744073709551615 ff x");
	uint64_t n = 0;

	CU_ASSERT(csg_take_u64(&s, 10, &n));
	CU_ASSERT_EQUAL(n, UINT64_MAX);
	CU_ASSERT(csg_take_u64(&s, 16, &n));
	CU_ASSERT_EQUAL(n, 255);
	CU_ASSERT_STRING_EQUAL(s, "x");
	CU_ASSERT_FALSE(csg_take_u64(&s, 10, &n));
	s = line_of("18446744073709551616");
	CU_ASSERT_FALSE(csg_take_u64(&s, 10, &n));
	s = line_of("1f");
	CU_ASSERT_FALSE(csg_take_u64(&s, 10, &n));
	s = line_of("");
	CU_ASSERT_FALSE(csg_take_u64(&s, 10, &n));
	CU_ASSERT_EQUAL(n, 255);
}

static void a_signed_number_fits_its_type(void)
{
	char *s = line_of("-2147483647 2147483647");
	int32_t n = 0;

	CU_ASSERT(csg_take_i32(&s, &n));
	CU_ASSERT_EQUAL(n, -2147483647);
	CU_ASSERT(csg_take_i32(&s, &n));
	CU_ASSERT_EQUAL(n, 2147483647);
	s = line_of("2147483648");
	CU_ASSERT_FALSE(csg_take_i32(&s, &n));
	s = line_of("-");
	CU_ASSERT_FALSE(csg_take_i32(&s, &n));
}

static void words_end_with_a_blank_or_the_line(void)
{
	char *s = line_of("one two"), *rest;

	CU_ASSERT(csg_is_line(s, "one ", &rest));
	CU_ASSERT_STRING_EQUAL(rest, "two");
	CU_ASSERT_FALSE(csg_is_line(s, "two", &rest));
	CU_ASSERT_STRING_EQUAL(csg_take_word(&s), "one");
	CU_ASSERT_STRING_EQUAL(csg_take_word(&s), "two");
	CU_ASSERT_STRING_EQUAL(csg_take_word(&s), "");
}

static void a_world_has_a_name_and_is_known(void)
{
	struct csg_owner owner = {0};

	CU_ASSERT(csg_set_world(&owner, csg_world_name(CSG_WORLD_GUEST)));
	CU_ASSERT_EQUAL(owner.world, CSG_WORLD_GUEST);
	CU_ASSERT_FALSE(csg_set_world(&owner, "moon"));
	CU_ASSERT_FALSE(csg_set_world(&owner, csg_world_name(CSG_WORLD_UNKNOWN)));
}

CSG_SUITE(score, words, CSG_TEST(a_number_is_a_whole_word), CSG_TEST(a_signed_number_fits_its_type),
	  CSG_TEST(words_end_with_a_blank_or_the_line), CSG_TEST(a_world_has_a_name_and_is_known));
