/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a stream counts of the trace that is handed out: jobs of chunks that nobody asks for
 * (csg_job.unwanted) do not count.  Look ahead and flow count all that they come by.
 */
#ifndef DECODER_SESSION_RUN_STREAM_COUNTS_H
#define DECODER_SESSION_RUN_STREAM_COUNTS_H

#include "flow/flow.h"
#include "session/run/job.h"

/* All zero: of nothing. */
struct csg_stream_counts {
	uint64_t read_bytes;	  /* of all jobs, framed */
	uint64_t trace_bytes;	  /* of jobs that count */
	uint64_t lost, skipped;	  /* bytes, by the look ahead, and by the flow */
	uint64_t nobody_accesses; /* csg_flow_nobody_accesses() */
	struct {
		uint64_t lost, skipped, nobody_accesses;
	} seen; /* of all jobs so far */
};

/* The job is next. */
void csg_stream_counts_job(struct csg_stream_counts *counts, const struct csg_job *job);

/* The flow has decoded more of the job. */
void csg_stream_counts_flow(struct csg_stream_counts *counts, const struct csg_job *job,
			    const struct csg_flow *flow);

#endif
