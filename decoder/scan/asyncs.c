/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/asyncs.h"

static uint64_t *at(struct csg_asyncs *asyncs, size_t i)
{
	return &asyncs->index[(asyncs->first + i) & (CSG_ASYNCS - 1)];
}

void csg_asyncs_init(struct csg_asyncs *asyncs)
{
	asyncs->first = asyncs->count = 0;
}

void csg_asyncs_add(struct csg_asyncs *asyncs, uint64_t index)
{
	if (asyncs->count && index < *at(asyncs, asyncs->count - 1))
		csg_asyncs_init(asyncs);
	if (asyncs->count == CSG_ASYNCS ||
	    (asyncs->count && index - *at(asyncs, asyncs->count - 1) < CSG_ASYNCS_DISTANCE))
		return;
	*at(asyncs, asyncs->count++) = index;
}

uint64_t csg_asyncs_next(struct csg_asyncs *asyncs, uint64_t index)
{
	while (asyncs->count && *at(asyncs, 0) < index) {
		asyncs->first = (asyncs->first + 1) & (CSG_ASYNCS - 1);
		asyncs->count--;
	}
	return asyncs->count ? *at(asyncs, 0) : UINT64_MAX;
}
