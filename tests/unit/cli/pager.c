/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/pager.h"

#include <stdlib.h>

#include "suite.h"

static void clear(void)
{
	unsetenv("CSGUEST_PAGER");
	unsetenv("PERF_PAGER");
	unsetenv("PAGER");
}

static void the_nearest_variable_names_the_pager(void)
{
	clear();
	setenv("PAGER", "more", 1);
	CU_ASSERT_STRING_EQUAL(csg_pager_command(), "more");
	setenv("PERF_PAGER", "less -N", 1);
	CU_ASSERT_STRING_EQUAL(csg_pager_command(), "less -N");
	setenv("CSGUEST_PAGER", "most", 1);
	CU_ASSERT_STRING_EQUAL(csg_pager_command(), "most");
	clear();
}

static void cat_and_nothing_are_none(void)
{
	clear();
	setenv("PAGER", "more", 1);
	setenv("PERF_PAGER", "cat", 1);
	CU_ASSERT_PTR_NULL(csg_pager_command());
	setenv("CSGUEST_PAGER", "", 1);
	CU_ASSERT_PTR_NULL(csg_pager_command());
	clear();
}

CSG_SUITE(cli, pager, CSG_TEST(the_nearest_variable_names_the_pager),
	  CSG_TEST(cat_and_nothing_are_none));
