/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "page.h"
#include "summary/waits_print.h"

static void print(const struct csg_group *group, size_t top)
{
	struct csg_out *out = capture_begin();

	csg_waits_print(group, csg_waits_columns(&group->waits), top, out);
	capture_end(out);
}

static void who_ran_instead_has_a_line_each(void)
{
	struct csg_group group;

	page_vm(&group, 1000);
	print(&group, 9);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"     1.000     0.500     0.000     5.500     0.600 VM 1001\n"
		"                                                             0.200 its own "
		"threads\n"
		"                                                             0.100 "
		"kworker/0:1 33\n"
		"                                                             0.050 idle\n");
	print(&group, 1);
	CU_ASSERT_STRING_EQUAL(captured,
			       "     1.000     0.500     0.000     5.500     0.600 VM 1001\n");
	print(&group, 0);
	CU_ASSERT_STRING_EQUAL(captured, "     1.000     0.500     0.000     5.500\n");
}

static void a_long_time_keeps_its_distance(void)
{
	struct csg_group group = {.kind = CSG_GROUP_VM};

	group.waits.time[CSG_WAIT_BLOCKED] = UINT64_C(1234567890123456);
	print(&group, 1);
	CU_ASSERT_STRING_EQUAL(captured, "     0.000 1234567890.123     0.000     0.000\n");
}

static void where_it_is_not_known_who_ran_it_says_so(void)
{
	struct csg_group group;

	page_vm(&group, 1000);
	group.ran_count = 1;
	print(&group, 3);
	CU_ASSERT_STRING_EQUAL(
		captured, "     1.000     0.500     0.000     5.500     0.600 VM 1001\n"
			  "                                                             0.400 not "
			  "known\n");
	group.ran_count = 0;
	print(&group, 3);
	CU_ASSERT_STRING_EQUAL(captured,
			       "     1.000     0.500     0.000     5.500     1.000 not known\n");
}

static void states_that_are_rare_take_the_place_of_others(void)
{
	struct csg_group group = {.kind = CSG_GROUP_VM};
	struct csg_out *out = capture_begin();

	group.waits.time[CSG_WAIT_RUNNABLE] = 2000000;
	group.waits.time[CSG_WAIT_ASLEEP] = 3000000;
	csg_waits_print_head(csg_waits_columns(&group.waits), out);
	csg_waits_print(&group, csg_waits_columns(&group.waits), 0, out);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured,
				      " preempted  runnable    asleep no record  ran instead\n"
				      "     0.000     2.000     3.000     0.000\n"));
}

CSG_SUITE(summary, waits_print, CSG_TEST(states_that_are_rare_take_the_place_of_others),
	  CSG_TEST(who_ran_instead_has_a_line_each), CSG_TEST(a_long_time_keeps_its_distance),
	  CSG_TEST(where_it_is_not_known_who_ran_it_says_so));
