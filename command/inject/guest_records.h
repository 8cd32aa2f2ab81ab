/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event of a guest's own recording as a record of the host's: what perf inject --guest-data
 * makes. cpumode is guest kernel or guest user, by which perf, with the machine_pid of the event
 * ID, finds the guest's machine.
 */
#ifndef COMMAND_INJECT_GUEST_RECORDS_H
#define COMMAND_INJECT_GUEST_RECORDS_H

#include <stdbool.h>

#include "csguest/sideband.h"
#include "inject/perf_encode.h"

/*
 * Makes a record of event, at time (host perf time, ns; 0: it was there before), with the struct
 * sample_id of an event with TID, TIME, CPU and IDENTIFIER.  False: its kind is not written.
 */
bool csg_guest_record(struct csg_perf_encode *record, const struct csg_sideband_event *event,
		      uint64_t time, uint64_t id);

#endif
