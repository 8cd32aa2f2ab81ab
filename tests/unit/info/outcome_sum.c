/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/outcome_sum.h"

#include "csguest/error.h"
#include "suite.h"

static void losses_amount_to_an_error(void)
{
	struct csg_outcome_sum s = {.instructions = 1};

	CU_ASSERT_EQUAL(csg_outcome_sum_error(&s, false), 0);
	s.gaps[CSG_GAP_NO_CODE] = 1;
	CU_ASSERT_EQUAL(csg_outcome_sum_error(&s, false), 0);
	CU_ASSERT_EQUAL(csg_outcome_sum_error(&s, true), -CSG_E_NO_IMAGE);
	s.instructions = 0;
	CU_ASSERT_EQUAL(csg_outcome_sum_error(&s, false), -CSG_E_NO_IMAGE);
	s.gaps[CSG_GAP_UNDEFINED] = 1;
	CU_ASSERT_EQUAL(csg_outcome_sum_error(&s, false), -CSG_E_DECODE);
	s.gaps[CSG_GAP_UNREADABLE] = 1;
	CU_ASSERT_EQUAL(csg_outcome_sum_error(&s, false), -CSG_E_TRUNCATED);
}

static void several_streams_without_timestamps_have_no_order(void)
{
	struct csg_outcome_stream streams[] = {
		{.bytes = 1}, {.bytes = 0}, {.bytes = 1, .ordered = true}};
	struct csg_outcome_sum s = {.instructions = 1, .streams = streams, .stream_count = 3};

	CU_ASSERT_EQUAL(csg_outcome_sum_untimed(&s), 1);
	CU_ASSERT_EQUAL(csg_outcome_sum_error(&s, false), -CSG_E_NO_TIMESTAMPS);
	streams[2].bytes = 0;
	CU_ASSERT_EQUAL(csg_outcome_sum_untimed(&s), 0);
}

CSG_SUITE(info, outcome_sum, CSG_TEST(losses_amount_to_an_error),
	  CSG_TEST(several_streams_without_timestamps_have_no_order));
