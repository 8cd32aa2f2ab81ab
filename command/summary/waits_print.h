/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of the page that tell why vCPUs were off their CPUs, and who ran instead. */
#ifndef COMMAND_SUMMARY_WAITS_PRINT_H
#define COMMAND_SUMMARY_WAITS_PRINT_H

#include "summary/group.h"
#include "text/out.h"

/*
 * The states that have a column, as a set of 1 << enum csg_wait_state, where the VMs of a page were
 * this long in each: those that not every recording can tell take the place of what is reported
 * without them.
 */
uint32_t csg_waits_columns(const struct csg_wait_sums *all);

void csg_waits_print_head(uint32_t columns, struct csg_out *out);

/* What follows the name of a VM, with at most top of those who ran instead. */
void csg_waits_print(const struct csg_group *group, uint32_t columns, size_t top,
		     struct csg_out *out);

#endif
