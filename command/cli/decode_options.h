/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the options that commands which decode have in common. */
#ifndef COMMAND_CLI_DECODE_OPTIONS_H
#define COMMAND_CLI_DECODE_OPTIONS_H

#include "cli/decode_state.h"

/* Fills d's tables, which point into *d. */
void csg_decode_fill_options(struct csg_decode *d);

#endif
