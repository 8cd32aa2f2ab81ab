/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evidence: what the trace shows around one place of it, from which its owner follows.  Attribution
 * itself (world/) keeps none of it, as it works on every packet; here the elements of the
 * stream are read once more and the borders of the segment that covers the place are kept: from
 * whom and how it was entered, to whom and how it was left, which exception vectors this CPU had while
 * guests ran and where that was learned.
 *
 * A segment is what one owner had, from element to element, or trace that was lost, or what is nobody's
 * until a context comes.
 */
#ifndef COMMAND_EXPLAIN_EVIDENCE_H
#define COMMAND_EXPLAIN_EVIDENCE_H

#include "csguest/session.h"
#include "lookup/lookup.h"

#define CSG_EVIDENCE_BASES 8

enum csg_border {
	CSG_BORDER_BEGIN,     /* begin or end of the stream */
	CSG_BORDER_LOSS,      /* trace was lost: gap */
	CSG_BORDER_EXCEPTION, /* number; address: preferred return address */
	CSG_BORDER_ERET,      /* address: of the ERET, where it was decoded */
	CSG_BORDER_CONTEXT,   /* only the context changed */
};

/* How a segment was entered. */
struct csg_evidence_border {
	uint8_t kind; /* enum csg_border */
	uint8_t gap;  /* enum csg_gap */
	bool has_address;
	uint32_t number;
	uint64_t index, address;
};

struct csg_evidence_segment {
	bool exists, lost, ended;
	uint32_t owner; /* owner number; of what was lost 0 */
	uint8_t el;
	uint64_t begin, end; /* indexes */
	struct csg_evidence_border entered;
	bool has_context;
	struct csg_element context; /* the first in it */
	bool has_first;
	uint64_t first; /* address of its first instruction, decoded or not */
	uint64_t instructions, ranges, missing;
};

struct csg_evidence_stamp {
	uint64_t index, raw;
	uint64_t time; /* the host's, ns, where it is known; 0: not */
	bool exists;
};

/* The vectors that an exception to this address went to (VBAR_ELx). */
#define CSG_EVIDENCE_VECTORS(address) ((address) & ~(uint64_t)0x7ff)

/* A base of exception vectors at EL2 that this CPU was seen to have. */
struct csg_evidence_base {
	uint64_t base;
	uint64_t index; /* of the first exception that went there */
	uint64_t count; /* how many did */
	uint32_t owner; /* who took the first one */
	bool guest; /* it is one that guests exit to: an exit from EL1, or beside EL1, went there */
	uint64_t guest_index; /* of the first of those */
};

struct csg_evidence {
	uint64_t index; /* the place asked for */
	const struct csg_lookup *lookup;
	struct csg_evidence_segment before, at, after;
	struct csg_element here; /* the last element up to the place */
	uint64_t here_time;	 /* perf time in force there, ns; 0: unknown */
	struct csg_evidence_stamp stamp_before, stamp_after;
	struct csg_evidence_base bases[CSG_EVIDENCE_BASES];
	unsigned int base_count;
	/* Private. */
	struct csg_evidence_segment last, now;
	struct csg_evidence_border next;
	struct csg_element exit; /* exception whose target has not come yet */
	bool exits, exit_from_guest, passed;
	uint64_t last_address;
};

void csg_evidence_init(struct csg_evidence *evidence, const struct csg_lookup *lookup,
		       uint64_t index);

/* Adds a batch of the one stream that the place is in. */
void csg_evidence_add(struct csg_evidence *evidence, const struct csg_batch *batch);

/* The stream is over. */
void csg_evidence_end(struct csg_evidence *evidence);

/* What is known of the base that an address lies at; NULL: nothing. */
const struct csg_evidence_base *csg_evidence_base(const struct csg_evidence *evidence,
						  uint64_t address);

#endif
