/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What elements change for those that come after them: owner, exception level, time.
 */
#ifndef DECODER_FLOW_CORE_FLOW_FOLLOW_H
#define DECODER_FLOW_CORE_FLOW_FOLLOW_H

#include "flow/core/core.h"

/* A context, TRACE_ON or TIMESTAMP element goes out: what it says is in force from here on. */
void csg_flow_follow_context(struct csg_flow *flow, uint64_t index, uint8_t el, bool a64);
void csg_flow_follow_trace_on(struct csg_flow *flow, uint64_t index);
void csg_flow_follow_timestamp(struct csg_flow *flow, uint64_t index);

/* Address of its last instruction if that is an ERET at EL2 that was executed, else 0. */
uint64_t csg_flow_eret_of(const struct csg_flow *flow, const struct csg_element *range);

#endif
