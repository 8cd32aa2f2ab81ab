/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "text/gap_text.h"

static void is_reported(enum csg_gap gap, uint64_t n, const char *want)
{
	char buf[CSG_GAP_TEXT_MAX];

	CU_ASSERT_STRING_EQUAL(csg_gap_text(buf, gap, n), want);
}

static void a_gap_reads_as_a_sentence(void)
{
	is_reported(CSG_GAP_TRACE_ON, 2, "tracing began or resumed 2 times");
	is_reported(CSG_GAP_NO_CODE, 76851, "at 76,851 places the code was not available");
	is_reported(CSG_GAP_GUEST, 35, "35 times a guest ran that was not traced");
}

static void one_is_singular(void)
{
	is_reported(CSG_GAP_OVERFLOW, 1, "the trace unit overflowed 1 time");
	is_reported(CSG_GAP_RETURN, 1, "at 1 place the target of a return is not known");
}

static void every_gap_has_a_text_of_its_own(void)
{
	char a[CSG_GAP_TEXT_MAX], b[CSG_GAP_TEXT_MAX];

	for (int gap = 0; gap < CSG_GAP_COUNT; gap++) {
		csg_gap_text(a, (enum csg_gap)gap, UINT64_MAX);
		CU_ASSERT_PTR_NOT_NULL(strstr(a, "18,446,744,073,709,551,615"));
		CU_ASSERT(strlen(a) < CSG_GAP_TEXT_MAX - 1);
		for (int other = 0; other < gap; other++)
			CU_ASSERT_STRING_NOT_EQUAL(
				a, csg_gap_text(b, (enum csg_gap)other, UINT64_MAX));
	}
}

CSG_SUITE(text, gap_text, CSG_TEST(a_gap_reads_as_a_sentence), CSG_TEST(one_is_singular),
	  CSG_TEST(every_gap_has_a_text_of_its_own));
