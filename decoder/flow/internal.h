/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the flow and its engines share: the element buffer, the owner in force, and the way to code.
 *
 * An engine is given the bytes between two borders and puts elements into the buffer.  What an
 * element changes (the owner by a context, the images by a timestamp) counts when the element is
 * put there, and that is after everything OpenCSD commits with it has been walked: code is read on behalf of
 * who was in force then.  The engines agree on that, as on everything else.
 */
#ifndef DECODER_FLOW_INTERNAL_H
#define DECODER_FLOW_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flow/flow.h"
#include "scan/ocsd.h"

#define CSG_FLOW_ELEMENTS 128 /* a full buffer: 8 KB stay in the first-level cache */
#define CSG_FLOW_EXECUTIONS 8 /* for each element: so that their buffer is as large */
#define CSG_FLOW_RETIRED 1024 /* pages of blocks, 32 MB: no executions until those are looked at */

/*
 * Bytes that an engine is given at a time; between two pieces it is asked whether the buffer is full.
 * OpenCSD gets of a piece in frames the first one.
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
	CSG_FLOW_RESET,	  /* a gap behind which decoding begins anew */
};

struct csg_flow_segment {
	uint64_t index;
	uint32_t owner; /* GAP, RESET: bytes lost */
	uint8_t kind;	/* enum csg_flow_segment_kind */
	uint8_t gap;	/* AT_BYTE: GUEST, or NONE */
};

struct csg_fast;

struct csg_flow {
	struct csg_ocsd *tree; /* the engine: this or fast */
	struct csg_fast *fast;
	struct csg_flow_code code;
	enum csg_engine engine;

	struct csg_flow_segment *segments; /* not reached yet, in a ring */
	size_t first, count, room;
	uint64_t
		divides_at; /* the first of them begins with the TIMESTAMP at this index; UINT64_MAX */
	uint32_t owner;
	uint8_t el;
	bool a64;      /* the context in force is AArch64 */
	uint64_t eret; /* address of the ERET at EL2 that was decoded last; 0: something else was */
	bool border;   /* a byte border was passed; the engine has not shown that it followed */
	uint64_t border_index, held; /* that border; behind all that were passed so */
	bool speculates;
	uint64_t guest_at; /* of the Trace On that a guest is behind, the last one; UINT64_MAX */

	struct csg_element *elements;
	size_t element_count, element_room, limit; /* limit: the buffer counts as full */
	bool counts;				   /* ranges come as RANGES where the engine can */
	uintptr_t *executions;
	size_t execution_count, execution_room;
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
	/* The gap for want of code that was put out last: for what, and how many elements there were. */
	struct {
		uint64_t address, elements;
		uint32_t owner;
		uint8_t gap; /* enum csg_gap */
	} missing;
	uint64_t taken; /* elements that were taken out of the buffer */
	uint64_t nobody_accesses;
	bool timed; /* a TIMESTAMP is in the buffer */
	struct csg_code_slot slots[CSG_CODE_SLOTS];
};

/*
 * The owner's code at address: how many bytes there are at *bytes; 0 where there are none.  Why not
 * is in flow->refusal then.  In AArch64 it ends before the first instruction that is permanently undefined
 * (UDF): engines read an instruction only to go on past it, and nothing does so with that one.  A range
 * that ends there, as the exception is taken, does not read it.
 */
size_t csg_flow_read(struct csg_flow *flow, uint64_t address, const uint8_t **bytes);

/*
 * Whether nothing was put out since the gap for want of the owner's code at this address.  Where a packet
 * had no code, the next one does not begin there, even if there is code by now: another timestamp may have
 * come into force in between.
 */
bool csg_flow_is_missing(const struct csg_flow *flow, uint64_t address);

/*
 * An element of a unit that speculates goes out, before it gets its owner: segments up to index begin.  (A
 * context does so by csg_flow_follow_context(); a range does not: code behind a border was not read.)
 */
void csg_flow_reach(struct csg_flow *flow, uint64_t index);

/* A context, TRACE_ON or TIMESTAMP element goes out: what it says is in force from here on. */
void csg_flow_follow_context(struct csg_flow *flow, uint64_t index, uint8_t el, bool a64);
void csg_flow_follow_trace_on(struct csg_flow *flow, uint64_t index);
void csg_flow_follow_timestamp(struct csg_flow *flow, uint64_t index);

/*
 * Something behind flow->divides_at goes out: who takes over with a TIMESTAMP has done so, though OpenCSD
 * leaves those of an ETE out that come before its first timestamp marker.
 */
void csg_flow_divide(struct csg_flow *flow, uint64_t index);

/* What engines tell of a gap they found is what is known of it. */
void csg_flow_name_gap(struct csg_flow *flow, struct csg_element *element);

/*
 * Where *gap, an element that went out, is UNDEFINED, the range up to the undefined instruction is part
 * of it: true, if *before, the element before it, is that range, which is to be dropped.
 */
bool csg_flow_join_line(const struct csg_element *before, struct csg_element *gap);

/* Address of its last instruction if that is an ERET at EL2 that was executed, else 0. */
uint64_t csg_flow_eret_of(const struct csg_flow *flow, const struct csg_element *range);

/* The i-th of the segments that are not reached yet; one more, the newest. */
static inline struct csg_flow_segment *csg_flow_segment_at(const struct csg_flow *flow, size_t i)
{
	return &flow->segments[(flow->first + i) & (flow->room - 1)];
}

/* 0 or -CSG_E_NO_MEMORY. */
int csg_flow_add_segment(struct csg_flow *flow, const struct csg_flow_segment *segment);

/* Code was found for somebody else. */
void csg_flow_forget_slots(struct csg_flow *flow);

/*
 * The first byte border from index on and before end, or UINT64_MAX: up to there an engine may be given
 * bytes at once.  _pass_: what lies before the border at index is decoded, and its owner takes over.
 */
uint64_t csg_flow_next_border(const struct csg_flow *flow, uint64_t index, uint64_t end);
void csg_flow_pass_border(struct csg_flow *flow, uint64_t index);

/* A context element with this index goes out: every segment up to it begins. */
void csg_flow_reach_context(struct csg_flow *flow, uint64_t index);

/* Decoding is to go on at index: what was skipped before is told. */
void csg_flow_revive(struct csg_flow *flow, uint64_t index);

/* Whether the engine may go on before elements are taken. */
bool csg_flow_has_room(const struct csg_flow *flow);

/* Makes room for n more elements.  False: no memory. */
bool csg_flow_reserve(struct csg_flow *flow, size_t n);

/*
 * Executions that are in no element yet become one; goes_on: part of the one before, if that can be.
 * True: they did.
 */
bool csg_flow_close_ranges(struct csg_flow *flow, bool goes_on);

/* Somebody may still look at executions: their blocks are to stay. */
bool csg_flow_is_read(const struct csg_flow *flow);

#endif
