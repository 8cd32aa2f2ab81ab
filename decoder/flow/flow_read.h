/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code of the owner in force, and where there is none.
 */
#ifndef DECODER_FLOW_FLOW_READ_H
#define DECODER_FLOW_FLOW_READ_H

#include "flow/core.h"

/*
 * The owner's code at address: how many bytes there are at *bytes; 0 where there are none.  Why not
 * is in flow->refusal then.  In AArch64 it ends before the first instruction that is permanently undefined
 * (UDF): engines read an instruction only to go on past it, and nothing does so with that one.  A range
 * that ends there, as the exception is taken, does not read it.  Damaged trace may lead to an address
 * that is no multiple of four: its code ends before the same word.
 */
size_t csg_flow_read(struct csg_flow *flow, uint64_t address, const uint8_t **bytes);

/*
 * Whether packets (flow->sent) put nothing out since the gap for want of the owner's code at this address.
 * Where a packet had no code, the next one does not begin there, even if there is code by now: another
 * timestamp may have come into force in between.
 */
bool csg_flow_is_missing(const struct csg_flow *flow, uint64_t address);

/* Code was found for somebody else. */
void csg_flow_forget_slots(struct csg_flow *flow);

#endif
