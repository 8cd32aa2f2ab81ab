/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of the process that the command cannot do with: setrlimit(2), ulimit of the shell. */
#ifndef COMMAND_CLI_LIMITS_H
#define COMMAND_CLI_LIMITS_H

#include <stddef.h>
#include <sys/resource.h>

#define CSG_LIMITS_STACK_KB 512
#define CSG_LIMITS_FILES 16

/*
 * What is wrong with these limits, and how to raise them, in text; 0, or -CSG_E_LIMIT.  open: how many of
 * the files are open already, beside standard input, output and error.
 */
int csg_limits_explain(const struct rlimit *stack, const struct rlimit *files, unsigned int open,
		       char *text, size_t size);

/*
 * Reports limits of this process that are too low.  0 or -CSG_E_LIMIT.  From then on a file that becomes
 * too large (RLIMIT_FSIZE) is an error of who writes it, EFBIG, and no signal.
 */
int csg_limits_check(void);

/* Programs that this one starts get the signal again. */
void csg_limits_reset(void);

#endif
