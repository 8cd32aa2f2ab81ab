/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a perf.data holds beside its trace, kept byte by byte so that it can be written again
 * (csguest/sideband.h): the attrs with their IDs, the records of kernel and perf record, the
 * features of the header.
 *
 * Records are kept decompressed in a temporary file, 16 bytes of memory each, and given out in time
 * order; those without a time, what perf found before it began, first and in the order of the
 * file.  Not kept are those about the trace (AUX, AUXTRACE, ITRACE_START, AUX_OUTPUT_HW_ID), those
 * of which sections are made (the attrs and features of a pipe), those that divide the file
 * (FINISHED_ROUND, COMPRESSED), and those that perf would refuse for an event ID of no event.
 * Samples are kept without their trace (PERF_SAMPLE_AUX).
 *
 * Every record is made to end or begin with PERF_SAMPLE_IDENTIFIER, as the events that are written
 * with it need: perf reads no file whose events have their IDs at different places.
 */
#ifndef DECODER_RECORDING_PERF_KEPT_H
#define DECODER_RECORDING_PERF_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/perf/perf_attr.h"

/* A perf_event_attr in the size that it states, 64 bytes or more. */
struct csg_kept_attr {
	uint8_t *bytes;
	size_t size;
	uint64_t *ids;
	size_t n_ids, cap_ids;
};

/* Bytes in the temporary file. */
struct csg_kept_feature {
	unsigned int number;
	uint64_t at, size;
};

struct csg_kept_record {
	uint64_t time;
	uint64_t place; /* at << 16 | bytes */
};

struct csg_kept {
	int fd;
	int error;    /* errno of a write to it that failed; 0: none has */
	uint64_t end; /* bytes in the file and in the buffer */
	uint8_t *buffer;
	size_t buffered;     /* not yet written */
	uint64_t window;     /* reading: where the buffer's bytes lie */
	size_t window_bytes; /* 0: none */

	struct csg_kept_attr *attrs;
	size_t n_attrs, cap_attrs;
	struct csg_kept_feature *features;
	size_t n_features, cap_features;
	struct csg_kept_record *records;
	size_t n_records, cap_records;
	uint32_t trace_type; /* perf_event_attr.type of the trace, where has_trace */
	bool has_trace;
	uint64_t dropped; /* records that perf could not have read */
};

/* tmpdir may be NULL.  0, -CSG_E_IO, -CSG_E_NO_MEMORY. */
int csg_kept_create(struct csg_kept **kept, const char *tmpdir);
void csg_kept_destroy(struct csg_kept *kept);

/* Taking in; the errors are -CSG_E_IO and -CSG_E_NO_MEMORY.  len bytes of attr hold it whole. */
int csg_kept_add_attr(struct csg_kept *kept, const uint8_t *attr, size_t len);
int csg_kept_add_id(struct csg_kept *kept, uint32_t attr, uint64_t id);
/* One that is not wanted is passed over, of two the later one counts. */
int csg_kept_add_feature(struct csg_kept *kept, unsigned int number, const uint8_t *bytes,
			 size_t len);
/* A feature whose len bytes the caller writes to the result, a descriptor, at once; then it says
 * how many they were: one that is not whole is forgotten. */
int csg_kept_begin_feature(struct csg_kept *kept, unsigned int number, uint64_t len);
void csg_kept_end_feature(struct csg_kept *kept, unsigned int number, uint64_t written);
/* A record with its offset in the recording's file or CSG_NO_OFFSET, what was found in it, and
 * csg_perf_attrs_lacks(); one of a type that is not kept is passed over. */
int csg_kept_add_record(struct csg_kept *kept, const uint8_t *record, size_t len, uint64_t offset,
			const struct csg_perf_sample *sample, int lacks);

/* Nothing more will come: puts the records in order and the attrs in their final form. */
int csg_kept_finish(struct csg_kept *kept);

/* The i-th record, valid until the next call; i is below n_records.  0 or -CSG_E_IO. */
int csg_kept_read(struct csg_kept *kept, size_t i, const uint8_t **record, size_t *len);

/* The offset that was given for a record that csg_kept_read() gave. */
uint64_t csg_kept_offset(const uint8_t *record);

/* NULL where it is not there. */
const struct csg_kept_feature *csg_kept_feature(const struct csg_kept *kept, unsigned int number);

#endif
