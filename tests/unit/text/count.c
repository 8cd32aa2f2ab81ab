/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "text/count.h"

static void is_written(uint64_t n, const char *want)
{
	char buf[CSG_COUNT_MAX];

	CU_ASSERT_STRING_EQUAL(csg_count_text(buf, n), want);
}

static void thousands_are_divided(void)
{
	is_written(0, "0");
	is_written(999, "999");
	is_written(1000, "1,000");
	is_written(45726, "45,726");
	is_written(UINT64_MAX, "18,446,744,073,709,551,615");
}

static void a_share_is_never_0(void)
{
	char buf[CSG_COUNT_MAX];

	CU_ASSERT_STRING_EQUAL(csg_share_text(buf, 11.46), "11.5%");
	CU_ASSERT_STRING_EQUAL(csg_share_text(buf, 0.1), "0.1%");
	CU_ASSERT_STRING_EQUAL(csg_share_text(buf, 0.04), "less than 0.1%");
}

CSG_SUITE(text, count, CSG_TEST(thousands_are_divided), CSG_TEST(a_share_is_never_0));
