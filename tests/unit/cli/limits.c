/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/limits.h"

#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static const struct rlimit none = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};

static void what_is_enough_is_no_error(void)
{
	const struct rlimit stack = {.rlim_cur = CSG_LIMITS_STACK_KB * 1024};
	const struct rlimit files = {.rlim_cur = CSG_LIMITS_FILES};
	char text[160] = "as before";

	CU_ASSERT_EQUAL(csg_limits_explain(&none, &none, 0, text, sizeof(text)), 0);
	CU_ASSERT_EQUAL(csg_limits_explain(&stack, &files, 0, text, sizeof(text)), 0);
	CU_ASSERT_STRING_EQUAL(text, "as before");
}

static void a_small_stack_is_named_with_what_is_needed(void)
{
	const struct rlimit stack = {.rlim_cur = 64 * 1024};
	char text[160];

	CU_ASSERT_EQUAL(csg_limits_explain(&stack, &none, 0, text, sizeof(text)), -CSG_E_LIMIT);
	CU_ASSERT_STRING_EQUAL(
		text, "the stack is limited to 64 KB, but 512 KB are needed: ulimit -s 512");
}

static void few_files_are_named_with_what_is_needed(void)
{
	const struct rlimit files = {.rlim_cur = 4};
	char text[160];

	CU_ASSERT_EQUAL(csg_limits_explain(&none, &files, 0, text, sizeof(text)), -CSG_E_LIMIT);
	CU_ASSERT_STRING_EQUAL(text,
			       "open files are limited to 4, but 16 are needed: ulimit -n 16");
}

static void files_that_are_open_already_do_not_count(void)
{
	const struct rlimit files = {.rlim_cur = 20};
	char text[160];

	CU_ASSERT_EQUAL(csg_limits_explain(&none, &files, 4, text, sizeof(text)), 0);
	CU_ASSERT_EQUAL(csg_limits_explain(&none, &files, 5, text, sizeof(text)), -CSG_E_LIMIT);
	CU_ASSERT_STRING_EQUAL(text,
			       "open files are limited to 20, but 21 are needed: ulimit -n 21");
}

static void this_process_has_enough(void)
{
	CU_ASSERT_EQUAL(csg_limits_check(), 0);
}

CSG_SUITE(cli, limits, CSG_TEST(what_is_enough_is_no_error),
	  CSG_TEST(a_small_stack_is_named_with_what_is_needed),
	  CSG_TEST(few_files_are_named_with_what_is_needed),
	  CSG_TEST(files_that_are_open_already_do_not_count), CSG_TEST(this_process_has_enough));
