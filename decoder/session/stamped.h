/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the trace of a source says often when it was recorded, in a time that guests know: timestamps are
 * traced (TRCCONFIGR.TS), they are the virtual counter, it counts, and one comes in CSG_STAMPED_BYTES of
 * trace or less.  A trace unit whose counter firmware has not started stamps with 0.
 */
#ifndef DECODER_SESSION_STAMPED_H
#define DECODER_SESSION_STAMPED_H

#include "recording/recording.h"

#define CSG_STAMPED_BYTES 512

/*
 * *is gets the answer; reads until there is one, at most the beginning of the trace.  0 or a negative
 * error.
 */
int csg_is_stamped(struct csg_recording *rec, const struct csg_source *source, bool *is);

#endif
