/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event of a guest's own recording as a record of the host's: what perf inject --guest-data makes.
 * cpumode is guest kernel or guest user, by which perf, with the machine_pid of the event ID, finds the
 * guest's machine.
 */
#ifndef DECODER_RECORDING_GUEST_RECORDS_H
#define DECODER_RECORDING_GUEST_RECORDS_H

#include <stdbool.h>

#include "recording/perf_encode.h"
#include "recording/recording.h"

/* Kinds that are written: (1 << enum csg_event_kind). */
#define CSG_GUEST_RECORDS                                                                          \
	(1u << CSG_EVENT_MAP | 1u << CSG_EVENT_COMM | 1u << CSG_EVENT_FORK |                       \
	 1u << CSG_EVENT_EXIT | 1u << CSG_EVENT_SWITCH)

/*
 * Makes a record of event, at time (host perf time, ns; 0: it was there before), with the struct
 * sample_id of an event with TID, TIME, CPU and IDENTIFIER.  False: its kind is not written.
 */
bool csg_guest_record(struct csg_perf_encode *record, const struct csg_event *event, uint64_t time,
		      uint64_t id);

#endif
