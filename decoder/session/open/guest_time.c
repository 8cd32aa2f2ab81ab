/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/guest_time.h"

/* Does the period speak of counter?  The first and the last one speak of what is before and
 * after. */
static bool is_within(const struct csg_offset_vm *timeline, size_t i, uint64_t counter)
{
	const struct csg_offset_period *period = &timeline->periods[i];

	return (!i || counter >= period->from) &&
	       (i + 1 == timeline->count || counter <= period->until);
}

/* Host time between the two that the offset allows. */
static uint64_t between(const struct csg_time_conv *host, const struct csg_offset *offset,
			uint64_t counter)
{
	uint64_t low, high;

	csg_offset_times(offset, host, counter, &low, &high);
	if (high < low || high - low > CSG_GUEST_TIME_WIDTH)
		return 0;
	return low + (high - low) / 2;
}

uint64_t csg_guest_time_to_host(const struct csg_time_conv *guest, const struct csg_time_conv *host,
				const struct csg_offset_vm *timeline, uint64_t time)
{
	uint64_t counter = csg_time_conv_to_counter(guest, time);

	if (!counter || !host->valid || !timeline)
		return 0;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct csg_offset_period *period = &timeline->periods[i];

		if (period->contradicted || !csg_offset_is_bounded(&period->offset) ||
		    !is_within(timeline, i, counter + (uint64_t)period->offset.high))
			continue;
		return between(host, &period->offset, counter);
	}
	return 0;
}
