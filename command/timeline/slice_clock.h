/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When slices begin.  Only timestamps tell the time, and they are few; what lies between two of
 * them is dated by the bytes of trace, which grow with what is executed:
 *
 * - Between two timestamps each slice gets time by its bytes.  Where a slice lost trace or waited
 *   for an interrupt (WFI), what the bytes do not account for is its.  Of that, what the host's
 *   records say that guests had belongs to the slices in which a guest ran that is not traced, if
 *   there are any.
 * - A timestamp may be of another clock than the host's: while a vCPU is loaded it is the guest's,
 *   lagging by CNTVOFF_EL2.  Whoever feeds it brings it to the host's time where the offset is
 *   known ("anchors").  Other timestamps show only how much time passed since one of the same
 *   clock: of the same guest, or, where it is not known whose they are, since the one before,
 *   unless its size says that the clock was changed in between, or, where guests run, bytes do;
 *   bytes tell then.
 * - Slices between two anchors are stretched to fit in between, so that slices never overlap.
 *
 * Memory is bounded: without an anchor for PENDING_MAX slices, time goes on as counted.
 */
#ifndef COMMAND_TIMELINE_SLICE_CLOCK_H
#define COMMAND_TIMELINE_SLICE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "timeline/slice.h"

/* Whose clock a timestamp is of, besides numbers of guests. */
enum {
	CSG_CLOCK_HOST = 0,
	CSG_CLOCK_UNSURE = 1, /* the host's, or a guest's */
	CSG_CLOCK_GUEST = 2,  /* some guest's */
};

struct csg_slice_pending {
	struct csg_slice slice;
	double at; /* when it begins, counted by the stream; valid below csg_slice_clock.placed */
	uint32_t slack; /* times since the last mark that it stood still */
	uint32_t guest; /* of these, times that a guest ran, which is not traced */
};

struct csg_slice_clock {
	struct csg_slice_pending *slices; /* the last is open */
	size_t first, n, capacity;	  /* first: begins are final below `dated` only */
	size_t placed, dated;

	bool marked; /* there was a timestamp */
	uint64_t mark_clock;
	bool changes; /* a guest's was seen, or one went back: offsets change that are not known */
	uint64_t mark_index, mark_time;
	double now; /* counted time at the last mark */

	bool anchored;
	uint64_t anchor_time;
	double anchor_at; /* counted time at the last anchor */

	double rate;   /* time units per byte, as of late; 0: not known */
	bool by_bytes; /* the unit is bytes: each slice begins at its index */
};

void csg_slice_clock_init(struct csg_slice_clock *clock, bool by_bytes);
void csg_slice_clock_fini(struct csg_slice_clock *clock);

/* A slice begins at slice->index.  -CSG_E_NO_MEMORY. */
int csg_slice_clock_push(struct csg_slice_clock *clock, const struct csg_slice *slice);

/* The slice that is open, to be filled further; NULL: none. */
struct csg_slice *csg_slice_clock_open(struct csg_slice_clock *clock);

/* The open slice lost trace, or waits; guest: a guest ran meanwhile, which is not traced. */
void csg_slice_clock_slack(struct csg_slice_clock *clock, bool guest);

/* The host's time of the last mark, if a mark of the host's now would tell what passed since; or
 * 0. */
uint64_t csg_slice_clock_marked(const struct csg_slice_clock *clock);

/*
 * A timestamp at index.  clock: CSG_CLOCK_HOST, CSG_CLOCK_UNSURE or a number of the guest whose it
 * is.  guests: how long guests ran since the last one, by the host's records; 0: that is not known.
 */
void csg_slice_clock_mark(struct csg_slice_clock *slices, uint64_t index, uint64_t time,
			  uint64_t clock, uint64_t guests);

/* The trace ends at index; at that time, unless 0, if nothing else tells. */
void csg_slice_clock_end(struct csg_slice_clock *clock, uint64_t index, uint64_t time);

/* The owner of the slice that csg_slice_clock_next() would give next, CSG_SLICE_LOST: there is
 * none. */
uint32_t csg_slice_clock_owner(const struct csg_slice_clock *clock);

/* Takes the next slice whose begin and end are known; false: none yet. */
bool csg_slice_clock_next(struct csg_slice_clock *clock, struct csg_slice *slice);

#endif
