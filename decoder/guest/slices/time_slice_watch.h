/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches for the time slices of the host's threads (guest/slices/time_slices.h) in what is decoded
 * of a VHE host's trace: its kernel alone, at EL2, switches threads, and executes cpu_switch_to for
 * each switch, which begins with a branch there and ends with a return.
 *
 * What may have hidden a switch sets time slices apart: lost trace, and code of EL2 that is
 * missing. Code that is missing elsewhere, as nobody knows yet whose it is, hides none.
 */
#ifndef DECODER_GUEST_SLICES_TIME_SLICE_WATCH_H
#define DECODER_GUEST_SLICES_TIME_SLICE_WATCH_H

#include "csguest/element.h"
#include "guest/slices/time_slices.h"

/* A timestamp, and what had been seen by then. */
struct csg_time_slice_stamp {
	uint64_t value, index;
	uint8_t shown; /* of the current time slice */
	size_t slice;  /* its number */
	size_t sights;
	bool any; /* else there is none */
};

struct csg_time_slice_watch {
	struct csg_time_slices *slices; /* what was found is added */
	uint64_t switch_to;		/* address of the host's cpu_switch_to */
	uint64_t begin;			/* index at which the current time slice began */
	uint64_t index;			/* of the last element */
	uint8_t shown;			/* of the current time slice */
	bool sights;			/* the border to EL1 and EL0 is of interest */
	bool in_el2, below;		/* that ran last */
	bool leaves; /* an exception was taken below EL2, and nothing executed since */
	struct csg_border_sight exit; /* it, if it leads to EL2 */
	bool any;		      /* something of it was executed */
	bool conflict;		      /* sources contradict each other since the last timestamp */
	bool steady; /* timestamps are of no virtual counter, which guests change */
	bool left;   /* others than guests executed since the last timestamp */
	struct csg_time_slice_stamp stamp; /* the last timestamp */
	struct csg_time_slice_stamp block; /* the first one with the same upper bits */
	uint64_t usual;			   /* how far apart they are; 0: not known */
};

/* A piece of trace begins after index. */
void csg_time_slice_watch_begin(struct csg_time_slice_watch *watch, uint64_t index);

/* The next element, and its owner as far as it is known.  0 or -CSG_E_NO_MEMORY. */
int csg_time_slice_watch_see(struct csg_time_slice_watch *watch, const struct csg_element *element,
			     const struct csg_owner *owner);

/* The piece ends.  0 or -CSG_E_NO_MEMORY. */
int csg_time_slice_watch_end(struct csg_time_slice_watch *watch);

#endif
