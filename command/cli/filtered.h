/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of a decoded recording passes the filters (cli/filters.h): one function for each thing that
 * views show.  decode is a struct csg_decode after csg_filtered_open(), which has to outlive what
 * is returned.
 */
#ifndef COMMAND_CLI_FILTERED_H
#define COMMAND_CLI_FILTERED_H

#include "calls/call_filter.h"
#include "cli/decode.h"
#include "lookup/owner_filter.h"
#include "report/report.h"
#include "script/sample.h"
#include "timeline/slices.h"

/*
 * Makes the windows of --time; without it one of all times.  0, or a negative error that was
 * reported: also where no time of the trace is perf's.
 */
int csg_filtered_open(struct csg_decode *d);

/* Whether any option leaves something out. */
bool csg_filtered_chooses(const struct csg_decode *d);

/* What calls and exits pass. */
struct csg_call_filter csg_filtered_calls(struct csg_decode *d);

/* The code of slices, for csg_slices_create(); and slices, before they are cut by d->windows. */
void csg_filtered_slices(struct csg_decode *d, struct csg_slices_client *client);
bool csg_filtered_slice(void *decode, const struct csg_slice *slice);

/* The code of a report, before anything is added. */
void csg_filtered_report(struct csg_decode *d, struct csg_report *report);

/* Whether this batch, by its own time or d->now, ran in the windows. */
bool csg_filtered_time(const struct csg_decode *d, const struct csg_batch *batch);

/* Whether the code at an address of an owner passes. */
bool csg_filtered_code(void *decode, uint32_t owner, uint64_t address, uint64_t time);

/* The same of a function; dso and symbol may be NULL. */
bool csg_filtered_function(void *decode, const char *dso, const char *symbol);

/* The same filter by owner for views that take owners by number. */
struct csg_owner_filter csg_filtered(struct csg_decode *d);

/* Whether a sample passes, by the code at its address; target: at the address that it leads to. */
bool csg_filtered_sample(struct csg_decode *d, const struct csg_sample *sample, bool target);

/* Whether an element of a batch passes; those without code do not pass a filter by code. */
bool csg_filtered_element(struct csg_decode *d, const struct csg_batch *batch,
			  const struct csg_element *e);

/* Gives add() the parts of the batch that pass by owner and time; add() may get the batch
 * itself. */
int csg_filtered_each(struct csg_decode *d, const struct csg_batch *batch,
		      int (*add)(void *arg, const struct csg_batch *run), void *arg);

#endif
