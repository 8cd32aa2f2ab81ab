/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exit status of the csguest command: one for each error of the library, the same in every
 * version (csguest(1), "EXIT STATUS").
 */
#ifndef COMMAND_CLI_EXIT_CODE_H
#define COMMAND_CLI_EXIT_CODE_H

/* The status with which the command ends on this error, negated or not; an unknown one is
 * internal. */
int csg_exit_code(int error);

#endif
