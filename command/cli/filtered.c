/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/filtered.h"

int csg_filtered_each(const struct csg_decode *d, const struct csg_batch *batch,
		      int (*add)(void *arg, const struct csg_batch *run), void *arg)
{
	const struct csg_element *e = batch->elements, *end = e + batch->n;
	struct csg_batch run = *batch;
	int err = 0;

	if (!csg_filters_choose(&d->filters))
		return add(arg, batch);
	while (!err && e < end) {
		const uint32_t owner = e->owner;

		for (run.elements = e; e < end && e->owner == owner;)
			e++;
		run.n = (size_t)(e - run.elements);
		if (csg_filters_pass(&d->filters, d->session, csg_session_owner(d->session, owner)))
			err = add(arg, &run);
	}
	return err;
}

bool csg_filtered_owner(void *decode, const struct csg_owner *owner)
{
	const struct csg_decode *d = decode;

	return csg_filters_pass(&d->filters, d->session, owner);
}
