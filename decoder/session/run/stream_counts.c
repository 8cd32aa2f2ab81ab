/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/stream_counts.h"

/* Adds by how much a count has grown. */
static void grow(uint64_t *sum, uint64_t *seen, uint64_t now, const struct csg_job *job)
{
	if (!job->unwanted)
		*sum += now - *seen;
	*seen = now;
}

void csg_stream_counts_job(struct csg_stream_counts *c, const struct csg_job *job)
{
	grow(&c->trace_bytes, &c->read_bytes, job->trace_bytes, job);
	grow(&c->lost, &c->seen.lost, job->bytes_lost, job);
}

void csg_stream_counts_flow(struct csg_stream_counts *c, const struct csg_job *job,
			    const struct csg_flow *flow)
{
	grow(&c->skipped, &c->seen.skipped, csg_flow_skipped(flow), job);
	grow(&c->nobody_accesses, &c->seen.nobody_accesses, csg_flow_nobody_accesses(flow), job);
}
