/* SPDX-License-Identifier: BSD-3-Clause */
/* PERF_RECORD_TIME_CONV, read from a file; what it means: csguest/time_conv.h. */
#ifndef DECODER_RECORDING_PERF_TIME_CONV_H
#define DECODER_RECORDING_PERF_TIME_CONV_H

#include <stddef.h>

#include "csguest/time_conv.h"

/*
 * Reads the whole record (its header included); -CSG_E_CORRUPT where it is too short or shifts
 * by more than 32, which the kernel never does.  Records of before Linux 5.10 end before
 * time_cycles.
 */
int csg_time_conv_read(struct csg_time_conv *conv, const uint8_t *record, size_t len);

#endif
