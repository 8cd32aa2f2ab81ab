/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/seek.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "session/run/job_index.h"
#include "session/run/splitter.h"
#include "session/session_state.h"

/* ns that the times of trace and of AUX records may differ by: two ticks of a counter of 1 MHz. */
#define SLACK 2000

#define STARTING_ASYNCS 2 /* to come into the state of the trace unit before a wanted chunk */

/* A stream's chunks, and what is chosen of them: CSG_CHUNK_* by their number. */
struct stream {
	const struct csg_chunk *chunks;
	const struct csg_job_index *index; /* its blocks are those that hold trace of the stream */
	uint8_t *chosen;
};

static const struct csg_chunk *chunk_of(const struct stream *s, size_t block)
{
	return &s->chunks[s->index->blocks[block].chunk];
}

static void want(const struct stream *s, size_t block)
{
	s->chosen[s->index->blocks[block].chunk] |= CSG_CHUNK_WANTED | CSG_CHUNK_NEEDED;
}

static bool is_chosen(const struct stream *s, size_t block)
{
	return s->chosen[s->index->blocks[block].chunk];
}

/* --- what is wanted --- */

static bool is_in(const struct csg_chunk *c, uint64_t begin, uint64_t end)
{
	return !c->time || !c->begin_time ||
	       (c->time + SLACK >= begin && (!end || c->begin_time <= end + SLACK));
}

/* What has no time is dated by what came before it: from the last chunk before it that has some. */
static void want_dated(const struct stream *s, size_t block)
{
	while (block--) {
		want(s, block);
		if (s->index->blocks[block].dates)
			return;
	}
}

static void choose_wanted(const struct stream *s, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < s->index->count; i++) {
		if (!is_in(chunk_of(s, i), begin, end))
			continue;
		if (!is_chosen(s, i))
			want_dated(s, i);
		want(s, i);
		if (i + 1 < s->index->count)
			want(s, i + 1);
	}
}

/* --- what is needed for it --- */

/* Whether decoding can start with this chunk, so that it is the trace unit's after `asyncs`. */
static bool can_start(const struct stream *s, size_t block, uint64_t *asyncs)
{
	const struct csg_job_block *b = &s->index->blocks[block];

	*asyncs += b->asyncs;
	return !(chunk_of(s, block)->flags & CSG_CHUNK_CONTINUES) ||
	       (b->start.possible && *asyncs >= STARTING_ASYNCS);
}

/* All chunks before a wanted one that it continues, up to one where decoding can start. */
static void choose_start(const struct stream *s, size_t wanted)
{
	uint64_t asyncs = 0;

	if (!(chunk_of(s, wanted)->flags & CSG_CHUNK_CONTINUES))
		return;
	for (size_t i = wanted; i-- && !is_chosen(s, i);) {
		s->chosen[s->index->blocks[i].chunk] |= CSG_CHUNK_NEEDED;
		if (can_start(s, i, &asyncs))
			return;
	}
}

static void choose_needed(const struct stream *s)
{
	for (size_t i = 0; i < s->index->count; i++)
		if (s->chosen[s->index->blocks[i].chunk] & CSG_CHUNK_WANTED)
			choose_start(s, i);
}

static uint64_t chosen_bytes(const struct stream *s)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->index->count; i++)
		bytes += is_chosen(s, i) ? chunk_of(s, i)->bytes : 0;
	return bytes;
}

static int choose(struct csg_session *session, size_t stream, uint64_t begin, uint64_t end)
{
	size_t n;
	struct stream s = {.index = &session->index.jobs[stream]};

	s.chunks = csg_recording_queue(session->rec, session->infos[stream].source->queue, &n);
	s.chosen = session->chosen[stream] = calloc(n + 1, 1);
	if (!s.chosen)
		return -CSG_E_NO_MEMORY;
	choose_wanted(&s, begin, end);
	choose_needed(&s);
	session->total_bytes += chosen_bytes(&s);
	csg_stream_choose(session->streams[stream], s.chosen, s.index);
	return 0;
}

int csg_session_seek(struct csg_session *session, uint64_t begin, uint64_t end)
{
	size_t samples;
	int err = 0;

	if (session->how != CSG_PULL_ANY || !session->index.jobs || session->chosen)
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
