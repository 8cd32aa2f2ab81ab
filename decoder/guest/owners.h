/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completes the owner of a segment: world/ has found whether it is the host's or a guest's and what
 * its context IDs name; here it gets process, VM and vCPU, by what was stated
 * (guest/facts/facts.h).
 *
 * The sources of evidence are a list of rules, which are applied in their order; what explains an
 * owner asks the same list.
 */
#ifndef DECODER_GUEST_OWNERS_H
#define DECODER_GUEST_OWNERS_H

#include "csguest/evidence.h"
#include "guest/facts/facts.h"
#include "guest/facts/when.h"
#include "guest/pending.h"

/*
 * Whether the host thread that the trace names was of several processes between the times that are
 * known by now: its ID came back, or may have.
 */
bool csg_owner_has_several(const struct csg_facts *facts, const struct csg_when *when,
			   const struct csg_owner *owner);

/*
 * span: raw timestamps of a guest's segment.  Adds the vCPU threads that the trace shows to the
 * facts.  0 or -CSG_E_NO_MEMORY.
 */
int csg_owner_complete(struct csg_facts *facts, const struct csg_when *when,
		       const struct csg_guest_span *span, struct csg_owner *owner);

/* Nobody is known to have run it, of whichever world. */
void csg_owner_leave_world(struct csg_owner *owner);

/* Sources that one rule applies, and what they settle. */
struct csg_owner_sources {
	/* set of enum csg_evidence_source; 0: it takes back what was by default */
	uint32_t evidence;
	uint32_t settles; /* set of enum csg_owner_part */
};

/* The rule with this number, in the order in which they are applied; NULL: there are fewer. */
const struct csg_owner_sources *csg_owner_sources(size_t number);

#endif
