/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "text/colour.h"

static const char *percent(double share, bool colours)
{
	struct csg_out *out = capture_begin();

	out->colours = colours;
	csg_colour_percent(out, share, 8);
	CU_ASSERT_EQUAL(out->line, 8);
	capture_end(out);
	return captured;
}

static void shares_have_perfs_colours(void)
{
	CU_ASSERT_STRING_EQUAL(percent(5, true), "\033[31m   5.00%\033[m");
	CU_ASSERT_STRING_EQUAL(percent(0.5, true), "\033[32m   0.50%\033[m");
	CU_ASSERT_STRING_EQUAL(percent(0.49, true), "   0.49%");
}

static void without_colours_there_are_none(void)
{
	CU_ASSERT_STRING_EQUAL(percent(99.5, false), "  99.50%");
}

CSG_SUITE(text, colour, CSG_TEST(shares_have_perfs_colours),
	  CSG_TEST(without_colours_there_are_none));
