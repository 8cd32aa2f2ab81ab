/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources that an owner rests on, each with the byte of the trace that shows it. */
#ifndef DECODER_EVIDENCE_ITEMS_H
#define DECODER_EVIDENCE_ITEMS_H

#include "csguest/evidence.h"

#define CSG_EVIDENCE_ITEMS_MAX 32 /* one for each bit */

/* Fills items for the owner of place->at, in the order of their bits; returns how many there
 * are. */
size_t csg_evidence_items(const struct csg_evidence_place *place, const struct csg_owner *owner,
			  struct csg_evidence_item items[CSG_EVIDENCE_ITEMS_MAX]);

#endif
