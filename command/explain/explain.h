/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chain of evidence for one place of the trace, in words: where it is, the borders of its
 * segment, why this world, this VM and vCPU, this process, what is unknown and what would settle
 * it.
 */
#ifndef COMMAND_EXPLAIN_EXPLAIN_H
#define COMMAND_EXPLAIN_EXPLAIN_H

#include "explain/question.h"

/* Who ran at the place, as a phrase. */
void csg_explain_owner(const struct csg_explain *explain, char *buf, size_t size);

/* Everything but packets; the form's object for the place is open. */
void csg_explain_print(const struct csg_explain *explain);

/* Whether a packet at index lies near a border of the segment, or near the place. */
bool csg_explain_shows_packet(const struct csg_evidence_place *place, uint64_t index);

#endif
