/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the flow and its engines share: the element buffer, the owner in force, and the way to code.
 *
 * What an element changes (the owner by a context, the images by a timestamp) counts when the
 * element is put there, and that is after everything OpenCSD commits with it has been walked: code
 * is read on behalf of who was in force then.  The engines agree on that, as on everything else.
 */
#ifndef DECODER_FLOW_CORE_CORE_H
#define DECODER_FLOW_CORE_CORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "csguest/session.h"
#include "flow/core/engine.h"
#include "flow/core/flow_code.h"
#include "util/ring.h"

#define CSG_FLOW_ELEMENTS 128 /* a full buffer: 8 KB stay in the first-level cache */
#define CSG_FLOW_EXECUTIONS 8 /* for each element: so that their buffer is as large */
#define CSG_FLOW_RETIRED 1024 /* pages of blocks, 32 MB: no executions until those are looked at */

/*
 * Bytes that an engine is given at a time; between two pieces it is asked whether the buffer is
 * full. OpenCSD gets of a piece in frames the first one.
 */
#define CSG_FLOW_PIECE 240 /* sixteen frames */

/* Code found last, by the 4 KB page of its address: one answer serves many questions. */
#define CSG_CODE_SLOTS 64
struct csg_code_slot {
	uint64_t begin, end; /* addresses; empty: 0, 0 */
	const uint8_t *bytes;
};

/* TRCCONFIGR.RS and QE: OpenCSD gets such trace wrong. */
#define CSG_FLOW_RETURNS (1u << 12)
#define CSG_FLOW_Q (3u << 13)

enum csg_flow_segment_kind {
	CSG_FLOW_AT_CONTEXT, /* an owner takes over with the context element at index */
	CSG_FLOW_AT_TIME, /* with the TIMESTAMP element at index: another thread, the same code */
	CSG_FLOW_AT_BYTE, /* with the byte at index */
	CSG_FLOW_GAP,	  /* a gap of the caller's */
	CSG_FLOW_RESET,	  /* a gap after which decoding begins anew */
};

struct csg_flow_segment {
	uint64_t index;
	uint32_t owner; /* GAP, RESET: bytes lost */
	uint8_t kind;	/* enum csg_flow_segment_kind */
	uint8_t gap;	/* AT_BYTE: GUEST, or NONE */
};

struct csg_flow {
	const struct csg_engine_ops *ops;
	void *decoder; /* first argument of these: of fast.h or opencsd.h, as engine says */
	enum csg_engine engine;
	struct csg_flow_code code;

	struct csg_flow_segment *segments; /* not reached yet */
	struct csg_ring queue;
	/* the first of them begins with the TIMESTAMP at this index; UINT64_MAX */
	uint64_t divides_at;
	uint32_t owner;
	uint8_t el;
	bool a64;      /* the context in force is AArch64 */
	uint64_t eret; /* address of the ERET at EL2 that was decoded last; 0: something else was */
	bool border;   /* a byte border was passed; the engine has not shown that it followed */
	uint64_t border_index, held; /* that border; after all that were passed so */
	bool speculates;
	uint64_t guest_at; /* of the Trace On that hides a guest, the last one; UINT64_MAX */

	struct csg_element *elements;
	size_t element_count, element_capacity, limit; /* limit: the buffer counts as full */
	bool counts; /* ranges come as RANGES where the engine can */
	uintptr_t *executions;
	size_t execution_count, execution_capacity;
	struct {
		size_t first;	       /* executions from here on are in no element yet */
		uint64_t index;	       /* at or before their first packet */
		uint64_t instructions; /* of all of them */
	} open;
	uint64_t lent;		       /* buffers with executions that were handed out, and ... */
	atomic_uint_fast64_t returned; /* ... came back, from another thread maybe */
	bool paused, ending;
	bool no_memory; /* elements are missing: csg_flow_failed() */
	bool dead;	/* the engine gave up: bytes are skipped to an A-Sync that the scan knows */
	uint64_t skipped; /* since then */
	uint64_t all_skipped;
	uint64_t end_index;

	uint8_t refusal; /* why code was refused last: enum csg_gap */
	/* The last gap for want of code: where, and how many elements were put out up to where only
	 * such follow that do not say where execution is. */
	struct {
		uint64_t address, elements;
		uint8_t gap; /* enum csg_gap */
		bool passed; /* OpenCSD, which reads each instruction, has read others since */
	} missing;
	uint64_t taken; /* elements that were taken out of the buffer */
	/*
	 * For csg_flow_is_missing(): elements that packets before this one gave, ever.  An engine
	 * sets it before it reads code; what this packet gives comes into force at its end.
	 */
	uint64_t sent;
	uint64_t nobody_accesses;
	bool timed; /* a TIMESTAMP is in the buffer */
	struct csg_code_slot slots[CSG_CODE_SLOTS];
};

/* The i-th of the segments that are not reached yet; one more, the newest. */
static inline struct csg_flow_segment *csg_flow_segment_at(const struct csg_flow *flow, size_t i)
{
	return &flow->segments[csg_ring_at(&flow->queue, i)];
}

/* Another owner is in force. */
static inline void csg_flow_change_owner(const struct csg_flow *flow)
{
	if (flow->ops->change_owner)
		flow->ops->change_owner(flow->decoder);
}

#endif
