/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements go out: each gets its owner, and what it says comes into force for those after it.
 */
#ifndef DECODER_FLOW_FAST_FAST_DELIVER_H
#define DECODER_FLOW_FAST_FAST_DELIVER_H

#include "flow/fast/fast_state.h"

/* Elements from place on are put out: what they say is in force. */
void csg_fast_deliver(struct csg_fast *f, size_t place);

#endif
