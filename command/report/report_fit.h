/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which columns of a report a terminal has room for, and how wide they are.  A line that is too
 * long loses the smaller of the two counts first, then the reasons that were not asked for, then
 * the other count, until all keys can be read: in 10 columns, the last in 24.  Then the widest keys
 * are cut.
 */
#ifndef COMMAND_REPORT_REPORT_FIT_H
#define COMMAND_REPORT_REPORT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "report/report_sort.h"

/* A count's column, with the blanks after it. */
#define CSG_REPORT_COUNT_WIDTH 15

struct csg_report_fit {
	/* To be filled in. */
	size_t columns;	   /* of the terminal; 0: everything fits */
	size_t before;	   /* columns of the share and of what belongs to it */
	bool by_branches;  /* they are the count that stays longer */
	bool no_branches;  /* there are none */
	bool added_reason; /* the last key is the reason, which was not asked for */
	/* To be filled in, and changed to what fits. */
	size_t n; /* keys; two columns are between them */
	size_t width[CSG_REPORT_KEY_COUNT];
	/* What else fits. */
	bool instructions, branches;
	bool left_out; /* something does not */
};

void csg_report_fit(struct csg_report_fit *fit);

#endif
