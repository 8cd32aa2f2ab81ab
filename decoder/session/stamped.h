/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the trace of a source says when it was recorded, in a time that guests know: timestamps are traced
 * (TRCCONFIGR.TS), they are the virtual counter, and it counts.  A trace unit whose counter firmware has not
 * started stamps with 0.
 */
#ifndef DECODER_SESSION_STAMPED_H
#define DECODER_SESSION_STAMPED_H

#include "recording/recording.h"

/* *is gets the answer; reads up to the first timestamp that is not 0.  0 or a negative error. */
int csg_is_stamped(struct csg_recording *rec, const struct csg_source *source, bool *is);

#endif
