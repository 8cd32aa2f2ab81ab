/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What struct csg_recording is inside: the arrays that recording.h hands out, filled by
 * perf_data.c or snapshot.c while the recording is opened and left alone afterwards.
 */
#ifndef DECODER_RECORDING_MODEL_STORE_H
#define DECODER_RECORDING_MODEL_STORE_H

#include "recording/model/build_ids.h"
#include "recording/model/events.h"
#include "recording/model/kvm_events.h"
#include "recording/model/wake_events.h"
#include "recording/model/model.h"
#include "util/strings.h"
#include "util/array.h"

/* An open file that trace bytes lie in. */
struct csg_store_file {
	int fd;
	const char *path; /* for messages */
	uint64_t size;
};

/* Where a chunk's bytes lie; csg_chunk.id is its number. */
struct csg_extent {
	uint32_t file; /* number in csg_recording.files */
	uint64_t offset;
};

struct csg_recording {
	struct csg_diag_sink sink;
	struct csg_recording_info info;
	struct csg_time_conv time_conv;
	int damage;
	bool says_preempted; /* switch records of its machine say whether a thread was preempted */

	struct csg_store_file *files;
	size_t n_files, cap_files;
	struct csg_extent *extents;
	size_t n_extents, cap_extents;
	struct csg_source *sources;
	size_t n_sources, cap_sources;
	struct csg_chunk *chunks;
	size_t n_chunks, cap_chunks;
	struct csg_traced_sample *samples;
	size_t n_samples, cap_samples;
	struct csg_dump *dumps;
	size_t n_dumps, cap_dumps;
	struct csg_vcpu *vcpus;
	size_t n_vcpus, cap_vcpus;
	struct csg_store_event {
		const char *name; /* or NULL */
		uint64_t config;  /* of its perf_event_attr */
		bool sampled;	  /* it has records of some of what happened */
	} * event_attrs;
	size_t n_event_attrs, cap_event_attrs;

	struct csg_strings strings;
	struct csg_disk_memory memory; /* of what grows with the recording */
	struct csg_events events;
	struct csg_build_ids build_ids;
	struct csg_kvm_formats kvm_formats;
	struct csg_wake_formats wake_formats;
	struct csg_kept *kept; /* NULL: not asked for */
};

/* csg_array_add() for one of the arrays above: CSG_STORE_ADD(rec, chunks). */
#define CSG_STORE_ADD(rec, name)                                                                   \
	((typeof((rec)->name))csg_array_add(&(rec)->name, &(rec)->n_##name, &(rec)->cap_##name,    \
					    sizeof(*(rec)->name)))

/* Takes over fd; returns the file's number, or a negative error (fd is closed then). */
int csg_store_add_file(struct csg_recording *rec, int fd, const char *path, uint64_t size);

/* Adds an extent and returns its number in *id. */
int csg_store_add_extent(struct csg_recording *rec, uint32_t file, uint64_t offset, uint32_t *id);

/* Remembers the first damage. */
void csg_store_damaged(struct csg_recording *rec, int error);

/* Takes what tracing data says of tracepoints that are read. */
void csg_store_formats(struct csg_recording *rec, const uint8_t *bytes, size_t len);

#endif
