/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/host_time.h"

/* AUX records are written a little after the last timestamp, sideband begins a little before it. */
#define SLACK_NS UINT64_C(1000000000)

void csg_host_time_init(struct csg_host_time *time, const struct csg_trace_unit *unit,
			const struct csg_attribution_clock *clock)
{
	*time = (struct csg_host_time){
		.known = unit->ts_source == CSG_TS_SOURCE_VIRTUAL && clock->conv.valid,
		.clock = *clock,
	};
}

uint64_t csg_host_time_of(const struct csg_host_time *time,
			  const struct csg_attribution_piece *piece, uint64_t timestamp)
{
	const struct csg_attribution_clock *c = &time->clock;
	uint64_t ns;

	if (!time->known || !timestamp)
		return 0;
	ns = csg_time_conv_to_ns(&c->conv, timestamp);
	if (c->last_time && (ns + SLACK_NS < c->first_time || ns > c->last_time + SLACK_NS))
		return 0;
	if (ns < piece->begin_time || (piece->end_time && ns > piece->end_time + SLACK_NS))
		return 0;
	return ns < time->now ? 0 : ns;
}

void csg_host_time_pass(struct csg_host_time *time, const struct csg_attribution_piece *piece,
			uint64_t timestamp)
{
	uint64_t ns = csg_host_time_of(time, piece, timestamp);

	if (ns)
		time->now = ns;
}

void csg_host_time_restart(struct csg_host_time *time)
{
	time->now = 0;
}
