/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an injected perf.data (inject/injection.h) tells of guests: their kernels, and what they
 * recorded themselves.
 */
#ifndef COMMAND_INJECT_INJECTION_GUESTS_H
#define COMMAND_INJECT_INJECTION_GUESTS_H

#include "inject/injected.h"

struct csg_injection;
struct csg_recording;

/* Where the guest's kernel is. */
int csg_injection_kernel(struct csg_injection *injection, const struct csg_injected_guest *guest,
			 const struct csg_injected_kernel *kernel);

/*
 * The sideband of a guest's own recording, which outlives the injection: what was there before it
 * began is written at once, the rest when samples come to its time.
 */
int csg_injection_guest(struct csg_injection *injection, const struct csg_recording *guest,
			int32_t machine_pid);

/* How many events of guests' recordings were not written, as their time is not known. */
uint64_t csg_injection_guest_events_left(const struct csg_injection *injection);

/* Writes what guests recorded up to time. */
int csg_injection_guests_until(struct csg_injection *injection, uint64_t time);

#endif
