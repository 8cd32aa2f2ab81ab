/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A slice: one owner had one CPU, from one place of the trace to the next; or trace was lost there.
 * Slices of a stream follow each other without a hole, so that they tell who had the CPU when.
 */
#ifndef COMMAND_TIMELINE_SLICE_H
#define COMMAND_TIMELINE_SLICE_H

#include <stdint.h>

/* Owner of a slice of which there is no trace; its gap says why. */
#define CSG_SLICE_LOST UINT32_MAX

/* How a slice was left, where the trace says so; otherwise the number of an exception. */
#define CSG_LEFT_UNSEEN (-1)
#define CSG_LEFT_ERET (-2)

struct csg_slice {
	uint64_t begin, end;   /* in the timeline's unit, see enum csg_slices_unit */
	uint64_t index;	       /* byte offset in the trace of its queue at which it begins */
	uint64_t instructions; /* that were decoded */
	uint32_t owner;	       /* owner number, or CSG_SLICE_LOST */
	uint32_t stream;
	uint32_t missing; /* pieces of its code that could not be read: not counted above */
	int16_t left;	  /* CSG_LEFT_*, or TYPE of the exception packet */
	uint8_t gap;	  /* LOST: enum csg_gap */
};

#endif
