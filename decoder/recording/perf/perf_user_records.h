/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that perf itself writes (enum perf_user_event_type of tools/lib/perf). */
#ifndef DECODER_RECORDING_PERF_PERF_USER_RECORDS_H
#define DECODER_RECORDING_PERF_PERF_USER_RECORDS_H

#include "recording/perf/perf_state.h"

/* Who takes in records of a type that perf itself writes, or NULL. */
const struct csg_perf_handler *csg_perf_user_handler(uint32_t type);

/* Does every entry of an ID_INDEX speak of an ID that some attr has?  perf gives up where not. */
bool csg_perf_id_index_fits(const struct csg_perf_state *state, const struct csg_perf_raw *record);

#endif
