/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csguest/contradiction.h"
#include "csguest/trace_bytes.h"
#include "score/stream_offset.h"
#include "locality/locality.h"
#include "lookup/arrays.h"
#include "recording/recording.h"
#include "scan/reader.h"
#include "score/align.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void begin_run(struct stream *s, const struct csg_truth_piece *piece)
{
	if (s->n && s->run == piece->run)
		return;
	if (!s->n)
		s->begun = piece->time;
	s->run = piece->run;
	s->executed = 0;
}

static int pair(void *arg, const struct csg_truth_piece *piece, uint64_t n, uint64_t address,
		const struct csg_element *e, uint64_t time)
{
	struct run *r = arg;
	struct stream *s = &r->streams[r->n - 1];

	if (s->n && s->entries[s->n - 1].index > e->index)
		locality_stop("elements are out of order");
	begin_run(s, piece);
	s->entries = locality_grow(s->entries, s->n, sizeof(*s->entries));
	s->entries[s->n++] = (struct entry){.index = e->index,
					    .address = address,
					    .n = n,
					    .from = later(piece->time + s->executed, time),
					    .stamp = time,
					    .after_gap = s->gap,
					    .begins = !s->executed,
					    .truth = piece->owner,
					    .seen = e->owner};
	s->executed += n;
	s->gap = false;
	return 0;
}

static int claim(void *arg, const struct csg_truth_piece *piece, const struct csg_element *e)
{
	(void)arg, (void)piece, (void)e;
	return 0;
}

static int lost(void *arg, const struct csg_truth_piece *piece, uint64_t n, enum csg_gap why)
{
	struct run *r = arg;
	struct stream *s = &r->streams[r->n - 1];

	(void)why;
	begin_run(s, piece);
	s->executed += n;
	s->gap = true;
	return 0;
}

static int mismatch(void *arg, enum csg_mismatch what, const struct csg_truth_piece *piece,
		    uint64_t wanted, uint64_t n, uint64_t address, const struct csg_element *e)
{
	(void)arg, (void)what, (void)piece, (void)wanted, (void)n, (void)address, (void)e;
	locality_stop("the intact recording is not that of the truth");
	return 0;
}

static const struct csg_truth_stream *find_truth(const struct run *r,
						 const struct csg_source *source)
{
	size_t n;
	const struct csg_truth_stream *streams = csg_truth_streams(r->truth, &n);

	for (size_t i = 0; i < n; i++)
		if (streams[i].cpu == source->cpu &&
		    (streams[i].id < 0 || streams[i].id == source->trace_id))
			return &streams[i];
	return NULL;
}

/* When the last trace of the queue was recorded. */
static uint64_t end_time(const struct run *r, uint32_t queue)
{
	size_t n;
	const struct csg_chunk *chunks =
		csg_recording_queue(csg_session_recording(r->d->session), queue, &n);

	return n && chunks[n - 1].time ? chunks[n - 1].time : UINT64_MAX;
}

/* What follows in its run takes 1 ns an instruction, too. */
static void bound_times(struct stream *s, uint64_t end)
{
	for (size_t i = s->n; i-- > 0;) {
		struct entry *entry = &s->entries[i];
		const struct entry *next = entry + 1;

		if (i + 1 == s->n)
			entry->until = end;
		else if (next->begins || (entry->stamp && next->stamp > entry->stamp))
			entry->until = next->from;
		else
			entry->until = next->until - entry->n;
		entry->until = later(entry->from, entry->until);
	}
}

/* The elements of one stream of the intact recording. */
static void read_stream(struct run *r, const struct csg_stream_info *info)
{
	const struct csg_align_client client = {r, pair, claim, lost, mismatch, NULL};
	const struct csg_truth_stream *truth = find_truth(r, info->source);
	struct csg_stream_offset offset;
	struct csg_align align;
	struct csg_batch batch;

	if (!truth || csg_align_begin(&align, r->truth, truth, &client) ||
	    csg_stream_offset_init(&offset, csg_session_recording(r->d->session), info->source))
		locality_stop("a stream cannot be compared");
	r->streams[r->n++] = (struct stream){.cpu = info->source->cpu,
					     .queue = info->source->queue,
					     .id = info->source->trace_id};
	while (csg_decode_next_of(r->d, info->stream, &batch) > 0)
		for (size_t i = 0; i < batch.n; i++) {
			struct csg_align_when when = {.time = batch.time};

			csg_stream_offset_at(&offset, batch.chunk, batch.elements[i].index,
					     &when.sent);
			if (csg_align_add(&align, &batch.elements[i], when))
				locality_stop("the intact recording cannot be compared");
		}
	if (csg_align_end(&align))
		locality_stop("the intact recording cannot be compared");
	csg_align_fini(&align);
	csg_stream_offset_fini(&offset);
	bound_times(&r->streams[r->n - 1], end_time(r, info->source->queue));
}

static void take_packet(void *arg, const struct csg_packet *packet)
{
	struct stream *s = arg;

	s->packets = locality_grow(s->packets, s->packet_n, sizeof(*s->packets));
	s->packets[s->packet_n++] = *packet;
}

void locality_read_packets(struct csg_recording *rec, const struct csg_source *source,
			   struct stream *s)
{
	struct csg_trace_bytes *bytes;
	struct csg_reader reader;
	struct csg_trace_run run = {0};
	const struct csg_chunk *chunk = NULL;

	csg_reader_init(&reader, source, take_packet, s);
	csg_reader_tell_atoms(&reader, true);
	if (csg_trace_bytes_open(&bytes, rec, source))
		locality_stop("no trace bytes");
	while (csg_trace_bytes_next(bytes, &run, sizeof(run)) > 0) {
		if (run.reset || run.chunk != chunk)
			csg_reader_restart(&reader);
		chunk = run.chunk;
		if (!run.reset)
			csg_reader_feed(&reader, CSG_RUN(run.index, run.bytes, run.count));
	}
	csg_trace_bytes_close(bytes);
}

void locality_read_intact(struct run *r)
{
	size_t n;
	const struct csg_stream_info *streams;

	r->d = locality_decode(r, NULL);
	if (!r->truth_path || !r->damaged || !r->tools ||
	    csg_truth_open(&r->truth, r->truth_path, NULL))
		locality_stop("no truth, copy or tools");
	streams = csg_array_streams(r->d->session, &n);
	for (size_t i = 0; i < n; i++) {
		if (!find_truth(r, streams[i].source) || r->n == STREAMS)
			continue;
		read_stream(r, &streams[i]);
		locality_read_packets(csg_session_recording(r->d->session), streams[i].source,
				      &r->streams[r->n - 1]);
	}
	if (csg_contradiction_total(r->d->session))
		locality_stop("the intact recording has contradictions");
	r->owner_n = csg_session_owner_count(r->d->session);
	r->owners = calloc(r->owner_n, sizeof(*r->owners));
	for (size_t i = 0; i < r->owner_n; i++)
		r->owners[i] = *csg_session_owner(r->d->session, (uint32_t)i);
	locality_finish(r->d);
}
