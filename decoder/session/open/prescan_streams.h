/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A prescan of all streams: the packets at the beginning of each are scanned, no code is read, and
 * owners are found as if it were decoded.  What stays is what the attribution has learned: vCPU
 * threads, counter offsets.
 */
#ifndef DECODER_SESSION_OPEN_PRESCAN_STREAMS_H
#define DECODER_SESSION_OPEN_PRESCAN_STREAMS_H

#include "csguest/attribution.h"
#include "recording/recording.h"
#include "session/run/surveyed_time_slices.h"

/* surveys: of each source, whose levels count; or NULL.  0 or a negative error. */
int csg_prescan_streams(struct csg_attribution *attribution, struct csg_recording *rec,
			const struct csg_switch_survey *surveys);

#endif
