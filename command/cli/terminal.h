/* SPDX-License-Identifier: BSD-3-Clause */
/* What a terminal shows: colours and columns. */
#ifndef COMMAND_CLI_TERMINAL_H
#define COMMAND_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* When there are colours: --color.  AUTO: on a terminal that is not dumb, unless $NO_COLOR is
 * set. */
enum csg_colours {
	CSG_COLOURS_AUTO,
	CSG_COLOURS_ALWAYS,
	CSG_COLOURS_NEVER,
};

extern const char *const csg_colours_words[]; /* of --color; ends with NULL */

/* terminal: a terminal shows it, itself or by a pager. */
bool csg_terminal_colours(enum csg_colours when, bool terminal);

/* How many columns the terminal fd has, by $COLUMNS first, as perf; 0: it is none, or it is not
 * known. */
size_t csg_terminal_columns(int fd);

#endif
