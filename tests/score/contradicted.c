/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/contradicted.h"

/* Times of a guest's sideband are the guest's: its interval shows in owners only. */
static bool is_in(const struct csg_contradiction *c, int32_t cpu, uint64_t index, uint64_t time)
{
	if (c->cpu >= 0 && c->cpu != cpu)
		return false;
	if (c->begin != CSG_NO_INDEX)
		return index >= c->begin && index < c->end;
	return !c->vm && time && c->begin_time && time >= c->begin_time && time <= c->end_time;
}

void csg_contradicted_add(struct csg_contradicted *contradicted, int32_t cpu, uint64_t time,
			  const struct csg_element *e, const struct csg_owner *owner)
{
	bool is = owner->reason == CSG_REASON_CONFLICT;

	if (e->kind != CSG_ELEMENT_RANGE)
		return;
	for (size_t i = 0; i < contradicted->n && !is; i++)
		is = is_in(&contradicted->list[i], cpu, e->index, time);
	contradicted->instructions += is ? e->instructions : 0;
}
