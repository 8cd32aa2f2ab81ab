/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/filtered.h"

static bool passes(void *decode, uint32_t owner, uint64_t time)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass(&d->filters, d->session, csg_session_owner(d->session, owner),
				time);
}

struct csg_owner_filter csg_filtered(struct csg_decode *d)
{
	return (struct csg_owner_filter){d, csg_filters_choose(&d->filters) ? passes : NULL};
}

int csg_filtered_each(struct csg_decode *d, const struct csg_batch *batch,
		      int (*add)(void *arg, const struct csg_batch *run), void *arg)
{
	const struct csg_owner_filter filter = csg_filtered(d);
	const struct csg_owner_parts parts = {.arg = arg, .add = add};

	return csg_owner_filter_divide(&filter, batch, &parts);
}

bool csg_filtered_owner(void *decode, const struct csg_owner *owner)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass(&d->filters, d->session, owner, UINT64_MAX);
}
