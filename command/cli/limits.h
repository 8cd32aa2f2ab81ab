/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of the process that the command cannot do with: setrlimit(2), ulimit of the shell. */
#ifndef COMMAND_CLI_LIMITS_H
#define COMMAND_CLI_LIMITS_H

#include <stddef.h>
#include <sys/resource.h>

#define CSG_LIMITS_STACK_KB 512
#define CSG_LIMITS_FILES 16

/* What is wrong with these limits, and how to raise them, in text; 0, or -CSG_E_LIMIT. */
int csg_limits_explain(const struct rlimit *stack, const struct rlimit *files, char *text,
		       size_t size);

/* Reports limits of this process that are too low.  0 or -CSG_E_LIMIT. */
int csg_limits_check(void);

#endif
