/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of numbers as users give them: "0,2-3". */
#ifndef COMMAND_TEXT_NUMBER_SET_H
#define COMMAND_TEXT_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_number_range {
	int64_t first, last;
};

struct csg_number_set {
	struct csg_number_range *ranges;
	size_t n; /* 0: nothing was given */
};

/* Replaces *set.  0, -CSG_E_NO_MEMORY, or -CSG_E_USAGE where text is no such set. */
int csg_number_set_parse(struct csg_number_set *set, const char *text);
void csg_number_set_fini(struct csg_number_set *set);

/* Whether number is in it; true for all where nothing was given. */
bool csg_number_set_has(const struct csg_number_set *set, int64_t number);

/* Reads the decimal digits at *at and moves *at past them; false where there are none, or too
 * many. */
bool csg_number_read(const char **at, int64_t *number);

#endif
