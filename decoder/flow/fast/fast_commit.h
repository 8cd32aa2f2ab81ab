/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the unit commits is taken off the queue, oldest first, walked and put out.
 */
#ifndef DECODER_FLOW_FAST_FAST_COMMIT_H
#define DECODER_FLOW_FAST_FAST_COMMIT_H

#include "flow/fast/fast_state.h"

/* Does what the current packet demands: commit, cancel, mispredict, discard.  False: it makes no
 * sense. */
bool csg_fast_resolve(struct csg_fast *f);
/* The oldest entry is an address: execution goes on there. */
void csg_fast_commit_address(struct csg_fast *f);
/* What is left when the trace ends, and END. */
void csg_fast_finish(struct csg_fast *f);

#endif
