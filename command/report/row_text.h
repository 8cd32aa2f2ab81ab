/* SPDX-License-Identifier: BSD-3-Clause */
/* What the keys of a report's row say, as text. */
#ifndef COMMAND_REPORT_ROW_TEXT_H
#define COMMAND_REPORT_ROW_TEXT_H

#include "report/report.h"

#define CSG_ROW_TEXT_MAX 256 /* longest text of a cell that is not a string of the recording */

/* Text of a cell, or NULL: not known.  May lie in buf[CSG_ROW_TEXT_MAX]. */
const char *csg_row_cell(const struct csg_report_row *row, enum csg_report_key key, char *buf);

/* A cell as people want to read it: the host is no VM and has no vCPUs.  Never NULL. */
const char *csg_row_text(const struct csg_report_row *row, enum csg_report_key key, char *buf);

/* Numbers stay numbers in JSON. */
bool csg_row_is_number(enum csg_report_key key);

#endif
