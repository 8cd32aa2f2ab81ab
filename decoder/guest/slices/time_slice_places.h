/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a CPU's on-CPU intervals time slices in a row can lie
 * (guest/slices/time_slice_match.h). */
#ifndef DECODER_GUEST_SLICES_TIME_SLICE_PLACES_H
#define DECODER_GUEST_SLICES_TIME_SLICE_PLACES_H

#include "guest/facts/kvm_visits.h"
#include "guest/facts/residency.h"
#include "guest/slices/time_slices.h"

#define CSG_TIME_SLICE_WORK_MAX                                                                    \
	(UINT64_C(1) << 27) /* intervals looked at for one piece: about a second */

/* Time slices in a row, the first and where its interval may be. */
struct csg_time_slice_run {
	size_t slice, count;
	size_t low, high;
	bool shows, contradicted; /* KVM's events agree with it, or do not */
	/* at how many ends a time slice follows, or precedes, that is not what it seems */
	uint8_t torn;
};

struct csg_time_slice_match {
	struct csg_time_slices *slices;
	const struct csg_on_cpu *intervals; /* in a row: nobody else was there */
	size_t interval_count;
	struct csg_time_slice_run *runs;
	size_t run_count, run_capacity;
	const struct csg_kvm_visit *visits; /* on this CPU */
	size_t visit_count;
	size_t first; /* time slice */
	uint64_t work;
};

/* Whether the time slice can have been the interval at a place. */
bool csg_time_slice_may_be(struct csg_time_slice_match *m, size_t slice, size_t at);

/* Whether the run can begin with the interval at a place. */
bool csg_time_slice_run_fits(struct csg_time_slice_match *m, const struct csg_time_slice_run *run,
			     size_t at);

/* Finds the earliest place of each run, then the latest.  False: there is none, or too much to
 * try. */
bool csg_time_slice_runs_find_lows(struct csg_time_slice_match *m);
bool csg_time_slice_runs_find_highs(struct csg_time_slice_match *m);

#endif
