/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace inside samples (perf record --aux-sample): PERF_SAMPLE_AUX of a PERF_RECORD_SAMPLE holds
 * the last bytes that the AUX buffer of the sample's CPU had when the sample was taken, cut at
 * their front at any byte.  Neither an offset nor PERF_RECORD_AUX comes with them.
 *
 * Each sample becomes an area and a record of its CPU's queue (recording/perf/aux_records.h), dated
 * by the sample; their offsets count the bytes of the queue's samples.  Where samples follow each
 * other closely, the first bytes of one are the last ones of that before.  Equal bytes do not prove
 * that it is the same trace, so the second sample never goes on from the state of the first: the
 * first one is cut at the last A-Sync of the bytes that both have, and the second one begins there.
 * Without an A-Sync it begins after these bytes.  So no instruction is counted twice, and nothing
 * is decoded in another sample's state.
 */
#ifndef DECODER_RECORDING_PERF_AUX_SAMPLES_H
#define DECODER_RECORDING_PERF_AUX_SAMPLES_H

#include "recording/model/store.h"
#include "recording/perf/aux_records.h"

/* Trace IDs, a bit each. */
struct csg_trace_id_set {
	uint64_t bits[2];
};

/* 0 or -CSG_E_NO_MEMORY. */
int csg_aux_samples_add(struct csg_aux *aux, const struct csg_aux_sample *sample);

/*
 * Adds the areas and records of all samples, after the last record has been read; known: the trace
 * IDs of the recording's units, which tell formatted trace from raw trace where no AUX record says
 * so. A recording with areas of its own keeps these.  0, -CSG_E_NO_MEMORY or -CSG_E_IO, reported.
 */
int csg_aux_samples_place(struct csg_aux *aux, struct csg_recording *rec,
			  const struct csg_trace_id_set *known, const char *path);

#endif
