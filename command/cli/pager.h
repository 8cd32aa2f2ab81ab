/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pager for what is printed on a terminal, chosen as perf does: $CSGUEST_PAGER, $PERF_PAGER,
 * $PAGER, else pager or less where they are installed.  An empty one and "cat" are none.  Where
 * standard output is no terminal there is none either.
 */
#ifndef COMMAND_CLI_PAGER_H
#define COMMAND_CLI_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

struct csg_pager {
	pid_t pid;    /* 0: none */
	int out, err; /* standard output and error as they were; -1: not replaced */
};

/* The words for the shell by the environment; NULL: none. */
const char *csg_pager_command(void);

/*
 * Starts the pager: standard output, and standard error if it is a terminal, go to it until
 * csg_pager_end().  False: there is none, and nothing has changed.
 */
bool csg_pager_begin(struct csg_pager *pager);

/* Everything is flushed: waits until the user has quit.  All zero: does nothing. */
void csg_pager_end(struct csg_pager *pager);

#endif
