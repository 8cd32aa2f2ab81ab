/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a decoded recording passes the filters by owner (cli/filters.h). */
#ifndef COMMAND_CLI_FILTERED_H
#define COMMAND_CLI_FILTERED_H

#include "cli/decode.h"
#include "lookup/owner_filter.h"

/* For views; all pass where no filter is given.  d has to outlive it. */
struct csg_owner_filter csg_filtered(struct csg_decode *d);

/*
 * Hands the runs of elements whose owner passes to add, each as a batch of its own; the whole batch
 * where no filter is given.  0, or the first error of add.
 */
int csg_filtered_each(struct csg_decode *d, const struct csg_batch *batch,
		      int (*add)(void *arg, const struct csg_batch *run), void *arg);

/* For views that ask for each owner, whose thread has its latest name; decode is a struct csg_decode. */
bool csg_filtered_owner(void *decode, const struct csg_owner *owner);

#endif
