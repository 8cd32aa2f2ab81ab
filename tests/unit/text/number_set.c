/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/number_set.h"

#include "csguest/error.h"
#include "suite.h"

static int refused(const char *text)
{
	struct csg_number_set set = {0};
	int err = csg_number_set_parse(&set, text);

	csg_number_set_fini(&set);
	return err == -CSG_E_USAGE;
}

static int has(const char *text, int64_t number)
{
	struct csg_number_set set = {0};
	int in;

	CU_ASSERT_EQUAL(csg_number_set_parse(&set, text), 0);
	in = csg_number_set_has(&set, number);
	csg_number_set_fini(&set);
	return in;
}

static void sets_are_lists_and_ranges(void)
{
	CU_ASSERT(has("0,2-3", 0));
	CU_ASSERT_FALSE(has("0,2-3", 1));
	CU_ASSERT(has("0,2-3", 2));
	CU_ASSERT(has("0,2-3", 3));
	CU_ASSERT_FALSE(has("0,2-3", 4));
	CU_ASSERT_FALSE(has("0,2-3", -1));
	CU_ASSERT(has("7", 7));
}

static void nothing_given_has_all(void)
{
	const struct csg_number_set set = {0};

	CU_ASSERT(csg_number_set_has(&set, -1));
	CU_ASSERT(csg_number_set_has(&set, 5));
}

static void the_last_text_counts(void)
{
	struct csg_number_set set = {0};

	CU_ASSERT_EQUAL(csg_number_set_parse(&set, "1,2,3"), 0);
	CU_ASSERT_EQUAL(csg_number_set_parse(&set, "4"), 0);
	CU_ASSERT_FALSE(csg_number_set_has(&set, 1));
	CU_ASSERT(csg_number_set_has(&set, 4));
	csg_number_set_fini(&set);
}

static void anything_else_is_refused(void)
{
	static const char *const texts[] = {"",	  "a",	"3-2", "1,", "1 2",
					    "-1", "1-", "0x1", ",1", "99999999999999999999"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CU_ASSERT(refused(texts[i]));
}

CSG_SUITE(text, number_set, CSG_TEST(sets_are_lists_and_ranges), CSG_TEST(nothing_given_has_all),
	  CSG_TEST(the_last_text_counts), CSG_TEST(anything_else_is_refused));
