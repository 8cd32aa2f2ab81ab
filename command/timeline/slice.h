/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A slice: one owner had one CPU, from one place of the trace to the next; or there is no trace of
 * that time.  Slices of a stream follow each other without a hole, so that they tell who had the
 * CPU when.
 *
 * A slice with a gap was not traced, or its trace was lost.  It has an owner where the host's
 * records say who had the CPU (csguest/untraced.h), and no instructions.
 */
#ifndef COMMAND_TIMELINE_SLICE_H
#define COMMAND_TIMELINE_SLICE_H

#include <stdbool.h>
#include <stdint.h>

/* Owner of a slice with a gap, of which no record says who had the CPU. */
#define CSG_SLICE_LOST UINT32_MAX

/* csg_slice.window: none. */
#define CSG_SLICE_NO_WINDOW UINT32_MAX

/* How a slice was left, where the trace says so; otherwise the number of an exception. */
#define CSG_LEFT_UNSEEN (-1)
#define CSG_LEFT_ERET (-2)

struct csg_slice {
	uint64_t begin, end;   /* in the timeline's unit, see enum csg_slices_unit */
	uint64_t index;	       /* byte offset in the trace of its queue at which it begins */
	uint64_t instructions; /* that were decoded */
	uint32_t owner;	       /* owner number, or CSG_SLICE_LOST */
	uint32_t stream;
	uint32_t missing;	/* pieces of its code that could not be read: not counted above */
	uint32_t instrumented;	/* instrumentation packets: TRCIT was executed */
	int16_t left;		/* CSG_LEFT_*, or TYPE of the exception packet */
	uint8_t gap;		/* enum csg_gap: why there is no trace of it; NONE: there is */
	uint8_t el;		/* with a gap: enum csg_el of its element */
	bool unwanted;		/* its code is not what the client wants: csg_slices_client.code */
	uint32_t window;	/* of csg_slice_windows: in which all that it counts is counted */
	uint32_t before, after; /* with a gap: owners of the slices around it, or CSG_SLICE_LOST */
};

#endif
