/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What guests' exits show of a CPU (the vectors they leave to) also tells of what ran before the
 * first of them, and where vCPUs are loaded and put of what their counter offsets are: a short
 * look at the beginning of a chunk, of which only what was learned is kept.
 */
#ifndef DECODER_SESSION_RUN_PRESCAN_H
#define DECODER_SESSION_RUN_PRESCAN_H

#include "csguest/attribution.h"
#include "recording/recording.h"

/* owners learns from the beginning of chunk, source's.  0 or a negative error. */
int csg_prescan_exits(struct csg_attribution *attribution, struct csg_attribution_stream *owners,
		      struct csg_recording *rec, const struct csg_source *source,
		      const struct csg_chunk *chunk);

#endif
