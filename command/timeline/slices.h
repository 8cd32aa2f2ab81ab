/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From elements to slices: what ran on each CPU, over time (timeline/slice.h), dated as
 * timeline/slice_clock.h says.
 *
 * A slice begins where the owner changes, evidence included, where the client's filter by code
 * passes something or no longer does, where a window begins or ends, and where trace was lost. 
 * What was
 * lost between two owners is a slice of its own; several losses in a row are one, which tells the
 * gravest (a Trace On after an overflow says nothing new).  Code that was executed but cannot be
 * read is no
 * loss: its slice has an owner, and counts it as missing.
 *
 * Memory does not depend on the recording's length: slices are handed on as soon as they are dated.
 */
#ifndef COMMAND_TIMELINE_SLICES_H
#define COMMAND_TIMELINE_SLICES_H

#include "csguest/session.h"
#include "timeline/slice_clock.h"

/* What begin and end of slices are. */
enum csg_slices_unit {
	CSG_SLICES_NS,	  /* perf time, ns */
	CSG_SLICES_TICKS, /* the trace's timestamps, of a clock with no known relation to perf's */
	CSG_SLICES_BYTES, /* no timestamps: bytes of trace */
};

/* Where times and owners come from: timeline/slice_source.h. */
struct csg_slice_source {
	void *arg;
	/* Perf time of a raw timestamp; for CSG_SLICES_NS. */
	uint64_t (*time)(void *arg, uint64_t timestamp);
	/* Whose clock timestamps are of while owner runs, as of csg_slice_clock_mark(). */
	uint64_t (*clock)(void *arg, uint32_t owner);
	/*
	 * Who had the CPU of slice->stream from slice->begin on, of which there is no trace, and
	 * until when: csg_session_untraced().  The number of the owner, or CSG_SLICE_LOST: nobody
	 * says.  NULL: never known.
	 */
	int64_t (*untraced)(void *arg, const struct csg_slice *slice, uint64_t *until);
	/* How long guests had the CPU of a stream from one perf time to the other.  NULL: never
	 * known. */
	uint64_t (*guests)(void *arg, uint32_t stream, uint64_t from, uint64_t until);
};

struct csg_slices_client {
	struct csg_slice_source source;
	/*
	 * Whether the code of an element, which ran at a time (ns, UINT64_MAX: not known), is
	 * wanted.  NULL: all is.
	 */
	bool (*code)(void *code_arg, const struct csg_element *element, uint64_t time);
	void *code_arg;
	/*
	 * In which window what runs on a stream now is counted: csg_slice.window.  A slice begins
	 * where that changes.  NULL: in the first.
	 */
	uint32_t (*window)(void *window_arg, uint32_t stream);
	void *window_arg;
	void *arg;
	/* The next slice of its stream.  0, or a negative error that ends csg_slices_add(). */
	int (*slice)(void *arg, const struct csg_slice *slice);
};

struct csg_slices;

/* The unit for these streams of a recording; kind is enum csg_recording_kind. */
enum csg_slices_unit csg_slices_unit(const struct csg_stream_info *streams, size_t n, int kind);

/* For n streams. */
int csg_slices_create(struct csg_slices **slices, size_t n, enum csg_slices_unit unit,
		      const struct csg_slices_client *client);
void csg_slices_destroy(struct csg_slices *slices);

int csg_slices_add(struct csg_slices *slices, const struct csg_batch *batch);

/* A stream is over: hands on what is left of it. */
int csg_slices_end_stream(struct csg_slices *slices, uint32_t stream);

/* No more will come: hands on what is left of all. */
int csg_slices_finish(struct csg_slices *slices);

#endif
