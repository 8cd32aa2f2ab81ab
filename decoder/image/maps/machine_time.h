/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of a machine's events, and the host's time, with which all lookups ask. */
#ifndef DECODER_IMAGE_MAPS_MACHINE_TIME_H
#define DECODER_IMAGE_MAPS_MACHINE_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct csg_machine;

/*
 * The time of a guest's events is its own, lag ns less than the host's, with which all lookups ask,
 * and slack ns more or less.  Where it is not known, a lookup finds what was the same whenever
 * there was something: code of one file at an address, a thread's only name.  Without this call,
 * the events are in the host's time.
 */
void csg_machine_set_time(struct csg_machine *machine, bool known, int64_t lag, uint64_t slack);

/* From the host's time to the machine's own, and back; UINT64_MAX stays. */
uint64_t csg_machine_own_time(const struct csg_machine *machine, uint64_t time);
uint64_t csg_machine_host_time(const struct csg_machine *machine, uint64_t time);

#endif
