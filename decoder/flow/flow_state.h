/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a flow between two bytes: everything that what comes out of the next bytes depends
 * on, but for the code itself.  It can be taken out of one flow and put into another of the same
 * source, which goes on as the first one would have; what each has decoded of the code stays its
 * own.
 *
 * So a flow may begin at an A-Sync in the middle, knowing nothing, and whoever comes there from
 * before says whether it was right: two flows in the same state give the same elements of the same
 * bytes. csg_flow_same() errs on the safe side: states that differ in nothing that matters may
 * count as different.
 *
 * For the fast engine only; OpenCSD keeps its state to itself.
 */
#ifndef DECODER_FLOW_FLOW_STATE_H
#define DECODER_FLOW_FLOW_STATE_H

#include "flow/flow.h"

struct csg_flow_state;

/* NULL: no memory. */
struct csg_flow_state *csg_flow_state_create(void);
void csg_flow_state_destroy(struct csg_flow_state *state);

/* They return 0 or -CSG_E_NO_MEMORY, and -CSG_E_UNSUPPORTED where OpenCSD decodes. */
int csg_flow_save(const struct csg_flow *flow, struct csg_flow_state *state);
int csg_flow_load(struct csg_flow *flow, const struct csg_flow_state *state);

/* Whether both go on alike, both saved. */
bool csg_flow_same(const struct csg_flow_state *a, const struct csg_flow_state *b);

/*
 * Begins anew at index, where an A-Sync lies, as csg_flow_restart() does, but in the middle of a
 * trace: without segments, with owner in force, and with what no A-Sync resets as it is likely to
 * be.
 */
void csg_flow_guess(struct csg_flow *flow, uint64_t index, uint32_t owner);

#endif
