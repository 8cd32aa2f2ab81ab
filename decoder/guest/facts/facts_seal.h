/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What follows from all facts together, once they are stated: who was on which CPU when, and what
 * of it counts.
 */
#ifndef DECODER_GUEST_FACTS_FACTS_SEAL_H
#define DECODER_GUEST_FACTS_FACTS_SEAL_H

#include "guest/facts/facts.h"

/*
 * Sorts what was stated, before the first question; the switches of guests may be stated later.
 * Those that were injected count only if the host's records prove their time right
 * (guest/facts/guest_fit.h).  0 or -CSG_E_NO_MEMORY.
 */
int csg_facts_seal(struct csg_facts *facts);

#endif
