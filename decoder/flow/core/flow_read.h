/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The code of the owner in force, and where there is none.
 */
#ifndef DECODER_FLOW_CORE_FLOW_READ_H
#define DECODER_FLOW_CORE_FLOW_READ_H

#include "flow/core/core.h"

/*
 * The owner's code at address: how many bytes there are at *bytes; 0 where there are none.  Why not
 * is in flow->refusal then.  In AArch64 it ends before the first instruction that is permanently
 * undefined (UDF): engines read an instruction only to go on past it, and nothing does so with that
 * one.  A range that ends there, as the exception is taken, does not read it.  Damaged trace may
 * lead to an address that is no multiple of four: its code ends before the same word.
 */
size_t csg_flow_read(struct csg_flow *flow, uint64_t address, const uint8_t **bytes);

/*
 * Whether the gap for want of code at this address is the last element of the packets before
 * (flow->sent) that says where execution is.  Packets were skipped there, so that the next one does
 * not begin at this address, even if there is code by now: a timestamp may have come into force,
 * and with it another mapping or another owner.
 */
bool csg_flow_is_missing(const struct csg_flow *flow, uint64_t address);

/* The same, of a flow whose newest elements may not have been passed over yet. */
bool csg_flow_lost_at(struct csg_flow *flow, uint64_t address);

/*
 * Elements that do not say where execution is do not end what such a gap says: those up to the
 * end-th that was ever put out are passed over.  To be called before they are taken out of the
 * buffer.
 */
void csg_flow_pass_over(struct csg_flow *flow, uint64_t end);

/* Code was found for somebody else. */
void csg_flow_forget_slots(struct csg_flow *flow);

#endif
