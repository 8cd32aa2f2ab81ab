/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time on the CPUs by owner: slices (timeline/slice.h) added up.  Every slice is counted once, so
 * that the sums are those of csguest timeline.
 */
#ifndef COMMAND_SUMMARY_CPU_TIME_H
#define COMMAND_SUMMARY_CPU_TIME_H

#include <stddef.h>

#include "csguest/element.h"
#include "timeline/slice.h"

struct csg_cpu_time_sum {
	uint64_t time;	   /* in the timeline's unit */
	uint64_t untraced; /* of it, time without trace, whose owner records name */
	uint64_t instructions, missing, slices;
	uint64_t left_out; /* slices that a filter left out */
};

struct csg_cpu_time {
	struct csg_cpu_time_sum *by_owner; /* by owner number below n */
	size_t n;
	struct csg_cpu_time_sum lost[CSG_GAP_COUNT]; /* trace that is missing, by gap */
	struct csg_cpu_time_sum all;
	/* Of all slices, also those left out; begin > end: there was none. */
	uint64_t begin, end;
};

void csg_cpu_time_init(struct csg_cpu_time *time);
void csg_cpu_time_fini(struct csg_cpu_time *time);

/* -CSG_E_NO_MEMORY. */
int csg_cpu_time_add(struct csg_cpu_time *time, const struct csg_slice *slice);

/* The same for a slice that a filter leaves out: it belongs to the traced span and its sum only. */
int csg_cpu_time_leave_out(struct csg_cpu_time *time, const struct csg_slice *slice);

/*
 * Multiplies what a sum has as traced: the rest is not traced, but its owners' all the same.  For
 * windows whose traced time is an estimate (report/windows.h).
 */
void csg_cpu_time_sum_scale(struct csg_cpu_time_sum *sum, double traced);

/* How much of all time is traced: neither without trace nor lost. */
uint64_t csg_cpu_time_traced(const struct csg_cpu_time *time);

/* Adds a sum to another. */
void csg_cpu_time_sum_add(struct csg_cpu_time_sum *sum, const struct csg_cpu_time_sum *part);

#endif
