/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completes the owner of a segment: world/ has found whether it is the host's or a guest's and what
 * its context IDs name; here it gets process, VM and vCPU, by what was stated (guest/facts.h).
 */
#ifndef DECODER_GUEST_OWNERS_H
#define DECODER_GUEST_OWNERS_H

#include "guest/agreement.h"
#include "guest/facts.h"
#include "guest/pending.h"
#include "guest/vmids.h"

/* When a segment ran, as far as it is known. */
struct csg_when {
	int32_t cpu;
	uint64_t from, until;	/* host perf time, ns: it ran in between; 0: no bound */
	uint64_t after, before; /* the same, and close to its beginning and end; 0 unknown */
	uint64_t begun, ended;	/* it had begun by then, and had not ended before; 0 unknown */
	uint64_t index, end;	/* where it begins and, unless 0, ends in the trace */
	const struct csg_attribution_piece *piece;
	/*
	 * The context ID that names the host's thread is 0, and it is traced: others of this piece were not.
	 * CSG_WITNESS_CONTEXTIDR_EL1 or _EL2; 0: it is not so.
	 */
	uint32_t zero_id;
	uint32_t vmid;		 /* of its context, under KVM; 0: none is traced */
	struct csg_vmids *vmids; /* of its stream; NULL: of no use */
	struct csg_agreement
		*agreement; /* of its stream; NULL: nothing has contradicted residency */
	const struct csg_finder *finder; /* of its stream; NULL: nothing is counted */
};

/*
 * Whether the host thread that the trace names was of several processes between the times that are known
 * by now: its ID came back, or may have.
 */
bool csg_owner_has_several(const struct csg_facts *facts, const struct csg_when *when,
			   const struct csg_owner *owner);

/*
 * span: raw timestamps of a guest's segment.  Adds the vCPU threads that the trace shows to the facts.
 * 0 or -CSG_E_NO_MEMORY.
 */
int csg_owner_complete(struct csg_facts *facts, const struct csg_when *when,
		       const struct csg_guest_span *span, struct csg_owner *owner);

#endif
