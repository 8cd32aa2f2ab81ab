/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The flow of one stream: trace bytes in, elements with their owner out.  OpenCSD's full
 * decoder asks for code while it decodes; the flow asks on behalf of the owner in force,
 * which the caller has settled before (scan/, world/) and given as segments.
 *
 * When an owner takes over.  OpenCSD hands out a context element before it reads any code under
 * that context, so a segment that begins at a context begins with that element.  Any other segment
 * (after Trace On or a gap) begins at its first byte: the bytes before it are decoded first, then
 * cached code is forgotten.  A trace unit that speculates may still hold back elements from before
 * such a border: they keep their owner, and the segment begins with the first element after it.
 * Until then nobody's code is given out, and what that costs is a gap.
 *
 * Elements wait in a buffer; when it is full the flow pauses until the caller has taken them.
 */
#ifndef DECODER_FLOW_FLOW_H
#define DECODER_FLOW_FLOW_H

#include "csguest/context.h"
#include "csguest/diag.h"
#include "csguest/element.h"
#include "csguest/session.h"
#include "flow/core/flow_buffer.h"
#include "flow/core/flow_code.h"
#include "flow/core/flow_resync.h"
#include "flow/core/flow_segments.h"
#include "recording/recording.h"
#include "scan/run.h"

struct csg_flow;

/*
 * The engine to decode source with where asked is asked for.  OpenCSD, at least up to 1.8, reads a
 * Q element that it has freed (TrcPktDecodeEtmV4I::processQElement(), when the address is in a
 * packet of its own): its count and its place in the trace are whatever is there by then.  With a
 * return stack (TRCCONFIGR.RS) it goes on from calls that lie before missing code, see
 * csg_flow_code.exact.  What has one or the other is decoded by the fast engine.
 */
enum csg_engine csg_engine_for(enum csg_engine asked, const struct csg_source *source);

int csg_flow_create(struct csg_flow **flow, enum csg_engine engine, const struct csg_source *source,
		    const struct csg_flow_code *code, const struct csg_diag_sink *sink);
void csg_flow_destroy(struct csg_flow *flow);

/* Who does decode. */
enum csg_engine csg_flow_engine(const struct csg_flow *flow);

/*
 * Feeds bytes; returns how many were taken: fewer than all when the element buffer is full
 * (csg_flow_take() and feed the rest).
 */
size_t csg_flow_feed(struct csg_flow *flow, const struct csg_run *run);

/* The images have changed: cached code is forgotten.  Allowed in code.time(). */
void csg_flow_forget_code(struct csg_flow *flow);

/* The piece of trace ends here: what is pending is output, and an END element.  False: the buffer
 * is full; take the elements and call again. */
bool csg_flow_end(struct csg_flow *flow, uint64_t index);

/*
 * Address of the ERET at EL2 that was decoded last of the bytes fed so far; 0: it was something
 * else.  Always 0 for a trace unit that speculates, as its elements come late.  Ask when the flow
 * is drained.
 */
uint64_t csg_flow_eret(const struct csg_flow *flow);

/*
 * Finishes the bytes fed so far, of which the last is before index.  False: take the elements
 * first.
 */
bool csg_flow_drain(struct csg_flow *flow, uint64_t index);

/* Bytes that were skipped after where OpenCSD gave up. */
uint64_t csg_flow_skipped(const struct csg_flow *flow);

/* How often code was asked for while the owner was open. */
uint64_t csg_flow_nobody_accesses(const struct csg_flow *flow);

#endif
