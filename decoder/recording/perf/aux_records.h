/* SPDX-License-Identifier: BSD-3-Clause */
/* The records that tell of AUX areas (recording/perf/aux.h). */
#ifndef DECODER_RECORDING_PERF_AUX_RECORDS_H
#define DECODER_RECORDING_PERF_AUX_RECORDS_H

#include <stddef.h>
#include <stdint.h>

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
struct csg_aux_record {
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
#define CSG_AUX_SAMPLE (UINT64_C(1) << 63) /* no flag of perf's: bytes of a sample */

/* The trace of one PERF_RECORD_SAMPLE (recording/perf/aux_samples.h). */
struct csg_aux_sample {
	uint64_t time;
	uint64_t at;	 /* where in the file its bytes lie */
	uint64_t record; /* where the record is, for messages */
	uint32_t file;	 /* number of the store's file */
	uint32_t size;	 /* below CSG_AUX_SAMPLE_MAX */
	uint32_t order;	 /* of the samples of the recording; set by csg_aux_samples_add() */
	int32_t cpu;	 /* whose buffer it is; -1: the thread's */
	int32_t pid, tid;
	uint64_t ip;
	uint32_t event;	 /* index of its event */
	uint8_t cpumode; /* enum csg_cpumode */
};

#define CSG_AUX_SAMPLE_MAX 65536u /* a record is smaller */

/* PERF_RECORD_ITRACE_START: tracing of a CPU begins, which the kernel tells right before. */
struct csg_aux_start {
	int32_t cpu;
	uint64_t time;
};

/* Zero-filled it is empty and ready for use. */
struct csg_aux {
	struct csg_aux_area *areas;
	size_t n_areas, cap_areas;
	struct csg_aux_record *records;
	size_t n_records, cap_records;
	struct csg_aux_start *starts;
	size_t n_starts, cap_starts;
	struct csg_aux_sample *samples;
	size_t n_samples, cap_samples;
};

#endif
