/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "report/shares.h"

static struct csg_shares_row row;
static struct csg_shares_all all;

/* Windows of 10 instructions, of which this many are the row's. */
static void windows(size_t n, const double *y)
{
	row = (struct csg_shares_row){0};
	all = (struct csg_shares_all){0};
	for (size_t i = 0; i < n; i++) {
		csg_shares_add_all(&all, 10);
		if (y[i] > 0)
			csg_shares_add(&row, 10, y[i]);
	}
}

static void is_about(double low, double high)
{
	const struct csg_shares_interval i = csg_shares_interval_of(&row, &all);

	CU_ASSERT(i.known);
	CU_ASSERT_DOUBLE_EQUAL(i.low, low, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(i.high, high, 1e-4);
}

/* p 0.3, v 1/300, three degrees of freedom: by hand. */
static void the_interval_is_wilsons_of_the_effective_sample(void)
{
	windows(4, (double[]){2, 4, 2, 4});
	is_about(0.15494, 0.50044);
}

/* v is a quarter of that. */
static void what_is_traced_varies_no_more(void)
{
	windows(4, (double[]){2, 4, 2, 4});
	all.traced = 0.75;
	is_about(0.21733, 0.39812);
}

static void instructions_of_a_window_are_no_sample(void)
{
	struct csg_shares_interval few;

	windows(4, (double[]){10, 0, 10, 0});
	few = csg_shares_interval_of(&row, &all);
	CU_ASSERT(few.known && few.low < 0.05 && few.high > 0.95);
}

static void a_row_of_one_window_has_no_interval(void)
{
	windows(4, (double[]){0, 5, 0, 0});
	CU_ASSERT_FALSE(csg_shares_interval_of(&row, &all).known);
	windows(4, (double[]){10, 5, 10, 10});
	CU_ASSERT_FALSE(csg_shares_interval_of(&row, &all).known);
	windows(1, (double[]){5});
	CU_ASSERT_FALSE(csg_shares_interval_of(&row, &all).known);
}

static void what_fills_all_windows_may_not_fill_the_whole(void)
{
	windows(4, (double[]){10, 10, 10, 10});
	is_about(0.28323, 1);
}

/* A window of 90 has none, one of 10 has nothing else: it weighs a tenth. */
static void a_window_weighs_what_it_holds(void)
{
	row = (struct csg_shares_row){0};
	all = (struct csg_shares_all){0};
	for (int i = 0; i < 50; i++) {
		csg_shares_add_all(&all, 90);
		csg_shares_add_all(&all, 10);
		csg_shares_add(&row, 10, 10);
	}
	CU_ASSERT_DOUBLE_EQUAL(row.y / all.x, 0.1, 1e-9);
	is_about(0.06924, 0.14234);
}

CSG_SUITE(report, shares, CSG_TEST(the_interval_is_wilsons_of_the_effective_sample),
	  CSG_TEST(what_is_traced_varies_no_more), CSG_TEST(instructions_of_a_window_are_no_sample),
	  CSG_TEST(a_row_of_one_window_has_no_interval),
	  CSG_TEST(what_fills_all_windows_may_not_fill_the_whole),
	  CSG_TEST(a_window_weighs_what_it_holds));
