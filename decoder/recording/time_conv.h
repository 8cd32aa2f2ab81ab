/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the generic counter to perf time and back, by PERF_RECORD_TIME_CONV
 * (struct perf_event_mmap_page, "cap_user_time", "cap_user_time_short"):
 *
 *	ns = zero + (cycles >> shift) * mult + (((cycles & (1 << shift) - 1) * mult) >> shift)
 *
 * where a short counter is first extended: cycles = time_cycles + ((c - time_cycles) & time_mask).
 */
#ifndef DECODER_RECORDING_TIME_CONV_H
#define DECODER_RECORDING_TIME_CONV_H

#include "recording/recording.h"

/*
 * Reads the whole record (its header included); -CSG_E_CORRUPT where it is too short or shifts
 * by more than 32, which the kernel never does.  Records of before Linux 5.10 end before
 * time_cycles.
 */
int csg_time_conv_read(struct csg_time_conv *conv, const uint8_t *record, size_t len);

/* perf time in ns of a counter value; 0 where conv is not valid. */
uint64_t csg_time_conv_to_ns(const struct csg_time_conv *conv, uint64_t counter);

/* The counter value at a perf time (the smallest that converts to ns or more); 0 where not valid. */
uint64_t csg_time_conv_to_counter(const struct csg_time_conv *conv, uint64_t ns);

#endif
