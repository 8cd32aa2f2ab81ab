/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/seek.h"

#include "cli/sharded.h"
#include "csguest/error.h"
#include "csguest/shard.h"

int csg_seek_check(const struct csg_decode *d)
{
	if (!d->sharding.facts || csg_sharded_on(d))
		return 0;
	if (!d->seeks)
		return csg_usage_error(d->command, "--facts: what is shown depends on all trace "
						   "before it, which is decoded");
	return d->filters.times
		       ? 0
		       : csg_usage_error(d->command, "--facts goes with --time, or with --shard");
}

/* From the first of the times to the last, which is in it; end 0: no bound. */
static void span_of(const struct csg_time_ranges *times, uint64_t *begin, uint64_t *end)
{
	*begin = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < times->n; i++) {
		const struct csg_time_range *t = &times->ranges[i];

		*begin = t->begin < *begin ? t->begin : *begin;
		*end = t->end > *end ? t->end : *end;
	}
	if (*end == UINT64_MAX)
		*end = 0;
}

int csg_seek_begin(struct csg_decode *d)
{
	uint64_t begin, end;

	if (!d->sharding.facts || csg_sharded_on(d))
		return 0;
	if (csg_recording_sample_count(csg_session_recording(d->session)))
		return csg_usage_error(d->command, "--facts: samples hold the trace of this "
						   "recording, all of which is decoded");
	span_of(&d->filters.ranges, &begin, &end);
	return csg_shard_seek(d->session, begin, end);
}
