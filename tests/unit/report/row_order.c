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
	CU_ASSERT_PTR_NULL(rows[2].symbol);
	CU_ASSERT_STRING_EQUAL(rows[3].symbol, "b");
	csg_row_order(NULL, 0, true);
}

/* Those with as many are in the order of label, object, symbol, line and path, whatever it was
 * before. */
static void equal_counts_are_ordered_by_what_rows_say(void)
{
	static const struct csg_report_row in_order[] = {
		{.dso = "y", .symbol = "y", .srcline = "y"},
		{.label = {.vm = 1}, .dso = "a", .symbol = "y", .srcline = "y"},
		{.label = {.vm = 1}, .dso = "b", .symbol = "a", .srcline = "y"},
		{.label = {.vm = 1}, .dso = "b", .symbol = "b", .srcline = "a"},
		{.label = {.vm = 1}, .dso = "b", .symbol = "b", .srcline = "b"},
		{.label = {.vm = 1}, .dso = "b", .symbol = "b", .srcline = "b", .no_path = true},
	};
	const size_t n = sizeof(in_order) / sizeof(*in_order);
	struct csg_report_row backwards[sizeof(in_order) / sizeof(*in_order)];

	for (size_t i = 0; i < n; i++)
		backwards[i] = in_order[n - 1 - i];
	csg_row_order(backwards, n, false);
	for (size_t i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(backwards[i].label.vm, in_order[i].label.vm);
		CU_ASSERT_STRING_EQUAL(backwards[i].dso, in_order[i].dso);
		CU_ASSERT_STRING_EQUAL(backwards[i].symbol, in_order[i].symbol);
		CU_ASSERT_STRING_EQUAL(backwards[i].srcline, in_order[i].srcline);
		CU_ASSERT_EQUAL(backwards[i].no_path, in_order[i].no_path);
	}
}

CSG_SUITE(report, row_order, CSG_TEST(most_come_first), CSG_TEST(or_those_with_most_branches),
	  CSG_TEST(equal_counts_are_ordered_by_what_rows_say));
