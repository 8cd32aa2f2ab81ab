/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/row_order.h"

#include "suite.h"

static struct csg_report_row rows[4];

static void begin(void)
{
	rows[0] = (struct csg_report_row){.symbol = "c", .instructions = 5, .branches = 9};
	rows[1] = (struct csg_report_row){.symbol = "b", .instructions = 7, .branches = 1};
	rows[2] = (struct csg_report_row){.symbol = NULL, .instructions = 7, .branches = 1};
	rows[3] = (struct csg_report_row){.symbol = "a", .instructions = 7, .branches = 2};
}

static void most_come_first(void)
{
	begin();
	csg_row_order(rows, 4, false);
	CU_ASSERT_STRING_EQUAL(rows[0].symbol, "a");
	CU_ASSERT_PTR_NULL(rows[1].symbol);
	CU_ASSERT_STRING_EQUAL(rows[2].symbol, "b");
	CU_ASSERT_STRING_EQUAL(rows[3].symbol, "c");
}

static void or_those_with_most_branches(void)
{
	begin();
	csg_row_order(rows, 4, true);
	CU_ASSERT_STRING_EQUAL(rows[0].symbol, "c");
	CU_ASSERT_STRING_EQUAL(rows[1].symbol, "a");
	csg_row_order(NULL, 0, true);
}

CSG_SUITE(report, row_order, CSG_TEST(most_come_first), CSG_TEST(or_those_with_most_branches));
