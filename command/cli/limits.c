/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/limits.h"

#include <stdbool.h>
#include <stdio.h>

#include "csguest/error.h"

static bool is_below(const struct rlimit *limit, rlim_t least)
{
	return limit->rlim_cur != RLIM_INFINITY && limit->rlim_cur < least;
}

int csg_limits_explain(const struct rlimit *stack, const struct rlimit *files, char *text,
		       size_t size)
{
	if (is_below(stack, (rlim_t)CSG_LIMITS_STACK_KB * 1024))
		snprintf(text, size,
			 "the stack is limited to %llu KB, but %d KB are needed: ulimit -s %d",
			 (unsigned long long)stack->rlim_cur / 1024, CSG_LIMITS_STACK_KB,
			 CSG_LIMITS_STACK_KB);
	else if (is_below(files, CSG_LIMITS_FILES))
		snprintf(text, size,
			 "open files are limited to %llu, but %d are needed: ulimit -n %d",
			 (unsigned long long)files->rlim_cur, CSG_LIMITS_FILES, CSG_LIMITS_FILES);
	else
		return 0;
	return -CSG_E_LIMIT;
}

int csg_limits_check(void)
{
	struct rlimit stack = {.rlim_cur = RLIM_INFINITY}, files = stack;
	char text[160];
	int err;

	getrlimit(RLIMIT_STACK, &stack);
	getrlimit(RLIMIT_NOFILE, &files);
	err = csg_limits_explain(&stack, &files, text, sizeof(text));
	if (err)
		fprintf(stderr, "csguest: error: %s\n", text);
	return err;
}
