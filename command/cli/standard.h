/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The standard descriptors of the command, before and after it runs.  Where one of them is closed,
 * the next file that is opened would take its place: a recording would be read from, or an output
 * be written as, standard output.
 */
#ifndef COMMAND_CLI_STANDARD_H
#define COMMAND_CLI_STANDARD_H

/* Opens those that are closed, so that reading or writing them fails with EBADF. */
void csg_standard_open(void);

/* Flushes stdio's standard output.  status, or that of -CSG_E_IO where it is 0 and this failed,
 * reported. */
int csg_standard_finish(int status);

#endif
