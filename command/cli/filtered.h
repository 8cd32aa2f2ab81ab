/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a decoded recording passes the filters by owner (cli/filters.h). */
#ifndef COMMAND_CLI_FILTERED_H
#define COMMAND_CLI_FILTERED_H

#include "cli/decode.h"
#include "lookup/owner_filter.h"

/*
 * Makes the windows of --time, if it is given.  0, or a negative error that was reported: also where no time
 * of the trace is perf's.
 */
int csg_filtered_open(struct csg_decode *d);

/* The same for views that know one window only: several are refused. */
int csg_filtered_open_one(struct csg_decode *d);

/* For views that follow calls; decode is a struct csg_decode with windows. */

/* Whether what runs on this stream now is in the windows. */
bool csg_filtered_now(void *decode, uint32_t stream);
/* How much of the time from begin to end (ns) is in the windows. */
uint64_t csg_filtered_share(void *decode, uint64_t begin, uint64_t end);
/* Cuts a time down to what of it is in the one window; false: nothing is. */
bool csg_filtered_cut(void *decode, uint64_t *begin, uint64_t *end);

/* Whether this batch ran in the windows; what has no time did, as in perf. */
bool csg_filtered_time(const struct csg_decode *d, const struct csg_batch *batch);

/* Whether the code at an address of an owner passes --dso and --symbol. */
bool csg_filtered_code(const struct csg_lookup *lookup, const struct csg_filters *filters,
		       uint32_t owner, uint64_t address, uint64_t time);

/* The same of a function that was found; decode is a struct csg_decode. */
bool csg_filtered_function(void *decode, const char *dso, const char *symbol);

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
