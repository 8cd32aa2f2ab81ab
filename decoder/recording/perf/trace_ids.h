/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which trace IDs a queue of trace bytes holds, and which trace unit each one is.
 *
 * PERF_RECORD_AUX_OUTPUT_HW_ID says so for the CPU it comes from: trace ID in bits 7:0, the
 * sink's ID in bits 39:8 where the minor version (bits 59:56) is 1 or more.  From then on
 * an ID belongs to a sink, the same ID being another CPU's in another sink; with minor version
 * 0 IDs are global.  Without any such record (kernels before 6.2) TRCTRACEIDR in the metadata
 * holds it.  A formatted buffer holds the trace of every unit that feeds its sink, whichever
 * CPU's buffer it is; a raw one (TRBE) only that of the CPU that recorded the piece.
 */
#ifndef DECODER_RECORDING_PERF_TRACE_IDS_H
#define DECODER_RECORDING_PERF_TRACE_IDS_H

#include "recording/model/store.h"
#include "recording/perf/etm_metadata.h"

/* One PERF_RECORD_AUX_OUTPUT_HW_ID. */
struct csg_hw_id {
	uint64_t value;
	int32_t cpu, tid; /* of its struct sample_id */
	uint64_t record;  /* where it is, for messages */
};

/* Zero-filled it is empty and ready for use. */
struct csg_hw_ids {
	struct csg_hw_id *ids;
	size_t n, cap;
};

void csg_hw_ids_fini(struct csg_hw_ids *ids);

/* Remembers it once, however often it comes; -CSG_E_CORRUPT where there are thousands. */
int csg_hw_ids_add(struct csg_hw_ids *ids, const struct csg_hw_id *id);

/* Sets the bit of each trace ID that a record or the metadata gives to a unit. */
void csg_trace_ids_known(const struct csg_hw_ids *ids, const struct csg_etm_metadata *metadata,
			 uint64_t known[2]);

/*
 * Makes rec's sources for the queues that its chunks name: by queue, then by trace ID.  An ID
 * that two CPUs claim in one sink stays with the first; that is reported.
 */
int csg_trace_ids_make_sources(const struct csg_hw_ids *ids,
			       const struct csg_etm_metadata *metadata, struct csg_recording *rec,
			       const char *path);

#endif
