/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs of time slices that have no place (guest/slices/time_slice_places.h): a switch is missing in
 * some of their time slices, as trace was lost there silently.
 */
#ifndef DECODER_GUEST_SLICES_TIME_SLICE_SPLIT_H
#define DECODER_GUEST_SLICES_TIME_SLICE_SPLIT_H

#include "guest/slices/time_slice_places.h"

/*
 * Divides the runs that have no place by the fewest time slices without which those between have
 * one. Which time slices these are is known up to a few: they contradict KVM's events.  0 or
 * -CSG_E_NO_MEMORY.
 */
int csg_time_slice_runs_split(struct csg_time_slice_match *m);

#endif
