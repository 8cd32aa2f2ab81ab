/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time on the CPUs by owner: slices (timeline/slice.h) added up.  Every slice is counted once, so that
 * the sums are those of csguest timeline.
 */
#ifndef COMMAND_SUMMARY_CPU_TIME_H
#define COMMAND_SUMMARY_CPU_TIME_H

#include <stddef.h>

#include "csguest/element.h"
#include "timeline/slice.h"

struct csg_cpu_time_sum {
	uint64_t time; /* in the timeline's unit */
	uint64_t instructions, missing, slices;
};

struct csg_cpu_time {
	struct csg_cpu_time_sum *by_owner; /* by owner number below n */
	size_t n;
	struct csg_cpu_time_sum lost[CSG_GAP_COUNT]; /* trace that is missing, by gap */
	struct csg_cpu_time_sum all;
	uint64_t begin, end; /* of all slices; begin > end: there was none */
};

void csg_cpu_time_init(struct csg_cpu_time *time);
void csg_cpu_time_fini(struct csg_cpu_time *time);

/* -CSG_E_NO_MEMORY. */
int csg_cpu_time_add(struct csg_cpu_time *time, const struct csg_slice *slice);

/* Adds a sum to another. */
void csg_cpu_time_sum_add(struct csg_cpu_time_sum *sum, const struct csg_cpu_time_sum *part);

#endif
