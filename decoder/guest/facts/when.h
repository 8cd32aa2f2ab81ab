/* SPDX-License-Identifier: BSD-3-Clause */
/* When and where a segment ran, for whoever completes its owner. */
#ifndef DECODER_GUEST_FACTS_WHEN_H
#define DECODER_GUEST_FACTS_WHEN_H

#include "csguest/attribution.h"
#include "csguest/contradiction.h"
#include "guest/facts/agreement.h"
#include "guest/facts/dated_findings.h"
#include "guest/facts/vmids.h"

/* As far as it is known. */
struct csg_when {
	int32_t cpu;
	uint64_t from, until;	/* host perf time, ns: it ran in between; 0: no bound */
	uint64_t after, before; /* the same, and close to its beginning and end; 0 unknown */
	uint64_t begun, ended;	/* it had begun by then, and had not ended before; 0 unknown */
	uint64_t index, end;	/* where it begins and, unless 0, ends in the trace */
	/*
	 * Where times alone say who ran: the first timestamp that has the upper bits of the last
	 * one before it, and the host time (ns) after which that was sent.  0: others say it.
	 */
	uint64_t block, block_from;
	bool empty; /* nothing can have run in it */
	const struct csg_attribution_piece *piece;
	/*
	 * The context ID that names the host's thread is 0, and it is traced: others of this piece
	 * were not. CSG_EVIDENCE_CONTEXTIDR_EL1 or _EL2; 0: it is not so.
	 */
	uint32_t zero_id;
	uint32_t vmid;		 /* of its context, under KVM; 0: none is traced */
	struct csg_vmids *vmids; /* of its stream; NULL: of no use */
	struct csg_agreement
		*agreement; /* of its stream; NULL: nothing has contradicted residency */
	const struct csg_finder *finder; /* of its stream; NULL: nothing is counted */
};

/* Sources contradict each other there: all but the text. */
struct csg_contradiction csg_when_contradiction(const struct csg_when *when,
						enum csg_contradiction_kind kind);

/* The same from the first timestamp on that has the same upper bits, where times alone say who
 * ran: they may be as wrong. */
struct csg_contradiction csg_when_contradicted_times(const struct csg_when *when,
						     enum csg_contradiction_kind kind);

#endif
