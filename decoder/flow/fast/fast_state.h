/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the fast engine (flow/fast/fast.h), which its parts share. */
#ifndef DECODER_FLOW_FAST_FAST_STATE_H
#define DECODER_FLOW_FAST_FAST_STATE_H

#include "flow/core/blocks.h"
#include "flow/core/core.h"
#include "flow/core/flow_buffer.h"
#include "flow/core/insn.h"
#include "scan/reader.h"
#include "util/ring.h"

/* Entries of the queue.  P0 elements of the architecture are those that count. */
enum csg_fast_kind {
	CSG_FAST_ATOMS,
	CSG_FAST_ADDRESS,
	CSG_FAST_CONTEXT,
	CSG_FAST_TRACE_ON,
	CSG_FAST_EXCEPTION,
	CSG_FAST_ERET,
	CSG_FAST_EVENT,
	CSG_FAST_TIMESTAMP,
	CSG_FAST_CYCLES,
	CSG_FAST_MARKER,
	CSG_FAST_Q,
	CSG_FAST_SOURCE_ADDRESS,
	CSG_FAST_TRANSACTION,
	CSG_FAST_ITE,
	CSG_FAST_UNSEEN,     /* P0 elements from before the trace began */
	CSG_FAST_TRACE_INFO, /* the return stack is emptied */
};

struct csg_fast_entry {
	uint64_t index;
	uint64_t value;
	uint8_t kind;
	bool p0;
	bool is1;
	bool is_target, has_address;
	uint8_t atoms;
	uint16_t number;
	uint32_t pattern;
	uint32_t cycles;
	uint32_t n;
	struct csg_packet_context context;
};

struct csg_fast_return {
	uint64_t address;
	struct csg_block *caller; /* the block that ends with the call, or NULL */
	uint8_t isa;
};

#define CSG_FAST_RETURNS 16

/* What an address that execution went on at replaced, for as long as no P0 element has committed
 * it. */
struct csg_fast_replaced {
	uint64_t address;
	uint8_t isa;
	bool pop_pending, wait_address;
};

/* What is different in newer releases of OpenCSD. */
struct csg_fast_ways {
	bool cycles_commit; /* cycle counts commit */
	/* P0 elements from before the trace are known; Trace Info waits in the queue */
	bool unseen;
	bool exception_forward; /* no walk to an exception's return address that lies later */
};

/* The trace unit, and how what it sends is read. */
struct csg_fast_unit {
	struct csg_fast_ways ways;
	unsigned int features; /* enum csg_insn_feature */
	uint32_t max_spec;
	bool ete;
	bool cci;	      /* timestamps carry cycle counts */
	bool transactions_p0; /* a transaction start is a P0 element */
	bool has_marker;      /* timestamps count from the first marker on only */
	bool has_return_stack;
	bool exact_returns; /* csg_flow_code.exact */
};

/* What packets have said and the unit has not committed, oldest first. */
struct csg_fast_queue {
	struct csg_fast_entry *entries;
	struct csg_ring ring;
	struct csg_fast_entry no_entry; /* filled where there is no memory for one */
	uint32_t depth;			/* P0 elements in it */
	bool pending;			/* an exception or Q element waits for its address */
};

/* What the current packet demands of the queue. */
struct csg_fast_demand {
	uint32_t commit, cancel; /* P0 elements */
	bool mispredict, discard;
};

/* Where execution is. */
struct csg_fast_place {
	uint64_t address;
	uint8_t isa, it;
	bool is_64bit, need_context, need_address;
	bool anywhere;		 /* no instruction says where the path goes on: an address does */
	struct csg_block *block; /* there, or NULL: not looked up */
	struct csg_block
		*before; /* led there, by such an atom, which is to know once it is; or NULL */
	unsigned int atom;
	struct csg_block *from; /* ends with the indirect branch that was taken last, or NULL */
};

/* Whose code is walked. */
struct csg_fast_code {
	struct csg_block scratch; /* of code that is nobody's to remember */
	uint64_t scratch_target;  /* of the block that was decoded last */
	uint64_t space;		  /* of space_owner */
	uint32_t space_owner;
	bool space_known;
};

/* The return stack. */
struct csg_fast_returns {
	struct csg_fast_return stack[CSG_FAST_RETURNS];
	unsigned int top;
	int count;
	bool unknown; /* below those that are there: code ran that is missing */
};

/* What contexts have said; once known they stay. */
struct csg_fast_ids {
	bool has_contextidr, has_vctx;
	uint32_t contextidr, vctx;
};

struct csg_fast {
	struct csg_flow *flow;
	uint32_t atoms[0x100 - CSG_FIRST_ATOMS]; /* by header: a one above the newest */
	struct csg_reader reader;
	struct csg_blocks blocks;
	struct csg_fast_unit unit;

	enum { CSG_FAST_NO_SYNC, CSG_FAST_WAIT_SYNC, CSG_FAST_WAIT_INFO, CSG_FAST_DECODE } state;
	uint8_t lost; /* NO_SYNC: why, enum csg_gap; CSG_GAP_NONE: nothing to tell */
	bool dead;    /* the current packet makes no sense */
	bool overflowed, seen_marker, last_is1;
	bool follows; /* the pass put out what changes owner or time, or a gap */

	struct csg_fast_queue queue;
	struct csg_fast_demand demand;
	struct csg_fast_place at;
	struct csg_fast_code code;
	struct csg_fast_returns returns;
	bool pop_pending;  /* a return was executed: the next address comes off the stack */
	bool wait_address; /* after Trace Info: calls count from the first address on only */
	bool early;	   /* the current address was not committed yet */
	struct csg_fast_replaced replaced;
	struct csg_fast_ids ids;
};

static inline uint8_t csg_fast_isa(bool is_64bit, bool is1)
{
	return is_64bit ? CSG_ISA_A64 : is1 ? CSG_ISA_T32 : CSG_ISA_A32;
}

/* Whether an address packet may say that execution goes on there. */
static inline bool csg_fast_leads_to(const struct csg_fast *f, uint64_t address)
{
	return f->at.need_address | f->pop_pending | f->at.anywhere || f->at.address == address;
}

/* Execution goes on there. */
static inline void csg_fast_go_to(struct csg_fast *f, uint64_t address, uint8_t isa)
{
	f->at.address = address;
	f->at.isa = isa;
	f->at.block = NULL;
	f->at.before = NULL;
}

/*
 * An address is taken without waiting for what commits it.  Where nothing does, as synchronisation
 * is lost, the one before it is where OpenCSD stands: it walks from there to an exception's return
 * address, if that is what comes first.
 */
static inline void csg_fast_take_early(struct csg_fast *f)
{
	if (!f->early)
		f->replaced = (struct csg_fast_replaced){f->at.address, f->at.isa, f->pop_pending,
							 f->wait_address};
	f->early = true;
}

/* What commits an address was lost. */
static inline void csg_fast_drop_early(struct csg_fast *f)
{
	if (!f->early)
		return;
	csg_fast_go_to(f, f->replaced.address, f->replaced.isa);
	f->pop_pending = f->replaced.pop_pending;
	f->wait_address = f->replaced.wait_address;
	f->early = false;
}

/* A new element in the buffer, zero but for kind and index; with owner and exception level. */
static inline struct csg_element *csg_fast_put(struct csg_fast *f, enum csg_element_kind kind,
					       uint64_t index)
{
	struct csg_flow *flow = f->flow;
	struct csg_element *e;

	if (flow->execution_count != flow->open.first)
		csg_flow_close_ranges(flow, false);
	e = &flow->elements[flow->element_count++];
	*e = (struct csg_element){
		.index = index, .kind = (uint8_t)kind, .owner = flow->owner, .el = flow->el};
	return e;
}

#endif
