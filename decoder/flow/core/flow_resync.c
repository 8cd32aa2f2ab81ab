/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_resync.h"

#include "csguest/context.h"
#include "flow/core/core.h"
#include "flow/core/flow_buffer.h"
#include "flow/core/flow_read.h"

void csg_flow_revive(struct csg_flow *flow, uint64_t index)
{
	const struct csg_element gap = {.index = index,
					.kind = CSG_ELEMENT_GAP,
					.gap = CSG_GAP_NO_SYNC,
					.info = flow->skipped < UINT32_MAX ? (uint32_t)flow->skipped
									   : UINT32_MAX,
					.el = CSG_EL_UNKNOWN};

	if (flow->skipped)
		csg_flow_add(flow, &gap);
	flow->dead = false;
	flow->skipped = 0;
}

void csg_flow_recover(struct csg_flow *flow, uint64_t index)
{
	const struct csg_element gap = {.index = index,
					.kind = CSG_ELEMENT_GAP,
					.gap = CSG_GAP_DECODER,
					.owner = flow->owner,
					.el = CSG_EL_UNKNOWN};

	flow->ops->reset(flow->decoder, index);
	flow->el = CSG_EL_UNKNOWN;
	flow->eret = 0;
	flow->dead = flow->code.async != NULL;
	csg_flow_add(flow, &gap);
}

size_t csg_flow_skip(struct csg_flow *flow, const struct csg_run *piece)
{
	uint64_t async = flow->code.async(flow->code.arg, piece->index);
	size_t n = csg_run_before(piece, async);

	if (async == piece->index) {
		csg_flow_revive(flow, piece->index);
		flow->ops->reset(flow->decoder, piece->index);
		return 0;
	}
	flow->skipped += n;
	flow->all_skipped += n;
	return n;
}

void csg_flow_restart(struct csg_flow *flow, uint64_t index)
{
	flow->ops->reset(flow->decoder, index);
	csg_flow_forget_slots(flow);
	csg_flow_change_owner(flow);
	flow->paused = flow->ending = flow->border = flow->dead = false;
	flow->missing.gap = CSG_GAP_NONE;
	flow->skipped = 0;
	flow->owner = 0;
	flow->el = CSG_EL_UNKNOWN;
	flow->a64 = false;
	flow->eret = 0;
}
