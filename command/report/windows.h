/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows: parts of a stream between two places where tracing was off, as strobing
 * (cs_etm/autofdo/), aux-action=pause and resume, and a full buffer leave them.  A window ends at a
 * GAP element that is CSG_GAP_TRACE_ON, CSG_GAP_BUFFER or CSG_GAP_TRUNCATED, and where its stream
 * ends.  Loss within a window (an overflow, undecodable bytes, missing code) does not end it, nor
 * does a guest that is not traced, nor a call of an EL2 that is not.
 *
 * How much of the whole lies in windows is a matter of time.  The time from one timestamp of a
 * window to the next is known, also where the CPU waited.  Instructions after the last one are
 * taken for as fast as most between two timestamps are: their rate is the median, weighted by
 * instructions.  The whole is as many times the windows as all of the CPUs' time is theirs.  Where
 * a CPU waited after the last timestamp of a window, that is too many times.
 */
#ifndef COMMAND_REPORT_WINDOWS_H
#define COMMAND_REPORT_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "lookup/lookup.h"
#include "timeline/slices.h"

#define CSG_WINDOWS_RATES 256

/* Sums over windows; csg_windows_sums_join() knows all of them. */
struct csg_windows_sums {
	uint64_t instructions, between; /* between: two timestamps of a window */
	uint64_t time;			/* ns between these */
	uint64_t windows, timed;	/* all, and those that have two */
	uint64_t incomplete;		/* windows of which code was not read, or trace was lost */
	uint64_t rates[CSG_WINDOWS_RATES]; /* of between: instructions per ns, log2 in eighths */
};

/* The window of a stream so far.  All zero: nothing was seen yet. */
struct csg_window_so_far {
	uint64_t executed, begun; /* instructions of it, and up to its last timestamp */
	bool timed;		  /* it has two */
	bool incomplete;	  /* it has a gap that does not end it */
	uint64_t stamp;		  /* perf time of the last one, ns; 0: there is none yet */
	uint64_t host_stamp;	  /* the same if it is the host's for certain; or 0 */
	int32_t stamp_vm;	  /* whose counter it is of */
};

/* All zero but the first three: nothing was seen yet. */
struct csg_windows {
	const struct csg_lookup *lookup;
	struct csg_slice_source source; /* of times */
	bool hyp_untraced; /* a Trace On at EL2 is a call of an EL2 that is not traced */
	struct csg_windows_sums sums;
	struct csg_window_so_far now; /* of the stream whose elements come */
};

/* Whether a window ends before this element. */
bool csg_windows_end_at(const struct csg_windows *windows, const struct csg_element *element);

/* The next element of the window. */
void csg_windows_add(struct csg_windows *windows, const struct csg_element *element);

/* The window is over. */
void csg_windows_end(struct csg_windows *windows);

/*
 * How many times what lies in windows the whole is, 1 or more; time: of all CPUs, ns, 0: not known.
 * 0: fewer than 30 windows have two timestamps, or the time is not known.
 */
double csg_windows_factor(const struct csg_windows *windows, uint64_t time);

/*
 * Whether timestamps are too few to tell when the windows of n streams begin and end: there are 30
 * windows more than streams, and a tenth of their instructions or more is not between two.
 */
bool csg_windows_are_timeless(const struct csg_windows *windows, size_t n);

/* The estimate of their share of all time, ns; 0: not even that is known. */
double csg_windows_share(const struct csg_windows *windows, uint64_t time);

/* Adds the sums of others. */
void csg_windows_sums_join(struct csg_windows_sums *sums, const struct csg_windows_sums *others);

#endif
