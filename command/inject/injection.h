/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A perf.data with samples in the place of the trace, which perf reads as it is (what perf inject
 * --itrace writes, and what perf inject --guest-data adds to it):
 *
 *   events    those of the recording with their IDs, but that the trace's own became a dummy, as
 *             only sideband is left of it; then "branches" and "instructions", as perf's cs-etm
 *             names and makes them; then a dummy for what is reported of guests
 *   IDs       each new event has one for the host and one for each (machine_pid, vcpu); a
 *             PERF_RECORD_ID_INDEX with machine_pid and vcpu after its entries says so, before
 *             the first record that bears the ID.  That is how perf learns of the guest
 *   cpumode   in the header of each sample: with it and machine_pid perf chooses the machine in
 *             which it looks up thread, maps and symbols.  0, unknown, is none of them: perf finds
 *             nothing then
 *   records   of the recording, as they were (csguest/sideband.h), merged with the samples by time
 *
 * Nothing but the IDs says which guest a sample is of, so an ID is never shared by two.
 */
#ifndef COMMAND_INJECT_INJECTION_H
#define COMMAND_INJECT_INJECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/diag.h"
#include "inject/injected.h"
#include "inject/injection_guests.h"

struct csg_recording;
struct csg_injection;

/*
 * Begins the file.  rec was opened with CSG_SESSION_KEEP_SIDEBAND and outlives the injection.
 * Errors are reported to sink, here and below: -CSG_E_IO, -CSG_E_NO_MEMORY.
 */
int csg_injection_open(struct csg_injection **injection, struct csg_recording *rec,
		       const struct csg_injection_setup *setup, const struct csg_diag_sink *sink);

int csg_injection_sample(struct csg_injection *injection, const struct csg_injected_sample *sample);
int csg_injection_error(struct csg_injection *injection, const struct csg_injected_error *error);

/* The rest of the recording's records, and the header: the file is complete. */
int csg_injection_finish(struct csg_injection *injection);

/* NULL is allowed. */
void csg_injection_close(struct csg_injection *injection);

#endif
