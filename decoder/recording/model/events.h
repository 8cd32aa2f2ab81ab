/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sideband of a recording, kept small and given out in time order.
 *
 * perf.data holds one run of records per ring buffer and round, each run sorted, the
 * whole not (that is what perf's ordered_events and FINISHED_ROUND are for).  Here every
 * event is packed into a few bytes (a PERF_RECORD_SWITCH_CPU_WIDE of 56 bytes takes about
 * 12, and 14 in the index); the index is sorted once.  Events without a time are what perf
 * synthesised about the state it found: they come first, in the order of the file.
 *
 * Both are lists of blocks.  A block of the index is sorted when it is full, so that
 * csg_events_sort() only merges neighbours where their times overlap, as those of two rounds hardly
 * do.
 */
#ifndef DECODER_RECORDING_MODEL_EVENTS_H
#define DECODER_RECORDING_MODEL_EVENTS_H

#include "recording/model/model.h"
#include "util/disk_memory.h"

struct csg_events_entry;

/* Zero-filled it is empty and ready for use; memory, which may be NULL, must live as long. */
struct csg_events {
	struct csg_disk_memory *memory;
	uint8_t **blocks;
	size_t n_blocks, cap_blocks;
	size_t used; /* bytes of the last block */
	struct csg_events_entry **index;
	size_t n_index, cap_index;
	size_t n;
	bool sorted;
};

/* Most bytes that the raw part of a sample, or the bytes of a TEXT_POKE, may have. */
#define CSG_EVENT_BYTES_MAX 65536

void csg_events_fini(struct csg_events *events);

/*
 * Keeps a copy of event; map.path and comm are kept as pointers and must live on, bytes are
 * copied.  0 or -CSG_E_NO_MEMORY.
 */
int csg_events_add(struct csg_events *events, const struct csg_event *event);

/* Puts all events in time order; after this none may be added.  0 or -CSG_E_NO_MEMORY. */
int csg_events_sort(struct csg_events *events);

/* The i-th event; valid as long as events.  i is below events->n. */
void csg_events_get(const struct csg_events *events, size_t i, struct csg_event *event);

/* Its kind, without the cost of unpacking. */
enum csg_event_kind csg_events_kind(const struct csg_events *events, size_t i);

#endif
