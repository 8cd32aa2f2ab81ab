/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast engine (flow/core/engine.h): reads packets itself (scan/reader.h), decodes code once
 * (flow/core/blocks.h), and walks from block to block.  Its elements are those of OpenCSD's decoder
 * (trc_pkt_decode_etmv4i.cpp) of the version that is linked, one by one, also where a trace makes
 * no sense.
 *
 * The model is OpenCSD's: packets put entries onto a queue; what the unit commits is taken off it,
 * oldest first, walked and put out; a context ends such a pass, because code after it is another
 * owner's.  Units that do not speculate commit everything at the next P0 element, so that their
 * atoms find the queue empty and are walked at once (fast_atoms.c), the bulk of them in a loop that
 * does nothing else (fast_lane.h).
 */
#ifndef DECODER_FLOW_FAST_FAST_H
#define DECODER_FLOW_FAST_FAST_H

#include "flow/core/core.h"
#include "recording/recording.h"

/*
 * Sets ops and decoder of the flow, the latter to a struct csg_fast (flow/fast/fast_state.h).
 * -CSG_E_UNSUPPORTED: a trace unit for OpenCSD; or -CSG_E_NO_MEMORY.
 */
int csg_fast_create(struct csg_flow *flow, const struct csg_source *source);

#endif
