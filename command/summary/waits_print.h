/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of the page that tell why vCPUs were off their CPUs, and who ran instead. */
#ifndef COMMAND_SUMMARY_WAITS_PRINT_H
#define COMMAND_SUMMARY_WAITS_PRINT_H

#include "summary/group.h"
#include "text/out.h"

void csg_waits_print_head(struct csg_out *out);

/* What follows the name of a VM, with at most top of those who ran instead. */
void csg_waits_print(const struct csg_group *group, size_t top, struct csg_out *out);

#endif
