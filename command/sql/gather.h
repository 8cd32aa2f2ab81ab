/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All tables of csguest export --sqlite from one pass over the trace.  Segments and exits are
 * written while it is decoded; the rest, which is added up, at its end.
 */
#ifndef COMMAND_SQL_GATHER_H
#define COMMAND_SQL_GATHER_H

#include "calls/call_tree.h"
#include "calls/exits.h"
#include "lookup/owner_filter.h"
#include "report/report.h"
#include "sql/rows.h"
#include "timeline/slices.h"
#include "waits/halts.h"

struct csg_gather {
	struct csg_session *session;
	struct csg_lookup lookup;
	const char *recording; /* as it is shown */
	/* As csg_exits has them. */
	void *arg;
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	uint64_t (*time)(void *arg, const struct csg_element *timestamp);
	bool hyp_untraced;
	/* What is written; nothing set: all. */
	struct csg_owner_filter filter;	    /* of what is counted, by the number of the owner */
	struct csg_call_filter call_filter; /* the same of calls, exits and threads */
	bool (*wants_slice)(void *arg, const struct csg_slice *slice);
	bool (*wants_vcpu)(void *arg, const struct csg_vcpu_entry *vcpu);
	const struct csg_waits *waits; /* set before csg_gather_finish(); NULL: not known */
	/* Private. */
	struct csg_rows rows;
	struct csg_exits exits;
	struct csg_call_tree tree;
	struct csg_report *report;
	struct csg_slices *slices;
	struct csg_slices_client client;
	struct csg_halts halts; /* for csg_switched_read() */
	enum csg_slices_unit unit;
	struct csg_slice_span {
		uint64_t begin, end;
	} span;		/* of all slices */
	uint64_t *gaps; /* places by stream and enum csg_gap */
};

/*
 * Begins a database in fd, an empty file; all but waits are set.  csg_gather_close() is safe after
 * an error. What is left of the code the caller says of gather->client, before, and of
 * gather->report, after it.
 */
int csg_gather_open(struct csg_gather *gather, int fd);

/* Follows some more.  1, 0 at the end, or a negative error. */
int csg_gather_next(struct csg_gather *gather);

/* Everything was followed, or what there was before an error: slices are all dated. */
int csg_gather_end(struct csg_gather *gather);

/* Writes what is left. */
int csg_gather_finish(struct csg_gather *gather);

/* As csg_rows_close(). */
int csg_gather_close(struct csg_gather *gather, int *write_error);

#endif
