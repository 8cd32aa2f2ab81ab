/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What KVM's events (guest/facts/kvm_visits.h) say of where time slices lie
 * (guest/slices/time_slice_places.h).
 */
#ifndef DECODER_GUEST_SLICES_TIME_SLICE_EVENTS_H
#define DECODER_GUEST_SLICES_TIME_SLICE_EVENTS_H

#include "guest/slices/time_slice_places.h"

/*
 * Whether the time slices from one to another, both included, show the visits that were reported in
 * the interval.
 */
bool csg_time_slice_shows_visits(struct csg_time_slice_match *m, size_t from, size_t to,
				 const struct csg_on_cpu *interval, struct csg_kvm_proof *proof);

/*
 * The first or the last time slice of a run may be a part of its interval only.  But where a guest
 * shows in it, so does, of what events tell of the interval, the last exit of the first time slice,
 * or the first entry of the last.
 */
bool csg_time_slice_shows_nearest(struct csg_time_slice_match *m, size_t slice,
				  const struct csg_on_cpu *interval, bool is_last);

/*
 * Compares the places of each run with the events, which may leave one, and with it less for the
 * other runs.  False: they contradict the records.
 */
bool csg_time_slice_runs_compare(struct csg_time_slice_match *m);

#endif
