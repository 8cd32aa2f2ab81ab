/* SPDX-License-Identifier: BSD-3-Clause */
/* Which owners a view shows, and the parts of a batch that are theirs. */
#ifndef COMMAND_LOOKUP_OWNER_FILTER_H
#define COMMAND_LOOKUP_OWNER_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/session.h"

struct csg_owner_filter {
	void *arg;
	/* Whether what the owner with this number did at time (ns; UINT64_MAX: unknown) is shown.
	 * NULL: all is. */
	bool (*passes)(void *arg, uint32_t owner, uint64_t time);
};

static inline bool csg_owner_filter_passes(const struct csg_owner_filter *filter, uint32_t owner,
					   uint64_t time)
{
	return !filter->passes || filter->passes(filter->arg, owner, time);
}

/* What takes the parts of a batch.  Each function returns 0 or a negative error. */
struct csg_owner_parts {
	void *arg;
	/* Consecutive elements of one owner that passes, as a batch; all of it without a filter. */
	int (*add)(void *arg, const struct csg_batch *part);
	/* Elements of this stream were left out.  May be NULL. */
	int (*left_out)(void *arg, uint32_t stream);
};

/* Divides the batch.  Returns 0 or the first error of parts. */
int csg_owner_filter_divide(const struct csg_owner_filter *filter, const struct csg_batch *batch,
			    const struct csg_owner_parts *parts);

#endif
