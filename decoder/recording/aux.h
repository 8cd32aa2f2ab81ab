/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From AUX area records to chunks.
 *
 * PERF_RECORD_AUXTRACE says where in the file the bytes [offset, offset + size) of one AUX
 * area buffer lie; perf record writes one whenever it empties the buffer.  PERF_RECORD_AUX is
 * the kernel's: each time the sink was stopped, the bytes [aux_offset, aux_offset + aux_size)
 * are one piece of trace recorded without a break.  The two are matched by CPU, or by thread
 * where the buffer belongs to a thread (AUXTRACE.cpu == -1).  In snapshot mode
 * (PERF_AUX_FLAG_OVERWRITE) the buffer is a ring that is read when the user asks: aux_offset
 * is where the piece ends, and its beginning may have been overwritten.
 *
 * AUXTRACE bytes that no AUX record speaks of (those were lost, or cut off with the end of
 * the file) become chunks flagged CSG_CHUNK_UNBOUND; not in snapshot mode, where they are
 * leftovers.
 */
#ifndef DECODER_RECORDING_AUX_H
#define DECODER_RECORDING_AUX_H

#include "recording/store.h"

/* One PERF_RECORD_AUXTRACE. */
struct csg_aux_area {
	uint32_t queue;
	int32_t cpu, tid;      /* -1 where it belongs to none */
	uint64_t offset, size; /* in the AUX buffer's count of bytes */
	uint32_t file;	       /* number of the store's file */
	uint64_t at;	       /* where in it the bytes lie */
	uint64_t record;       /* where the record itself is, for messages */
	uint32_t order;	       /* of the records of the recording; set by csg_aux_add_area() */
};

/* One PERF_RECORD_AUX. */
struct csg_aux_piece {
	uint64_t offset, size, flags; /* flags: PERF_AUX_FLAG_* */
	uint64_t time;
	int32_t cpu, pid, tid; /* of the record's struct sample_id */
	uint64_t record;
};

#define CSG_AUX_TRUNCATED 0x01u
#define CSG_AUX_OVERWRITE 0x02u
#define CSG_AUX_PARTIAL 0x04u
#define CSG_AUX_COLLISION 0x08u
#define CSG_AUX_FORMAT_RAW 0x100u

/* PERF_RECORD_ITRACE_START: tracing of a CPU begins, which the kernel tells right before. */
struct csg_aux_start {
	int32_t cpu;
	uint64_t time;
};

/* Zero-filled it is empty and ready for use. */
struct csg_aux {
	struct csg_aux_area *areas;
	size_t n_areas, cap_areas;
	struct csg_aux_piece *pieces;
	size_t n_pieces, cap_pieces;
	struct csg_aux_start *starts;
	size_t n_starts, cap_starts;
};

void csg_aux_fini(struct csg_aux *aux);

int csg_aux_add_area(struct csg_aux *aux, const struct csg_aux_area *area);
int csg_aux_add_piece(struct csg_aux *aux, const struct csg_aux_piece *piece);

/* The first of a CPU counts: its first chunk began then. */
int csg_aux_add_start(struct csg_aux *aux, int32_t cpu, uint64_t time);

/*
 * Makes rec's chunks of them, by queue and in order of time, after the last record has been
 * read.  path is for messages: AUX records without their AUXTRACE are told once, as a sum.
 */
int csg_aux_make_chunks(struct csg_aux *aux, struct csg_recording *rec, const char *path);

#endif
