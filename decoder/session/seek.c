/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/seek.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "session/run/splitter.h"
#include "session/run/job_index.h"
#include "session/session_state.h"

/* ns that the times of trace and of AUX records may differ by: two ticks of a counter of 1 MHz. */
#define SLACK 2000

#define STARTING_ASYNCS 2 /* to come into the state of the trace unit before a wanted chunk */

/* A stream's queue, and what is chosen of it. */
struct queue {
	const struct csg_source *source;
	const struct csg_chunk *chunks;
	size_t n;
	uint8_t *chosen;
	const struct csg_job_index *index;
};

/* --- what is wanted --- */

static bool is_in(const struct queue *q, size_t i, uint64_t begin, uint64_t end)
{
	const struct csg_chunk *c = &q->chunks[i];

	if (!csg_chunk_is_of(c, q->source))
		return false;
	return !c->time || !c->begin_time ||
	       (c->time + SLACK >= begin && (!end || c->begin_time <= end + SLACK));
}

static void choose_wanted(struct queue *q, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < q->n; i++) {
		if (!is_in(q, i, begin, end))
			continue;
		q->chosen[i] |= CSG_CHUNK_WANTED;
		if (i)
			q->chosen[i - 1] |= CSG_CHUNK_WANTED;
		if (i + 1 < q->n)
			q->chosen[i + 1] |= CSG_CHUNK_WANTED;
	}
}

/* --- what is needed for it --- */

/* Whether decoding can start with this chunk, so that it is the trace unit's after `asyncs`. */
static bool can_start(const struct queue *q, size_t i, uint64_t *asyncs)
{
	const struct csg_job_block *block = csg_job_index_block(q->index, i);

	if (!(q->chunks[i].flags & CSG_CHUNK_CONTINUES) || !i)
		return true;
	*asyncs += block ? block->asyncs : 0;
	return block && block->start.possible && *asyncs >= STARTING_ASYNCS;
}

/* All that lie before a wanted chunk up to one where decoding can start. */
static void choose_start(struct queue *q, size_t wanted)
{
	uint64_t asyncs = 0;

	if (!(q->chunks[wanted].flags & CSG_CHUNK_CONTINUES))
		return;
	for (size_t i = wanted; i-- && !(q->chosen[i] & CSG_CHUNK_NEEDED);) {
		q->chosen[i] |= CSG_CHUNK_NEEDED;
		if (can_start(q, i, &asyncs))
			break;
	}
}

static void choose_needed(struct queue *q)
{
	for (size_t i = 0; i < q->n; i++) {
		if (q->index && !(q->chosen[i] & CSG_CHUNK_WANTED))
			continue;
		q->chosen[i] |= CSG_CHUNK_NEEDED;
		if (q->index)
			choose_start(q, i);
	}
}

static uint64_t needed_bytes(const struct queue *q)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < q->n; i++)
		if (q->chosen[i] & CSG_CHUNK_NEEDED && csg_chunk_is_of(&q->chunks[i], q->source))
			bytes += q->chunks[i].bytes;
	return bytes;
}

static int choose(struct csg_session *session, size_t stream, uint64_t begin, uint64_t end)
{
	struct queue q = {
		.source = session->infos[stream].source,
		.index = session->index.jobs ? &session->index.jobs[stream] : NULL,
	};

	q.chunks = csg_recording_queue(session->rec, q.source->queue, &q.n);
	q.chosen = session->chosen[stream] = calloc(q.n + 1, 1);
	if (!q.chosen)
		return -CSG_E_NO_MEMORY;
	choose_wanted(&q, begin, end);
	choose_needed(&q);
	session->total_bytes += needed_bytes(&q);
	csg_stream_choose(session->streams[stream], q.chosen, q.index);
	return 0;
}

int csg_session_seek(struct csg_session *session, uint64_t begin, uint64_t end)
{
	size_t samples;
	int err = 0;

	if (session->how != CSG_PULL_ANY || session->sharded || session->chosen)
		return -CSG_E_USAGE;
	csg_recording_samples(session->rec, &samples);
	if (samples)
		return -CSG_E_UNSUPPORTED;
	session->chosen = calloc(session->stream_count + 1, sizeof(*session->chosen));
	if (!session->chosen)
		return -CSG_E_NO_MEMORY;
	session->total_bytes = 0;
	for (size_t i = 0; !err && i < session->stream_count; i++)
		err = choose(session, i, begin, end);
	return err;
}

void csg_session_seek_fini(struct csg_session *session)
{
	for (size_t i = 0; session->chosen && i < session->stream_count; i++)
		free(session->chosen[i]);
	free(session->chosen);
}
