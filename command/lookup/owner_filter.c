/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup/owner_filter.h"

int csg_owner_filter_divide(const struct csg_owner_filter *filter, const struct csg_batch *batch,
			    const struct csg_owner_parts *parts)
{
	const struct csg_element *e = batch->elements, *end = e + batch->n;
	struct csg_batch part = *batch;
	int err = 0;

	if (!filter->passes)
		return parts->add(parts->arg, batch);
	while (!err && e < end) {
		const uint32_t owner = e->owner;

		for (part.elements = e; e < end && e->owner == owner;)
			e++;
		part.n = (size_t)(e - part.elements);
		if (filter->passes(filter->arg, owner, batch->lookup_time))
			err = parts->add(parts->arg, &part);
		else if (parts->left_out)
			err = parts->left_out(parts->arg, batch->stream);
	}
	return err;
}
