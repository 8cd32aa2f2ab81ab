/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The flow of one stream: trace bytes in, elements with their owner out.  OpenCSD's full
 * decoder asks for code while it decodes; the flow asks on behalf of the owner in force,
 * which the caller has settled before (scan/, world/) and given as segments.
 *
 * When an owner takes over.  OpenCSD hands out a context element before it reads any code
 * under that context, so a segment that begins at a context begins with that element.  Any
 * other segment (behind Trace On or a gap) begins at its first byte: the bytes before it are
 * decoded first, then cached code is forgotten.  A trace unit that speculates may still hold
 * back elements from before such a border: they keep their owner, and the segment begins with the first
 * element behind it.  Until then nobody's code is given out, and what that costs is a gap.
 *
 * Elements wait in a buffer; when it is full the flow pauses until the caller has taken them.
 */
#ifndef DECODER_FLOW_FLOW_H
#define DECODER_FLOW_FLOW_H

#include "csguest/context.h"
#include "csguest/diag.h"
#include "csguest/element.h"
#include "csguest/session.h"
#include "recording/recording.h"
#include "scan/run.h"

struct csg_flow;

/* Where code comes from. */
struct csg_flow_code {
	void *arg;
	/*
	 * Code of owner at address: *bytes gets a pointer that stays valid while the
	 * flow lives, *len the bytes there, at least 1.  -CSG_E_NO_IMAGE where there is none,
	 * -CSG_E_DECODE where the owner is open, so that nobody's code may be used.
	 */
	int (*read)(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		    size_t *len);
	/*
	 * An ERET at EL2, at this address, led to el, where owner is in force, with nothing in
	 * between; index: of the context that says so.  May be NULL.
	 */
	void (*entered)(void *arg, uint64_t index, uint64_t eret, enum csg_el el, uint32_t owner);
	/*
	 * The first A-Sync from index on that the scan has met, UINT64_MAX: none.  When the engine
	 * gives up, what is before it is skipped: the scan has not looked at it as the engine would.
	 * NULL: the engine finds one by itself.
	 */
	uint64_t (*async)(void *arg, uint64_t index);
	/*
	 * A number that stands for the bytes that read() gives to owner: the same for owners
	 * whose code is the same, 0 where they may have none.  NULL: the owner itself.
	 */
	uint64_t (*space)(void *arg, uint32_t owner);
	/*
	 * The TIMESTAMP element at index was put out: images are as they were then from here on.
	 * May be NULL.
	 */
	void (*time)(void *arg, uint64_t index);
	/*
	 * A Trace On or another break at index was put out: nobody knows how much later what comes ran,
	 * up to the next TIMESTAMP.  May be NULL.
	 */
	void (*resumed)(void *arg, uint64_t index);
	/*
	 * Trace with a return stack (TRCCONFIGR.RS) is decoded as the architecture has it, some of which
	 * OpenCSD is known to get wrong.  It tells no address where a return goes to the newest call that
	 * the trace unit remembers.  Where code is missing in between, calls ran that we did not see, and
	 * ours are not the unit's.  OpenCSD goes on with an older one, through instructions that never
	 * ran: such a return is a gap instead (CSG_GAP_RETURN), up to the next address.  Neither is a
	 * return taken off the stack where an exception has told where the branch before it went.
	 * Without exact: as OpenCSD, to be compared with it.
	 */
	bool exact;
};

/*
 * The engine to decode source with where asked is asked for.  OpenCSD, at least up to 1.8, reads a Q element
 * that it has freed (TrcPktDecodeEtmV4I::processQElement(), when the address is in a packet of its own): its
 * count and its place in the trace are whatever is there by then.  With a return stack (TRCCONFIGR.RS) it
 * goes on from calls that lie before missing code, see csg_flow_code.exact.  What has one or the other is
 * decoded by the fast engine.
 */
enum csg_engine csg_engine_for(enum csg_engine asked, const struct csg_source *source);

int csg_flow_create(struct csg_flow **flow, enum csg_engine engine, const struct csg_source *source,
		    const struct csg_flow_code *code, const struct csg_diag_sink *sink);
void csg_flow_destroy(struct csg_flow *flow);

/* Who does decode. */
enum csg_engine csg_flow_engine(const struct csg_flow *flow);

/* From index on owner runs; see struct csg_segment for at_context. In order of index. */
int csg_flow_segment(struct csg_flow *flow, uint64_t index, bool at_context, uint32_t owner);

/* The same at a Trace On that a guest is behind, which is not traced: its gap is CSG_GAP_GUEST. */
int csg_flow_segment_of_guest(struct csg_flow *flow, uint64_t index, uint32_t owner);

/*
 * From the TIMESTAMP element at index on another owner runs, whose code is the same as that of the one
 * before (struct csg_segment, at_time).  In order with the others.
 */
int csg_flow_segment_at_time(struct csg_flow *flow, uint64_t index, uint32_t owner);

/*
 * At index, in order with the segments, a gap element is put in that lost bytes of the stream.
 * With reset, decoding begins anew there:  OpenCSD never sees what the scan found to be bad.
 */
int csg_flow_gap(struct csg_flow *flow, uint64_t index, enum csg_gap gap, uint64_t lost,
		 bool reset);

/*
 * Feeds bytes; returns how many were taken: fewer than all when the element buffer is full
 * (csg_flow_take() and feed the rest).
 */
size_t csg_flow_feed(struct csg_flow *flow, const struct csg_run *run);

/* The piece of trace ends here: what is pending is output, and an END element.  False: the buffer
 * is full; take the elements and call again. */
bool csg_flow_end(struct csg_flow *flow, uint64_t index);

/*
 * A new piece begins at index: decoding state and owner are forgotten, but not code; segments given
 * already stay, as they may lie behind index.  _drop_segments() forgets those, where positions begin anew.
 */
void csg_flow_restart(struct csg_flow *flow, uint64_t index);
void csg_flow_drop_segments(struct csg_flow *flow);

/*
 * Adds an element of the caller's own, such as a gap of the recording.  False: the buffer is
 * full.
 */
bool csg_flow_add(struct csg_flow *flow, const struct csg_element *element);

/* Memory was out: elements are missing, and what is there is not to be used. */
bool csg_flow_failed(const struct csg_flow *flow);

/* The images have changed: cached code is forgotten.  Allowed in code.time(). */
void csg_flow_forget_code(struct csg_flow *flow);

/* The elements so far; csg_flow_take() empties the buffer. */
const struct csg_element *csg_flow_elements(const struct csg_flow *flow, size_t *n);
void csg_flow_take(struct csg_flow *flow);

/*
 * The consumer only counts: ranges come as RANGES elements where the engine can tell them so (the fast
 * one where nothing waits in its queue), and as RANGE otherwise.  Their executions (flow/executions.h)
 * are valid until csg_flow_take(), or csg_flow_give_back().
 */
void csg_flow_set_counts(struct csg_flow *flow);
const uintptr_t *csg_flow_executions(const struct csg_flow *flow);

/* Elements in memory of their own, which is freed with free(). */
struct csg_flow_block {
	struct csg_element *elements;
	size_t n, room;
	bool timed; /* a TIMESTAMP is among them */
	uintptr_t *executions;
	size_t execution_room;
	struct csg_flow *lender; /* whose blocks of code they are; NULL: there are none */
};

/* Its executions are not looked at any more.  Any thread may say so; before the flow is destroyed. */
void csg_flow_give_back(struct csg_flow_block *block);

/*
 * The block, which was given back, gets the buffer with the elements so far, the flow goes on with the
 * block's memory.
 */
void csg_flow_swap(struct csg_flow *flow, struct csg_flow_block *block);

/* The buffer counts as full with so many elements; CSG_FLOW_ELEMENTS unless told. */
void csg_flow_set_limit(struct csg_flow *flow, size_t elements);

/* Host time of each TIMESTAMP element that is there: what time() says of its index. */
void csg_flow_date(struct csg_flow *flow, uint64_t (*time)(void *arg, uint64_t index), void *arg);

/* Whether the buffer is full, so that the flow waits for csg_flow_take(). */
bool csg_flow_full(const struct csg_flow *flow);

/* Whether a TIMESTAMP element is in the buffer. */
bool csg_flow_timed(const struct csg_flow *flow);

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

/* Bytes that were skipped behind where OpenCSD gave up. */
uint64_t csg_flow_skipped(const struct csg_flow *flow);

/* How often code was asked for while the owner was open. */
uint64_t csg_flow_nobody_accesses(const struct csg_flow *flow);

#endif
