/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who runs from where on: segments in order of index, until decoding reaches them.
 */
#ifndef DECODER_FLOW_CORE_FLOW_SEGMENTS_H
#define DECODER_FLOW_CORE_FLOW_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/element.h"

struct csg_flow;
struct csg_flow_segment;

/* --- by who knows the owners --- */

/* From index on owner runs; see struct csg_segment for at_context. In order of index. */
int csg_flow_segment(struct csg_flow *flow, uint64_t index, bool at_context, uint32_t owner);

/* The same at a Trace On that hides a guest, which is not traced: its gap is CSG_GAP_GUEST. */
int csg_flow_segment_of_guest(struct csg_flow *flow, uint64_t index, uint32_t owner);

/*
 * From the TIMESTAMP element at index on another owner runs, whose code is the same as that of the
 * one before (struct csg_segment, at_time).  In order with the others.
 */
int csg_flow_segment_at_time(struct csg_flow *flow, uint64_t index, uint32_t owner);

/*
 * At index, in order with the segments, a gap element is put in that lost bytes of the stream.
 * With reset, decoding begins anew there:  OpenCSD never sees what the scan found to be bad.
 */
int csg_flow_gap(struct csg_flow *flow, uint64_t index, enum csg_gap gap, uint64_t lost,
		 bool reset);

/* Forgets the segments that are not reached yet, where positions begin anew. */
void csg_flow_drop_segments(struct csg_flow *flow);

/* --- by the flow and its engines --- */

/* 0 or -CSG_E_NO_MEMORY. */
int csg_flow_add_segment(struct csg_flow *flow, const struct csg_flow_segment *segment);

/*
 * An element of a unit that speculates goes out, before it gets its owner: segments up to index
 * begin.  (A context does so by csg_flow_follow_context(); a range does not: code after a border
 * was not read.)
 */
void csg_flow_reach(struct csg_flow *flow, uint64_t index);

/*
 * Something after flow->divides_at goes out: who takes over with a TIMESTAMP has done so, though
 * OpenCSD leaves those of an ETE out that come before its first timestamp marker.
 */
void csg_flow_divide(struct csg_flow *flow, uint64_t index);

/*
 * Where what is fed from index on must end, for a segment that begins after an index (at_time): an
 * engine that counts ranges joins those of the bytes that it is given at once.  UINT64_MAX:
 * nowhere.
 */
uint64_t csg_flow_next_division(const struct csg_flow *flow, uint64_t index);

/*
 * The first byte border from index on and before end, or UINT64_MAX: up to there an engine may be
 * given bytes at once.  _pass_: what lies before the border at index is decoded, and its owner
 * takes over.
 */
uint64_t csg_flow_next_border(const struct csg_flow *flow, uint64_t index, uint64_t end);
void csg_flow_pass_border(struct csg_flow *flow, uint64_t index);

/* A context element with this index goes out: every segment up to it begins. */
void csg_flow_reach_context(struct csg_flow *flow, uint64_t index);

/* What engines tell of a gap they found is what is known of it. */
void csg_flow_name_gap(struct csg_flow *flow, struct csg_element *element);

/*
 * Where *gap, an element that went out, is UNDEFINED, the range up to the undefined instruction is
 * part of it: true, if *before, the element before it, is that range, which is to be dropped.
 */
bool csg_flow_join_line(struct csg_flow *flow, const struct csg_element *before,
			struct csg_element *gap);

#endif
