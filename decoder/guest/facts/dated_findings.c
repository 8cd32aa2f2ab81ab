/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/dated_findings.h"

void csg_undated_take(struct csg_undated *u, struct csg_assumption_place *place)
{
	if (u->count < sizeof(u->waiting) / sizeof(u->waiting[0]))
		u->waiting[u->count++] = place;
}

/* Whether the time of the place is known, or never will be. */
static bool date(struct csg_assumption_place *place, struct csg_host_clock *clock, uint64_t stamped)
{
	uint64_t stamp = csg_stamps_before(&clock->stamps, place->index), time;

	if (stamped != UINT64_MAX &&
	    (place->index > stamped || !csg_host_clock_is_settled(clock, place->index)))
		return false;
	time = stamp ? csg_host_clock_time(clock, stamp) : 0;
	if (time)
		place->time = time;
	return true;
}

void csg_undated_date(struct csg_undated *u, struct csg_host_clock *clock, uint64_t stamped)
{
	size_t left = 0;

	for (size_t i = 0; i < u->count; i++)
		if (!date(u->waiting[i], clock, stamped))
			u->waiting[left++] = u->waiting[i];
	u->count = left;
}
