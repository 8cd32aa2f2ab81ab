/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evidence: what one place of the trace shows from which its owner follows, as csguest explain
 * prints it.
 *
 *	struct csg_evidence *evidence;
 *	int ret = csg_evidence_create(&evidence, session, index);
 *
 *	while (!ret && (ret = csg_session_next_of(session, stream, &batch, sizeof(batch))) > 0)
 *		ret = csg_evidence_add(evidence, &batch, sizeof(batch));
 *	place = csg_evidence_finish(evidence);
 *	for (size_t i = 0; i < csg_evidence_count(evidence); i++)
 *		... csg_evidence_at(evidence, i)->source says what place->at.owner is
 *	csg_evidence_destroy(evidence);
 *
 * A place is a byte of the trace of one stream.  It lies in a segment, which one owner had from
 * element to element, or which is trace that was lost, or nobody's until a context comes.  Owners
 * are decided packet by packet, and no more is kept of why than the sources (csg_owner.evidence);
 * so the elements of the stream are read once more, all of them, from the first to the last.
 *
 * To be used by the thread that pulls the session.
 */
#ifndef CSGUEST_EVIDENCE_H
#define CSGUEST_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/contradiction.h"
#include "csguest/element.h"
#include "csguest/session.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum csg_border {
	CSG_BORDER_BEGIN,     /* begin or end of the stream */
	CSG_BORDER_LOSS,      /* trace was lost: gap */
	CSG_BORDER_EXCEPTION, /* number; address: preferred return address */
	CSG_BORDER_ERET,      /* address: of the ERET, where it was decoded */
	CSG_BORDER_CONTEXT,   /* only the context changed */
};

/* How a segment was entered.  Does not grow. */
struct csg_evidence_border {
	uint8_t kind; /* enum csg_border */
	uint8_t gap;  /* enum csg_gap */
	bool has_address;
	uint32_t number;
	uint64_t index, address;
};

/* A segment.  Does not grow. */
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

/* A timestamp.  Does not grow. */
struct csg_evidence_timestamp {
	uint64_t index, raw;
	uint64_t time; /* the host's, ns, where it is known; 0: not */
	bool exists;
};

/* The vectors that an exception to this address went to (VBAR_ELx). */
#define CSG_EVIDENCE_VECTORS(address) ((address) & ~(uint64_t)0x7ff)

/* A base of exception vectors at EL2 that the CPU was seen to have.  Does not grow. */
struct csg_evidence_base {
	uint64_t base;
	uint64_t index; /* of the first exception that went there */
	uint64_t count; /* how many did */
	uint32_t owner; /* who took the first one */
	bool guest; /* it is one that guests exit to: an exit from EL1, or beside EL1, went there */
	uint64_t guest_index; /* of the first of those */
};

#define CSG_EVIDENCE_BASES 8

/* A place, with the segments around it. */
struct csg_evidence_place {
	size_t size;
	uint64_t index; /* that was asked for */
	struct csg_evidence_segment before, at, after;
	struct csg_element here; /* the last element up to the place */
	uint64_t here_time;	 /* perf time in force there, ns; 0: unknown */
	struct csg_evidence_timestamp timestamp_before, timestamp_after;
	struct csg_evidence_base bases[CSG_EVIDENCE_BASES];
	uint32_t base_count;
};

/* Parts of an owner that a source may settle; bits of a set. */
enum csg_owner_part {
	CSG_PART_WORLD = 1,
	CSG_PART_VM = 2,
	CSG_PART_VCPU = 4,
	CSG_PART_THREAD = 8, /* and its process */
	CSG_PART_LEVEL = 16,
};

/* What one source of evidence says of the owner at the place. */
struct csg_evidence_item {
	size_t size;
	uint32_t source;  /* enum csg_evidence_source, one of them */
	uint32_t settles; /* set of enum csg_owner_part: for what it can be evidence */
	/* Byte of the trace that shows it; CSG_NO_INDEX: none does, or it was not decoded. */
	uint64_t index;
	/*
	 * EXCEPTION_LEVEL, NEIGHBOUR_EL: the exception level; CONTEXTIDR_EL1, CONTEXTIDR_EL2: the
	 * thread; VMID: what the context says; VECTOR_BASE: where the exception led to; ENTRY_ERET:
	 * address of the ERET.  0: not known, or of another source.
	 */
	uint64_t value;
};

struct csg_evidence;

/* Begins to read evidence for a place of one stream.  0, -CSG_E_USAGE, -CSG_E_NO_MEMORY. */
int csg_evidence_create(struct csg_evidence **evidence, struct csg_session *session,
			uint64_t index);

/* NULL is allowed. */
void csg_evidence_destroy(struct csg_evidence *evidence);

/*
 * The next batch of the stream, of which the caller knows size bytes.  0; -CSG_E_USAGE, also after
 * csg_evidence_finish().
 */
int csg_evidence_add(struct csg_evidence *evidence, const struct csg_batch *batch, size_t size);

/*
 * The stream is over: what was found, as long as evidence.  Its size says how much there is of it.
 * at.exists is false where the stream has no such place.  NULL: evidence is.
 */
const struct csg_evidence_place *csg_evidence_finish(struct csg_evidence *evidence);

/*
 * The sources that the owner at the place rests on, in the order of csg_evidence_text(): how many,
 * and one; NULL: none.  They lie in an array, size bytes from one to the next.  None before
 * csg_evidence_finish().
 */
size_t csg_evidence_count(const struct csg_evidence *evidence);
const struct csg_evidence_item *csg_evidence_at(const struct csg_evidence *evidence, size_t index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
