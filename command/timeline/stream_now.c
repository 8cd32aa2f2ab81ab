/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/stream_now.h"

#define STEP_MAX 1000000u /* ns between two timestamps of one counter */

static void go_on(struct csg_stream_now *now, uint64_t stamp, const struct csg_chunk *chunk)
{
	if (stamp && now->stamp && stamp > now->stamp && stamp - now->stamp < STEP_MAX)
		now->time += stamp - now->stamp;
	if (chunk && chunk->time && now->time > chunk->time)
		now->time = chunk->time;
	if (chunk && chunk->begin_time > now->time)
		now->time = chunk->begin_time;
}

/* A timestamp begins a batch, if it has one. */
static uint64_t stamp_of(const struct csg_session *session, const struct csg_batch *batch)
{
	if (!batch->n || batch->elements[0].kind != CSG_ELEMENT_TIMESTAMP ||
	    !batch->elements[0].timestamp)
		return 0;
	return csg_session_time(session, batch->elements[0].timestamp);
}

void csg_streams_now(struct csg_stream_now *streams, const struct csg_session *session,
		     const struct csg_batch *batch)
{
	if (streams)
		csg_stream_now_batch(&streams[batch->stream], batch, stamp_of(session, batch));
}

void csg_stream_now_batch(struct csg_stream_now *now, const struct csg_batch *batch, uint64_t stamp)
{
	if (batch->time)
		now->time = batch->time;
	else
		go_on(now, stamp, batch->chunk);
	if (stamp)
		now->stamp = stamp;
}
