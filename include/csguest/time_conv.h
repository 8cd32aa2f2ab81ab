/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversion of a counter (CNTVCT_EL0, as a machine's kernel reads it) to perf time and back, by
 * PERF_RECORD_TIME_CONV (struct perf_event_mmap_page, "cap_user_time", "cap_user_time_short"):
 *
 *	ns = zero + (cycles >> shift) * mult + (((cycles & (1 << shift) - 1) * mult) >> shift)
 *
 * where a short counter is first extended: cycles = time_cycles + ((c - time_cycles) & time_mask).
 * Host and guests each have a conversion of their own.
 */
#ifndef CSGUEST_TIME_CONV_H
#define CSGUEST_TIME_CONV_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The record's members, by their names without "time_".  shift is below 64.  It does not grow. */
struct csg_time_conv {
	bool valid;
	bool short_counter; /* cap_user_time_short: cycles and mask are valid */
	uint16_t shift;
	uint32_t mult;
	uint64_t zero, cycles, mask;
};

/* perf time in ns of a counter value; 0 where conv is not valid. */
uint64_t csg_time_conv_to_ns(const struct csg_time_conv *conv, uint64_t counter);

/* The counter value at a perf time (the smallest that converts to ns or more); 0 where not
 * valid. */
uint64_t csg_time_conv_to_counter(const struct csg_time_conv *conv, uint64_t ns);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
