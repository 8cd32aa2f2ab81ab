/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the batches of a stream run, for choosing by --time: one time for all that a batch holds.
 *
 * It is that of the last timestamp before it.  Where the host's time of that timestamp is not known
 * (csg_batch.time is 0), as the counter of a guest may lag the host's by an unknown offset, it is
 * the last time that was known, and what passed since by timestamps of one counter: a longer step,
 * or one back, is a change of counters.  After a break in the trace it is the last time, or the
 * begin of the chunk where that is later.
 */
#ifndef COMMAND_TIMELINE_STREAM_NOW_H
#define COMMAND_TIMELINE_STREAM_NOW_H

#include "csguest/session.h"

struct csg_stream_now {
	uint64_t time;	/* perf time, ns; 0, before all times: nothing is known yet */
	uint64_t stamp; /* of the last timestamp, as though the counter was the host's; 0: none */
};

/* The next batch of the stream begins, with that timestamp (as above; 0: with none). */
void csg_stream_now_batch(struct csg_stream_now *now, const struct csg_batch *batch,
			  uint64_t stamp);

/* The same for that of streams, by number, whose batch it is; NULL: nobody asks. */
void csg_streams_now(struct csg_stream_now *streams, const struct csg_session *session,
		     const struct csg_batch *batch);

#endif
