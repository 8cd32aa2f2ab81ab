/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/limits.h"

#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

static const struct rlimit none = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};

static void what_is_enough_is_no_error(void)
{
	const struct rlimit stack = {.rlim_cur = CSG_LIMITS_STACK_KB * 1024};
	const struct rlimit files = {.rlim_cur = CSG_LIMITS_FILES};
	char text[160] = "as before";

	CU_ASSERT_EQUAL(csg_limits_explain(&none, &none, 0, CSG_LIMITS_FILES, text, sizeof(text)),
			0);
	CU_ASSERT_EQUAL(csg_limits_explain(&stack, &files, 0, CSG_LIMITS_FILES, text, sizeof(text)),
			0);
	CU_ASSERT_STRING_EQUAL(text, "as before");
}

static void a_small_stack_is_named_with_what_is_needed(void)
{
	const struct rlimit stack = {.rlim_cur = 64 * 1024};
	char text[160];

	CU_ASSERT_EQUAL(csg_limits_explain(&stack, &none, 0, CSG_LIMITS_FILES, text, sizeof(text)),
			-CSG_E_LIMIT);
	CU_ASSERT_STRING_EQUAL(
		text, "the stack is limited to 64 KB, but 512 KB are needed: ulimit -s 512");
}

static void few_files_are_named_with_what_is_needed(void)
{
	const struct rlimit files = {.rlim_cur = 4};
	char text[160];

	CU_ASSERT_EQUAL(csg_limits_explain(&none, &files, 0, CSG_LIMITS_FILES, text, sizeof(text)),
			-CSG_E_LIMIT);
	CU_ASSERT_STRING_EQUAL(text,
			       "open files are limited to 4, but 16 are needed: ulimit -n 16");
}

static void files_that_are_open_already_do_not_count(void)
{
	const struct rlimit files = {.rlim_cur = 20};
	char text[160];

	CU_ASSERT_EQUAL(csg_limits_explain(&none, &files, 4, 16, text, sizeof(text)), 0);
	CU_ASSERT_EQUAL(csg_limits_explain(&none, &files, 5, 16, text, sizeof(text)), -CSG_E_LIMIT);
	CU_ASSERT_STRING_EQUAL(text,
			       "open files are limited to 20, but 21 are needed: ulimit -n 21");
}

static int check_with(rlim_t most)
{
	struct rlimit files;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = most;
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &files), 0);
	return csg_limits_check_files();
}

static void files_that_were_opened_meanwhile_count(void)
{
	struct rlimit old;
	rlim_t enough = 4;
	int fd;

	getrlimit(RLIMIT_NOFILE, &old);
	while (enough < 200 && check_with(enough))
		enough++;
	CU_ASSERT(enough >= CSG_LIMITS_FILES_LATER && enough < 200);
	fd = dup(STDERR_FILENO);
	CU_ASSERT(fd >= 0);
	CU_ASSERT_EQUAL(check_with(enough), -CSG_E_LIMIT);
	close(fd);
	CU_ASSERT_EQUAL(check_with(enough), 0);
	setrlimit(RLIMIT_NOFILE, &old);
}

static void this_process_has_enough(void)
{
	CU_ASSERT_EQUAL(csg_limits_check(), 0);
}

CSG_SUITE(cli, limits, CSG_TEST(what_is_enough_is_no_error),
	  CSG_TEST(a_small_stack_is_named_with_what_is_needed),
	  CSG_TEST(few_files_are_named_with_what_is_needed),
	  CSG_TEST(files_that_are_open_already_do_not_count),
	  CSG_TEST(files_that_were_opened_meanwhile_count), CSG_TEST(this_process_has_enough));
