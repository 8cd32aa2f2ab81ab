/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/asyncs.h"

static uint64_t *at(struct csg_asyncs *asyncs, size_t i)
{
	return &asyncs->index[csg_ring_at(&asyncs->queue, i)];
}

void csg_asyncs_add(struct csg_asyncs *asyncs, uint64_t index)
{
	asyncs->queue.capacity = CSG_ASYNCS;
	if (asyncs->queue.count && index < *at(asyncs, asyncs->queue.count - 1))
		csg_ring_clear(&asyncs->queue);
	if (asyncs->queue.count == CSG_ASYNCS ||
	    (asyncs->queue.count &&
	     index - *at(asyncs, asyncs->queue.count - 1) < CSG_ASYNCS_DISTANCE))
		return;
	asyncs->index[csg_ring_push(&asyncs->queue)] = index;
}

uint64_t csg_asyncs_next(struct csg_asyncs *asyncs, uint64_t index)
{
	while (asyncs->queue.count && *at(asyncs, 0) < index)
		csg_ring_pop(&asyncs->queue);
	return asyncs->queue.count ? *at(asyncs, 0) : UINT64_MAX;
}
