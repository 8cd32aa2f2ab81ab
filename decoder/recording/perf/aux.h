/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From AUX area records to chunks.
 *
 * PERF_RECORD_AUXTRACE says where in the file the bytes [offset, offset + size) of one AUX
 * area buffer lie; perf record writes one whenever it empties the buffer.  PERF_RECORD_AUX is
 * the kernel's: each time the sink was stopped, the bytes [aux_offset, aux_offset + aux_size)
 * are one chunk, recorded without a break.  The two are matched by CPU, or by thread
 * where the buffer belongs to a thread (AUXTRACE.cpu == -1).  In snapshot mode
 * (PERF_AUX_FLAG_OVERWRITE) the buffer is a ring that is read when the user asks: aux_offset
 * is where the record ends, and its beginning may have been overwritten.
 *
 * AUXTRACE bytes that no AUX record speaks of (those were lost, or cut off with the end of
 * the file) become chunks flagged CSG_CHUNK_UNBOUND; not in snapshot mode, where they are
 * leftovers.
 */
#ifndef DECODER_RECORDING_PERF_AUX_H
#define DECODER_RECORDING_PERF_AUX_H

#include "recording/model/store.h"
#include "recording/perf/aux_records.h"

void csg_aux_fini(struct csg_aux *aux);

int csg_aux_add_area(struct csg_aux *aux, const struct csg_aux_area *area);
int csg_aux_add_record(struct csg_aux *aux, const struct csg_aux_record *record);

/* The first of a CPU counts: its first chunk began then. */
int csg_aux_add_start(struct csg_aux *aux, int32_t cpu, uint64_t time);

/*
 * Makes rec's chunks of them, by queue and in order of time, after the last record has been
 * read.  path is for messages: AUX records without their AUXTRACE are reported once, as a sum.
 */
int csg_aux_make_chunks(struct csg_aux *aux, struct csg_recording *rec, const char *path);

#endif
