/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who ran when as Chrome's trace events in JSON ("Trace Event Format"), for Perfetto's page and
 * chrome://tracing.  Processes and threads of the picture:
 *
 *	CPUs		one thread for each CPU: who had it, and where trace was lost
 *	VM n		one thread for each vCPU: the guest's kernel and user code, and between
 *			them the exits, each with its exception, the handler in KVM, and whether
 *			the fast path did; one for its functions, if they are wanted, which nest;
 *			and one for each thread of the guest that is known
 *	host		one thread for each thread of the host: when it ran, user or kernel; the
 *			idle threads, which share the TID 0, one for each CPU (of guests, for each
 *			vCPU)
 *
 * Instrumentation packets are instants ("i") on the tracks of their CPU and of their vCPU or thread
 * of the host.
 *
 * All else are pairs of events ("ph":"B" and "E") with ts in microseconds, which no rounding makes
 * overlap, and metadata ("M") with names.
 */
#ifndef COMMAND_CALLS_CHROME_H
#define COMMAND_CALLS_CHROME_H

#include "calls/chrome_functions.h"
#include "calls/chrome_write.h"
#include "calls/exits.h"
#include "calls/nest.h"
#include "lookup/owner_filter.h"
#include "text/out.h"

struct csg_chrome_slice {
	uint64_t begin;
	uint32_t owner;
	uint8_t gap; /* lost: enum csg_gap */
	bool open;
};

/* Functions of a vCPU, by label. */
struct csg_chrome_calls {
	struct csg_nest nest;
	uint64_t time; /* of the last event, ns */
	bool entry;    /* it was a beginning */
};

struct csg_chrome {
	struct csg_exits exits;	     /* its arg, next, time and timeless are set by the caller */
	struct csg_chrome_writer to; /* its out is set by the caller */
	bool with_functions;
	const int32_t *cpus;		/* of the streams */
	struct csg_owner_filter filter; /* whose slices are written; the rest by exits.filter */
	/* Filled. */
	size_t streams;
	struct csg_chrome_slice *slices; /* by stream */
	struct csg_chrome_calls *calls;	 /* by track */
	size_t call_n;
	struct csg_chrome_functions functions;
	uint32_t *shown; /* by stream, with a filter by code: whose code that passes runs */
};

/* to.out, cpus and of exits what its header says are set.  csg_chrome_close() is safe after an
 * error. */
int csg_chrome_open(struct csg_chrome *chrome, const struct csg_lookup *lookup, size_t streams);
void csg_chrome_close(struct csg_chrome *chrome);

/* Follows some more.  1, 0 at the end, or a negative error. */
int csg_chrome_next(struct csg_chrome *chrome);

/* The end of the JSON; what was followed up to an error is in it. */
int csg_chrome_finish(struct csg_chrome *chrome);

#endif
