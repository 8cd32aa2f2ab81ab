/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/limits.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "csguest/error.h"

static bool is_below(const struct rlimit *limit, rlim_t least)
{
	return limit->rlim_cur != RLIM_INFINITY && limit->rlim_cur < least;
}

int csg_limits_explain(const struct rlimit *stack, const struct rlimit *files, unsigned int open,
		       char *text, size_t size)
{
	if (is_below(stack, (rlim_t)CSG_LIMITS_STACK_KB * 1024))
		snprintf(text, size,
			 "the stack is limited to %llu KB, but %d KB are needed: ulimit -s %d",
			 (unsigned long long)stack->rlim_cur / 1024, CSG_LIMITS_STACK_KB,
			 CSG_LIMITS_STACK_KB);
	else if (is_below(files, CSG_LIMITS_FILES + open))
		snprintf(text, size,
			 "open files are limited to %llu, but %u are needed: ulimit -n %u",
			 (unsigned long long)files->rlim_cur, CSG_LIMITS_FILES + open,
			 CSG_LIMITS_FILES + open);
	else
		return 0;
	return -CSG_E_LIMIT;
}

/* Files that whoever started this one has left open, until as many are free as are needed. */
static unsigned int count_open(const struct rlimit *files)
{
	unsigned int open = 0, vacant = 0;

	for (int fd = STDERR_FILENO + 1; vacant < CSG_LIMITS_FILES && (rlim_t)fd < files->rlim_cur;
	     fd++)
		if (fcntl(fd, F_GETFD) < 0)
			vacant++;
		else
			open++;
	return open;
}

int csg_limits_check(void)
{
	struct rlimit stack = {.rlim_cur = RLIM_INFINITY}, files = stack;
	char text[160];
	int err;

	getrlimit(RLIMIT_STACK, &stack);
	getrlimit(RLIMIT_NOFILE, &files);
	signal(SIGXFSZ, SIG_IGN);
	err = csg_limits_explain(&stack, &files, count_open(&files), text, sizeof(text));
	if (err)
		fprintf(stderr, "csguest: error: %s\n", text);
	return err;
}

void csg_limits_reset(void)
{
	signal(SIGXFSZ, SIG_DFL);
}
