/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A survey: the beginning of each stream is scanned, no code is read, and owners are found as if it were
 * decoded.  What stays is what the attribution has learned by it: vCPU threads, counter offsets.
 */
#ifndef DECODER_SESSION_OPEN_SURVEY_H
#define DECODER_SESSION_OPEN_SURVEY_H

#include "csguest/attribution.h"
#include "recording/recording.h"
#include "session/run/surveyed_time_slices.h"

/* surveys: of each source, whose levels count; or NULL.  0 or a negative error. */
int csg_survey(struct csg_attribution *attribution, struct csg_recording *rec,
	       const struct csg_switch_survey *surveys);

#endif
