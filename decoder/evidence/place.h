/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the elements of a stream show around one place (csguest/evidence.h): from whom and how its
 * segment was entered, to whom and how it was left, which exception vectors the CPU had while
 * guests ran and where that was learned.
 */
#ifndef DECODER_EVIDENCE_PLACE_H
#define DECODER_EVIDENCE_PLACE_H

#include "csguest/evidence.h"

/* The owner with this number; never NULL. */
typedef const struct csg_owner *csg_place_owner_fn(const void *arg, uint32_t owner);

struct csg_place {
	struct csg_evidence_place found;
	csg_place_owner_fn *owner;
	const void *arg;
	struct csg_evidence_segment last, now;
	struct csg_evidence_border next;
	struct csg_element exit; /* exception whose target has not come yet */
	bool exits, exit_from_guest, passed;
	uint64_t last_address;
};

void csg_place_init(struct csg_place *place, csg_place_owner_fn *owner, const void *arg,
		    uint64_t index);

/* Adds a batch of the one stream that the place is in. */
void csg_place_add(struct csg_place *place, const struct csg_batch *batch);

/* The stream is over. */
void csg_place_end(struct csg_place *place);

#endif
