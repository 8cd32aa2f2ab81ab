/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that a command's options name to be read: what no output may replace. */
#ifndef COMMAND_CLI_DECODE_INPUTS_H
#define COMMAND_CLI_DECODE_INPUTS_H

#include "cli/decode_state.h"

/* Adds what d->options names to d->inputs.  0 or -CSG_E_NO_MEMORY. */
int csg_decode_find_inputs(struct csg_decode *d);

/* Refuses a standard output that is one of them (-CSG_E_USAGE, reported). */
int csg_decode_check_stdout(struct csg_decode *d);

/* For csg_output_rules: whether st is of a file that code or symbols were read from.  arg: d. */
bool csg_decode_is_image(void *arg, const struct stat *st);

#endif
