/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of what ran, added up: symbol, counted, call. */
#ifndef COMMAND_SQL_WORK_H
#define COMMAND_SQL_WORK_H

#include "calls/call_tree.h"
#include "report/report.h"
#include "sql/rows.h"

/* The keys of a report for csg_work_write_counted(). */
void csg_work_sort(struct csg_report_sort *sort);

/* Of a finished report.  -CSG_E_NO_MEMORY. */
int csg_work_write_counted(struct csg_report *report, struct csg_rows *rows);

/*
 * Of a tree of instructions that is timed; dated: its times are ns.  sparse: only nodes that were
 * called or have weight, and those that they hang under.  -CSG_E_NO_MEMORY.
 */
int csg_work_write_calls(const struct csg_call_tree *tree, bool dated, bool sparse,
			 struct csg_rows *rows);

#endif
