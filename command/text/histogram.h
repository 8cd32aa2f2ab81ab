/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How numbers are distributed, in bounded memory: each power of two is divided into 32 parts, so
 * that a percentile is right within 3 %.
 */
#ifndef COMMAND_TEXT_HISTOGRAM_H
#define COMMAND_TEXT_HISTOGRAM_H

#include <stdint.h>

#define CSG_HISTOGRAM_PARTS 32
#define CSG_HISTOGRAM_SLOTS (60 * CSG_HISTOGRAM_PARTS)

struct csg_histogram {
	uint64_t count, sum, min, max;
	uint64_t slots[CSG_HISTOGRAM_SLOTS];
};

/* Begin with everything 0. */
void csg_histogram_add(struct csg_histogram *histogram, uint64_t n);

/* The number that this many percent (0..100) are not above; 0 where there are none. */
uint64_t csg_histogram_percentile(const struct csg_histogram *histogram, double percent);

#endif
