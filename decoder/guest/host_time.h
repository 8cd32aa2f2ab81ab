/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host's perf time along one stream, by its raw timestamps.
 *
 * Only where the driver says that they are the virtual counter (ts_source).  While a vCPU is loaded they
 * are its guest's, behind the host's by CNTVOFF_EL2.  The host's time never goes backwards, so a
 * timestamp that does is a guest's and tells nothing; nor does one outside the time of its piece.
 */
#ifndef DECODER_GUEST_HOST_TIME_H
#define DECODER_GUEST_HOST_TIME_H

#include "csguest/attribution.h"

struct csg_host_time {
	bool known; /* timestamps can be the host's at all */
	struct csg_attribution_clock clock;
	uint64_t now; /* ns; 0 unknown */
};

/* clock is the host's. */
void csg_host_time_init(struct csg_host_time *time, const struct csg_trace_unit *unit,
			const struct csg_attribution_clock *clock);

/* perf time (ns) of a raw timestamp of piece, 0 where it cannot be the host's; never before now. */
uint64_t csg_host_time_of(const struct csg_host_time *time,
			  const struct csg_attribution_piece *piece, uint64_t timestamp);

/* A timestamp is passed: now is its time, unless it is another counter's. */
void csg_host_time_pass(struct csg_host_time *time, const struct csg_attribution_piece *piece,
			uint64_t timestamp);

/* A new piece begins. */
void csg_host_time_restart(struct csg_host_time *time);

#endif
