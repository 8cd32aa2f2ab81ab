/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/when.h"

#include "csguest/contradiction.h"

struct csg_contradiction csg_when_contradiction(const struct csg_when *when,
						enum csg_contradiction_kind kind)
{
	return (struct csg_contradiction){
		.kind = kind,
		.cpu = when->cpu,
		.begin = when->index,
		.end = when->end ? when->end : CSG_NO_INDEX,
		.begin_time = when->from,
		.end_time = when->until,
	};
}

struct csg_contradiction csg_when_contradicted_times(const struct csg_when *when,
						     enum csg_contradiction_kind kind)
{
	struct csg_contradiction one = csg_when_contradiction(when, kind);

	if (!when->block)
		return one;
	one.begin = when->block;
	one.begin_time = when->block_from;
	return one;
}
