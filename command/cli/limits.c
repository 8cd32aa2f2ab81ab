/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/limits.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "csguest/error.h"

#define FILES_MOST 65536

static bool is_below(const struct rlimit *limit, rlim_t least)
{
	return limit->rlim_cur != RLIM_INFINITY && limit->rlim_cur < least;
}

int csg_limits_explain(const struct rlimit *stack, const struct rlimit *files, unsigned int open,
		       unsigned int need, char *text, size_t size)
{
	if (is_below(stack, (rlim_t)CSG_LIMITS_STACK_KB * 1024))
		snprintf(text, size,
			 "the stack is limited to %llu KB, but %d KB are needed: ulimit -s %d",
			 (unsigned long long)stack->rlim_cur / 1024, CSG_LIMITS_STACK_KB,
			 CSG_LIMITS_STACK_KB);
	else if (is_below(files, need + open))
		snprintf(text, size,
			 "open files are limited to %llu, but %u are needed: ulimit -n %u",
			 (unsigned long long)files->rlim_cur, need + open, need + open);
	else
		return 0;
	return -CSG_E_LIMIT;
}

/* Files that whoever started this one has left open, until as many are free as are needed. */
static unsigned int count_open(const struct rlimit *files, unsigned int need)
{
	unsigned int open = 0, vacant = 0;

	for (int fd = STDERR_FILENO + 1; vacant < need && (rlim_t)fd < files->rlim_cur; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			vacant++;
		else
			open++;
	return open;
}

static int check(const struct rlimit *stack, unsigned int need)
{
	struct rlimit files = {.rlim_cur = RLIM_INFINITY};
	char text[160];
	int err;

	getrlimit(RLIMIT_NOFILE, &files);
	err = csg_limits_explain(stack, &files, count_open(&files, need), need, text, sizeof(text));
	if (err)
		fprintf(stderr, "csguest: error: %s\n", text);
	return err;
}

/* Debug information of each object takes one, and a shell's limit is often 1024 of many more. */
static void raise_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= FILES_MOST)
		return;
	files.rlim_cur = files.rlim_max < FILES_MOST ? files.rlim_max : FILES_MOST;
	setrlimit(RLIMIT_NOFILE, &files);
}

int csg_limits_check(void)
{
	struct rlimit stack = {.rlim_cur = RLIM_INFINITY};

	getrlimit(RLIMIT_STACK, &stack);
	raise_files();
	signal(SIGXFSZ, SIG_IGN);
	return check(&stack, CSG_LIMITS_FILES);
}

int csg_limits_check_files(void)
{
	const struct rlimit stack = {.rlim_cur = RLIM_INFINITY};

	return check(&stack, CSG_LIMITS_FILES_LATER);
}

void csg_limits_reset(void)
{
	signal(SIGXFSZ, SIG_DFL);
}
