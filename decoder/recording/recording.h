/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens recordings (recording/model/model.h), whatever their form, and hands out what they hold. */
#ifndef DECODER_RECORDING_RECORDING_H
#define DECODER_RECORDING_RECORDING_H

#include "recording/model/model.h"
#include "recording/window.h"

/* A source as the attribution core and the scan know it. */
struct csg_trace_unit csg_source_unit(const struct csg_source *source);

/*
 * The chunks of a queue, which lie next to each other, and how many there are.  There may be tens
 * of thousands of queues: whoever goes through the chunks of each source goes through these only.
 */
const struct csg_chunk *csg_recording_queue(const struct csg_recording *rec, uint32_t queue,
					    size_t *n);

/*
 * Opens path: a perf.data file, a directory written by perf record --kcore or
 * --threads, a snapshot directory or its snapshot.ini; "-" is a perf.data piped to
 * standard input.  options and sink may be NULL.
 * Damage after the header is reported and ends the reading of the file there; what lies
 * before stays usable: the result is 0 and csg_recording_damage() tells the error.
 * On failure *rec is NULL.
 */
int csg_recording_load(struct csg_recording **rec, const char *path,
		       const struct csg_recording_setup *options, const struct csg_diag_sink *sink);

/* Arrays that belong to the recording; *n gets their length.  Chunks, samples: by queue, then in
 * order. */
const struct csg_source *csg_recording_sources(const struct csg_recording *rec, size_t *n);
const struct csg_chunk *csg_recording_chunks(const struct csg_recording *rec, size_t *n);
const struct csg_traced_sample *csg_recording_samples(const struct csg_recording *rec, size_t *n);

const struct csg_dump *csg_recording_dumps(const struct csg_recording *rec, size_t *n);
const struct csg_vcpu *csg_recording_vcpus(const struct csg_recording *rec, size_t *n);

/*
 * Reads a CSG_EVENT_SAMPLE.  False: it is none of KVM's that are read.  Where the event was
 * sampled, so that some of KVM's entries and exits have no record, nothing but the thread is known
 * of it.
 */
bool csg_recording_kvm_event(const struct csg_recording *rec, const struct csg_event *sample,
			     struct csg_kvm_event *event);

/*
 * Reads a CSG_EVENT_SAMPLE of sched:sched_waking or sched:sched_wakeup: the thread that was woken,
 * and the CPU that it is to run on, or CSG_NO_CPU.  False: it is neither, nothing says how its raw
 * bytes are to be read, or it was sampled: not each time has a record.
 */
bool csg_recording_wake(const struct csg_recording *rec, const struct csg_event *sample,
			int32_t *tid, int32_t *cpu);

/* Where what grows with the recording is kept; as long as it. */
struct csg_disk_memory *csg_recording_memory(struct csg_recording *rec);

/* err, or where it says that this memory's file cannot grow, -CSG_E_IO, which is reported. */
int csg_recording_tell_memory(struct csg_recording *rec, int err);

/* The same of memory that holds something else of it. */
int csg_recording_tell_disk(const struct csg_recording *rec, const struct csg_disk_memory *memory,
			    const char *what, int err);

/* Reports how much disk space it takes, where that is much. */
void csg_recording_note_memory(const struct csg_recording *rec);

/*
 * Calls fn for every sideband event whose kind is in mask (1 << enum csg_event_kind), in
 * time order (events without a time first, in the order of the file), until it returns other
 * than 0; returns that, or 0, or a negative error.  May be called repeatedly.
 */
int csg_recording_events(struct csg_recording *rec, uint32_t mask, csg_event_fn fn, void *arg);

#endif
