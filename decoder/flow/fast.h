/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast engine: reads packets itself (scan/reader.h), decodes code once (flow/blocks.h), and walks
 * from block to block.  Its elements are those of OpenCSD's decoder (trc_pkt_decode_etmv4i.cpp)
 * of the version that is linked, one by one, also where a trace makes no sense.
 *
 * The model is OpenCSD's: packets put entries onto a queue; what the unit commits is taken off it,
 * oldest first, walked and put out; a context ends such a pass, because code behind it is another
 * owner's.  Units that do not speculate commit everything at the next P0 element, so that their
 * atoms find the queue empty and are walked at once (fast_atoms.c), the bulk of them in a loop that does
 * nothing else (fast_lane.h).
 */
#ifndef DECODER_FLOW_FAST_H
#define DECODER_FLOW_FAST_H

#include "recording/recording.h"
#include "scan/ocsd.h"
#include "scan/run.h"

struct csg_fast;
struct csg_flow;

/* -CSG_E_UNSUPPORTED: a trace unit for OpenCSD; or -CSG_E_NO_MEMORY. */
int csg_fast_create(struct csg_fast **fast, struct csg_flow *flow, const struct csg_source *source);
void csg_fast_destroy(struct csg_fast *fast);

/*
 * Feeds up to CSG_FLOW_PIECE bytes; *used says how many were taken: all, unless a packet made no sense
 * (CSG_OCSD_DEAD, csg_fast_reset() before anything else).
 */
enum csg_ocsd_state csg_fast_data(struct csg_fast *fast, const struct csg_run *piece,
				  uint32_t *used);

/* No more trace comes: pending elements are put out, and END. */
enum csg_ocsd_state csg_fast_end(struct csg_fast *fast);

/* Forgets all decoding state; the next A-Sync begins anew.  Decoded code stays. */
void csg_fast_reset(struct csg_fast *fast);

/* Executions (flow/executions.h) told so far are not looked at any more. */
void csg_fast_release_code(struct csg_fast *fast);

/* Images have changed. */
void csg_fast_forget_code(struct csg_fast *fast);

#endif
