/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "report/report_fit.h"

/* world, el, vm, comm, dso, symbol, and a reason that was not asked for */
static struct csg_report_fit fitted(size_t columns, bool by_branches)
{
	struct csg_report_fit fit = {.columns = columns,
				     .before = 12,
				     .by_branches = by_branches,
				     .added_reason = true,
				     .n = 7,
				     .width = {5, 3, 3, 9, 40, 60, 50}};

	csg_report_fit(&fit);
	return fit;
}

static size_t line(const struct csg_report_fit *fit)
{
	size_t sum = fit->before + (fit->instructions ? 15u : 0u) + (fit->branches ? 15u : 0u);

	for (size_t i = 0; i < fit->n; i++)
		sum += fit->width[i] + (i ? 2 : 0);
	return sum;
}

static void what_is_no_terminal_has_room_for_all(void)
{
	struct csg_report_fit fit = fitted(0, false);

	CU_ASSERT(fit.instructions && fit.branches && !fit.left_out && fit.n == 7);
	CU_ASSERT_EQUAL(line(&fit), 12 + 30 + 170 + 12);
	fit = fitted(224, false);
	CU_ASSERT(fit.instructions && fit.branches && !fit.left_out && fit.n == 7);
	CU_ASSERT_EQUAL(line(&fit), 224);
}

static void the_widest_keys_are_cut_first(void)
{
	struct csg_report_fit fit = fitted(180, false);

	CU_ASSERT(fit.instructions && fit.branches && !fit.left_out && fit.n == 7);
	CU_ASSERT_EQUAL(line(&fit), 180);
	CU_ASSERT_EQUAL(fit.width[3], 9);
	for (size_t i = 4; i < 7; i++)
		CU_ASSERT(fit.width[i] == 35 || fit.width[i] == 36);
}

static void branches_then_reasons_then_instructions_are_left_out(void)
{
	struct csg_report_fit fit = fitted(117, false);

	CU_ASSERT(fit.instructions && !fit.branches && fit.left_out && fit.n == 7);
	CU_ASSERT_EQUAL(line(&fit), 117);
	fit = fitted(102, false);
	CU_ASSERT(fit.instructions && !fit.branches && fit.n == 6 && !fit.added_reason);
	CU_ASSERT_EQUAL(line(&fit), 102);
	fit = fitted(80, false);
	CU_ASSERT(!fit.instructions && !fit.branches && fit.n == 6);
	CU_ASSERT_EQUAL(line(&fit), 80);
	CU_ASSERT_EQUAL(fit.width[5], 24);
	fit = fitted(102, true);
	CU_ASSERT(!fit.instructions && fit.branches);
}

static void nothing_is_cut_below_what_can_be_read(void)
{
	struct csg_report_fit fit = fitted(40, false);

	CU_ASSERT_EQUAL(fit.width[3], 9);
	CU_ASSERT_EQUAL(fit.width[4], 10);
	CU_ASSERT_EQUAL(fit.width[5], 24);
}

CSG_SUITE(report, report_fit, CSG_TEST(what_is_no_terminal_has_room_for_all),
	  CSG_TEST(the_widest_keys_are_cut_first),
	  CSG_TEST(branches_then_reasons_then_instructions_are_left_out),
	  CSG_TEST(nothing_is_cut_below_what_can_be_read));
