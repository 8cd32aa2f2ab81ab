/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of a report as the argument of an option. */
#ifndef COMMAND_CLI_SORT_OPTION_H
#define COMMAND_CLI_SORT_OPTION_H

#include "report/report_sort.h"

/* Reads keys (csg_report_sort_parse()); says which is none, and what is like it.  -CSG_E_USAGE. */
int csg_sort_option_parse(const char *command, const char *option, struct csg_report_sort *sort,
			  const char *text);

#endif
