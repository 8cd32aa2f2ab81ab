/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a report, and their order. */
#ifndef COMMAND_REPORT_ROW_ORDER_H
#define COMMAND_REPORT_ROW_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report_sort.h"
#include "report/shares.h"

struct csg_report_row {
	struct csg_report_label label;
	const char *dso, *symbol, *srcline; /* NULL: none, or not a key */
	bool no_path; /* between Q elements: executed, the path is not known */
	uint64_t instructions, branches;
	struct csg_shares_row
		share; /* of instructions or branches by window; all zero: not asked for */
};

/* By instructions (or branches), most first; of those with as many by what they say. */
void csg_row_order(struct csg_report_row *rows, size_t n, bool by_branches);

#endif
