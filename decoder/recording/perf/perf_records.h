/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single records of a perf.data: what each type (enum perf_event_type of
 * include/uapi/linux/perf_event.h, enum perf_user_event_type of tools/lib/perf) adds to the
 * recording.  Records come whole and with valid size, whether out of a file, a pipe or a
 * compressed stream; AUXTRACE, whose bytes follow it, is perf_data.c's.
 */
#ifndef DECODER_RECORDING_PERF_PERF_RECORDS_H
#define DECODER_RECORDING_PERF_PERF_RECORDS_H

#include "recording/perf/perf_state.h"

/*
 * Takes in one record of len bytes, header included; offset is where it lies in state->path
 * (or CSG_NO_OFFSET).  0, or an error that makes going on useless; a record that is not as it
 * should be is reported and counted, and is no error.
 */
int csg_perf_record(struct csg_perf_state *state, const uint8_t *record, size_t len,
		    uint64_t offset);

#endif
