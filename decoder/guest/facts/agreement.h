/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the on-CPU intervals of a CPU (guest/facts/residency.h) are relied upon: along one
 * stream, while what the trace itself names agrees with them.
 *
 * Where the trace names another thread than the switch records, one of the two is wrong there.  A
 * lone packet or record is wrong once; the time of all of them may be wrong as well, and then some
 * agree by chance.  So from a contradiction on the intervals name nobody until CSG_AGREEMENTS of
 * them in a row, and twice as many after each further contradiction, have agreed.
 */
#ifndef DECODER_GUEST_FACTS_AGREEMENT_H
#define DECODER_GUEST_FACTS_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/facts/residency.h"

#define CSG_AGREEMENTS 32

/* All zero: nothing has contradicted so far. */
struct csg_agreement {
	bool contradicted;  /* not enough have agreed since */
	uint32_t needed;    /* to agree after the next contradiction; 0: CSG_AGREEMENTS */
	uint32_t missing;   /* that are still to agree */
	uint64_t last;	    /* when the interval that agreed last began */
	const void *slices; /* of a piece of trace, of which one is contradicted */
};

/* The trace names the thread of the interval, while that lasted. */
void csg_agreement_agree(struct csg_agreement *agreement, const struct csg_on_cpu *interval);

/* It names another. */
void csg_agreement_contradict(struct csg_agreement *agreement);

/* NULL: yes. */
bool csg_agreement_holds(const struct csg_agreement *agreement);

#endif
