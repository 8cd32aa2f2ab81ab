/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of the process that the command cannot do with: setrlimit(2), ulimit of the shell. */
#ifndef COMMAND_CLI_LIMITS_H
#define COMMAND_CLI_LIMITS_H

#include <stddef.h>
#include <sys/resource.h>

#define CSG_LIMITS_STACK_KB 512
#define CSG_LIMITS_FILES 16	  /* to begin with */
#define CSG_LIMITS_FILES_LATER 12 /* more, once a recording and those of its guests are open */

/*
 * What is wrong with these limits, and how to raise them, in text; 0, or -CSG_E_LIMIT.  open: how
 * many of the files are open already, beside standard input, output and error; need: how many more
 * are needed.
 */
int csg_limits_explain(const struct rlimit *stack, const struct rlimit *files, unsigned int open,
		       unsigned int need, char *text, size_t size);

/*
 * Raises the limit of open files as far as this process may, and reports limits that are too low.
 * 0 or -CSG_E_LIMIT.  From then on a file that becomes too large (RLIMIT_FSIZE) is an error of who
 * writes it, EFBIG, and no signal.
 */
int csg_limits_check(void);

/*
 * Reports when fewer than CSG_LIMITS_FILES_LATER files can be opened yet.  What an image or a list
 * cannot be opened for want of is not read, and the result another: so this comes first.  0 or
 * -CSG_E_LIMIT.
 */
int csg_limits_check_files(void);

/* Programs that this one starts get the signal again. */
void csg_limits_reset(void);

#endif
