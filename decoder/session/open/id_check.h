/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a recording's context IDs are those of its records, by a short look at the beginning of
 * its trace before any owner is found: perf in another PID namespace than the host's records other
 * thread IDs (csg_attribution_check_ids()).
 */
#ifndef DECODER_SESSION_OPEN_ID_CHECK_H
#define DECODER_SESSION_OPEN_ID_CHECK_H

#include "csguest/attribution.h"
#include "csguest/diag.h"
#include "recording/recording.h"

/* rec is the host's, whose sideband is stated.  What is found is reported.  0 or a negative
 * error. */
int csg_check_ids(struct csg_attribution *attribution, struct csg_recording *rec, const char *path,
		  const struct csg_diag_sink *sink);

#endif
