/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A window of time, cut out of slices: what lies in windows that follow each other adds up to the
 * whole.
 *
 * Time is divided where a window ends.  Instructions are not: no timestamp says which of those
 * between two timestamps came before a time in between.  They count in the window of the last
 * timestamp before them, as ranges, branches and call chains do, so that all views have the same
 * sums (csg_slices_client.window).
 */
#ifndef COMMAND_TIMELINE_SLICE_WINDOW_H
#define COMMAND_TIMELINE_SLICE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#include "text/time_ranges.h"
#include "timeline/slice.h"

/* In the timeline's unit; end excluded, UINT64_MAX: none. */
struct csg_slice_window {
	uint64_t begin, end;
};

/* In order, none overlaps or touches another. */
struct csg_slice_windows {
	struct csg_slice_window *at;
	size_t n;
};

/* One window of all times: what is chosen where the user chooses nothing. */
extern const struct csg_slice_windows csg_slice_windows_all;

/*
 * Cuts *slice down to what lies in the window of that number; false: nothing does.  What it counts
 * stays in its own window alone; there it may be all that stays, with no time, at the window's
 * begin or end.
 */
bool csg_slice_window_cut(const struct csg_slice_windows *windows, uint32_t number,
			  struct csg_slice *slice);

/* The same of a time alone, which without a length is where it begins. */
bool csg_slice_window_cut_time(const struct csg_slice_window *window, uint64_t *begin,
			       uint64_t *end);

/* How much of the time from begin to end lies in the windows. */
uint64_t csg_slice_windows_share(const struct csg_slice_windows *windows, uint64_t begin,
				 uint64_t end);

/* The number of the window that a time lies in, or CSG_SLICE_NO_WINDOW; and whether there is
 * one. */
uint32_t csg_slice_windows_find(const struct csg_slice_windows *windows, uint64_t time);
bool csg_slice_windows_have(const struct csg_slice_windows *windows, uint64_t time);

/*
 * The windows of times that the user chose; windows->at is to be freed.  -CSG_E_NO_MEMORY.
 */
int csg_slice_windows_make(const struct csg_time_ranges *ranges, struct csg_slice_windows *windows);

/*
 * What of the windows lies between begin and end, which are finite: *parts, whose at is to be
 * freed. -CSG_E_NO_MEMORY.
 */
int csg_slice_windows_within(const struct csg_slice_windows *windows, uint64_t begin, uint64_t end,
			     struct csg_slice_windows *parts);

/* Puts n windows in order and joins those that overlap or touch; returns how many are left. */
size_t csg_slice_windows_join(struct csg_slice_window *windows, size_t n);

#endif
