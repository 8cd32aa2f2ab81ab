/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "report/estimate.h"

/* 4 windows of 10, of which the row has 2, 4, 2, 4: see shares.c. */
static const struct csg_shares_row row = {.windows = 4, .y = 12, .yy = 40, .xy = 120};
static const struct csg_estimate known = {
	.all = {.windows = 4, .x = 40, .xx = 400}, .factor = 2.5, .instructions = 40};

static void counts_are_multiplied_where_the_factor_is_known(void)
{
	struct csg_estimate e = known;

	CU_ASSERT_EQUAL(csg_estimate_count(&e, 3), 8);
	e.factor = 0;
	CU_ASSERT_EQUAL(csg_estimate_count(&e, 3), 3);
	CU_ASSERT_EQUAL(csg_estimate_count(NULL, 3), 3);
}

static void an_interval_is_two_percentages(void)
{
	char buf[CSG_ESTIMATE_TEXT_MAX];

	CU_ASSERT_STRING_EQUAL(csg_estimate_interval_text(csg_estimate_interval(&known, &row), buf),
			       "15.49-50.04%");
	CU_ASSERT_STRING_EQUAL(csg_estimate_interval_text(csg_estimate_interval(NULL, &row), buf),
			       "-");
	csg_estimate_csv(&known, &row, buf);
	CU_ASSERT_STRING_EQUAL(buf, ",15.4938,50.0447,4");
	csg_estimate_csv(NULL, &row, buf);
	CU_ASSERT_STRING_EQUAL(buf, "");
}

static void where_there_is_no_estimate_it_says_why(void)
{
	struct csg_estimate e = known;
	char buf[CSG_ESTIMATE_TEXT_MAX];
	struct csg_out *out = capture_begin();

	e.why = "none";
	csg_estimate_text(&e, out);
	csg_estimate_json_row(&e, &row, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "# not estimated: none\n"
					 ",\"low\":null,\"high\":null,\"windows\":4");
	csg_estimate_csv(&e, &row, buf);
	CU_ASSERT_STRING_EQUAL(buf, ",,,4");
}

static void the_header_says_what_is_not_decoded(void)
{
	struct csg_estimate e = known;
	struct csg_out *out = capture_begin();

	e.incomplete = 3;
	csg_estimate_text(&e, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"# estimated from 4 windows of 10 instructions on average\n"
		"# 3 windows are not decoded, at least in part: shares are of the rest\n"
		"# counts are multiplied by 2.5: by their timestamps, windows take about 40% of "
		"the CPUs' time\n");
}

static void without_a_factor_counts_are_those_of_the_windows(void)
{
	struct csg_estimate e = known;
	struct csg_out *out = capture_begin();

	e.factor = 0;
	csg_estimate_text(&e, out);
	csg_estimate_json(&e, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"# estimated from 4 windows of 10 instructions on average\n"
		"# counts are those of the windows: fewer than 30 windows have two timestamps "
		"that say how long they took\n"
		"\"estimate\":{\"why_not\":null,\"windows\":4,\"incomplete\":0,"
		"\"instructions\":40,\"factor\":null},\n");
}

static void json_has_the_same(void)
{
	struct csg_out *out = capture_begin();

	csg_estimate_json_row(&known, &row, out);
	csg_estimate_json(&known, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured,
			       ",\"low\":15.4938,\"high\":50.0447,\"windows\":4"
			       "\"estimate\":{\"why_not\":null,\"windows\":4,\"incomplete\":0,"
			       "\"instructions\":40,\"factor\":2.5},\n");
}

CSG_SUITE(report, estimate, CSG_TEST(counts_are_multiplied_where_the_factor_is_known),
	  CSG_TEST(an_interval_is_two_percentages),
	  CSG_TEST(where_there_is_no_estimate_it_says_why),
	  CSG_TEST(the_header_says_what_is_not_decoded),
	  CSG_TEST(without_a_factor_counts_are_those_of_the_windows), CSG_TEST(json_has_the_same));
