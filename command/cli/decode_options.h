/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the options that commands which decode have in common. */
#ifndef COMMAND_CLI_DECODE_OPTIONS_H
#define COMMAND_CLI_DECODE_OPTIONS_H

#include "cli/decode_state.h"

/* Fills d's tables, which point into *d. */
void csg_decode_fill_options(struct csg_decode *d);

/* Copies the filters with these names (which end with NULL) to a table of its own, with its end. */
void csg_decode_some_filters(const struct csg_decode *d, const char *const *names,
			     struct csg_option table[CSG_DECODE_OPTIONS]);

#endif
