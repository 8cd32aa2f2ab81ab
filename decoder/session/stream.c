/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/stream.h"

#include <stdlib.h>

#include "csguest/attribution.h"
#include "csguest/error.h"
#include "csguest/trace_scan.h"
#include "scan/demux.h"
#include "session/preview.h"

#define LOOK_AHEAD (1u << 20) /* bytes the scan may be ahead of the flow */
#define BLOCK (64u << 10)     /* bytes the scan reads at a time */
#define NO_TIME UINT64_MAX    /* images as they were last */

/* One pass over the bytes of a chunk. */
struct pass {
	struct csg_window *window;
	struct csg_demux demux;
	uint64_t offset; /* of the next byte in the chunk */
};

enum stage { NEXT_CHUNK, DECODE, BARRIER, FINISH, AT_END };

struct csg_stream {
	struct csg_stream_setup setup;
	const struct csg_chunk *chunks;
	size_t chunk_count, chunk; /* chunk being decoded */
	enum stage stage;

	struct pass ahead;
	struct csg_trace_scan *scan;
	struct csg_attribution_stream *owners;
	struct csg_segment held; /* open, and not given to the flow before it gets there */
	bool holds;
	bool scanned;  /* the chunk is scanned to its end */
	bool going_on; /* the next chunk goes on without a break */

	struct pass behind;
	struct csg_flow *flow;
	struct csg_run run; /* being fed */
	size_t run_done;
	uint64_t settled; /* index up to which owners are settled, and segments given to the flow */
	bool begun;	  /* the piece at hand has given bytes to the flow */
	uint64_t code_time, code_until; /* images asked at; they may differ from code_until on */
	uint64_t flow_stamp, flow_time; /* index of the last timestamp; host time there */
	bool code_by_chunk;		/* code was asked for at the chunk's time */
	uint64_t dated;			/* host time of the last TIMESTAMP element */

	size_t taken; /* elements of the flow's buffer that were handed out */
	uint64_t time;
	size_t filled_chunk, time_chunk; /* of the elements in the buffer; of time */

	struct csg_stream_figures figures;
};

/* --- time --- */

/*
 * The host's time at the timestamp at index, which never goes back; the last one where it is not
 * known: a guest's counter whose offset (CNTVOFF_EL2) has not been found yet.
 */
static uint64_t host_time(const struct csg_stream *s, uint64_t last, uint64_t index)
{
	uint64_t time = csg_attribution_time(s->owners, index);

	return time > last ? time : last;
}

/* The time for images and threads: of the trace, else of its AUX record, else the latest. */
static uint64_t image_time(const struct csg_stream *s, uint64_t time)
{
	if (time)
		return time;
	return s->chunks[s->chunk].time ? s->chunks[s->chunk].time : NO_TIME;
}

/* --- ahead: scan and world --- */

static void on_track(void *arg, const struct csg_track_event *event)
{
	struct csg_stream *s = arg;

	if (event->kind == CSG_TRACK_SYNC)
		s->figures.bytes_lost += event->value;
	csg_attribution_event(s->owners, event);
}

/*
 * Gaps that the flow does not find by itself: bytes before the first A-Sync, and bad packets,
 * which OpenCSD is not to see.
 */
static int pass_gap(struct csg_stream *s, const struct csg_segment *segment)
{
	bool bad = segment->gap == CSG_GAP_BAD_PACKET;

	if (!bad && (segment->gap != CSG_GAP_NO_SYNC || !segment->lost))
		return 0;
	return csg_flow_gap(s->flow, segment->index, segment->gap, segment->lost, bad);
}

/* Hands a settled segment to the flow. */
static int pass_segment(struct csg_stream *s, const struct csg_segment *segment)
{
	int64_t owner = csg_people_number(s->setup.people, &segment->owner);
	int err;

	if (owner < 0)
		return (int)owner;
	err = pass_gap(s, segment);
	if (err)
		return err;
	return csg_flow_segment(s->flow, segment->index, segment->at_context, (uint32_t)owner);
}

/* Completes the segment that was held back, which this ERET entered, 0 unknown, and lets it go. */
static int release(struct csg_stream *s, uint64_t eret)
{
	int err = csg_attribution_entered(s->owners, &s->held, eret);

	s->holds = false;
	return err ? err : pass_segment(s, &s->held);
}

/*
 * Hands settled segments to the flow.  One that is open is held back until the flow comes to it:
 * the ERET that leads there may settle it.
 */
static int pass_segments(struct csg_stream *s)
{
	int ret = 0;

	while (!s->holds && (ret = csg_attribution_next(s->owners, &s->held)) > 0) {
		int err;

		s->holds = s->held.open;
		if (s->holds && !s->held.at_context)
			err = release(s, 0);
		else
			err = s->holds ? 0 : pass_segment(s, &s->held);
		if (err)
			return err;
	}
	return s->holds ? 0 : ret;
}

/* The flow has come to the segment that was held back. */
static int release_held(struct csg_stream *s)
{
	int err = release(s, csg_flow_eret(s->flow));

	return err ? err : pass_segments(s);
}

/* What the AUX record tells of the chunk at hand. */
static void tell_piece(struct csg_stream *s, bool continues)
{
	const struct csg_chunk *chunk = &s->chunks[s->chunk];
	const struct csg_attribution_piece piece = {
		.size = sizeof(piece),
		.begin_time = chunk->begin_time,
		.end_time = chunk->time,
		.pid = chunk->pid,
		.tid = chunk->tid,
		.continues = continues,
	};

	csg_attribution_piece(s->owners, chunk->position, &piece);
}

/* Whether the trace goes on without a break in the next chunk. */
static bool goes_on(const struct csg_stream *s)
{
	const struct csg_chunk *next = &s->chunks[s->chunk] + 1;

	return s->chunk + 1 < s->chunk_count && (next->flags & CSG_CHUNK_CONTINUES) &&
	       csg_chunk_is_of(next, s->setup.source);
}

static void end_scan(struct csg_stream *s)
{
	if (!goes_on(s))
		csg_trace_scan_end(s->scan, s->chunks[s->chunk].position + s->ahead.offset);
	csg_attribution_settle(s->owners);
	s->scanned = true;
}

/* Scans one more block of the chunk. */
static int scan_block(struct csg_stream *s)
{
	const struct csg_chunk *chunk = &s->chunks[s->chunk];
	const uint8_t *bytes;
	size_t n = BLOCK;
	int err = csg_window_read(s->ahead.window, chunk, s->ahead.offset, &bytes, &n);

	if (err || !n) {
		/* The flow meets the same error and makes a gap of it. */
		end_scan(s);
		return pass_segments(s);
	}
	csg_trace_scan_feed(s->scan, chunk->position + s->ahead.offset, bytes, n);
	s->ahead.offset += n;
	return pass_segments(s);
}

/* The index up to which owners are settled and the flow may go; UINT64_MAX: to the chunk's end. */
static uint64_t settled_to(const struct csg_stream *s)
{
	uint64_t scanned = s->chunks[s->chunk].position + s->ahead.offset;
	uint64_t settled = csg_attribution_settled(s->owners);

	if (s->holds && s->held.index < settled)
		settled = s->held.index;
	if (s->scanned || settled < scanned)
		return settled;
	return scanned;
}

/* Looks ahead until owners are settled beyond index, or a segment there is held back. */
static int look_ahead(struct csg_stream *s, uint64_t index)
{
	uint64_t position = s->chunks[s->chunk].position;

	while (!s->scanned && !s->holds && settled_to(s) <= index) {
		int err = scan_block(s);

		if (err)
			return err;
		if (position + s->ahead.offset >= index + LOOK_AHEAD) {
			csg_attribution_settle(s->owners);
			err = pass_segments(s);
			if (err)
				return err;
		}
	}
	s->settled = settled_to(s);
	return 0;
}

/* --- behind: flow --- */

/* The flow knows by which ERET it came to el, where owner is in force. */
static void on_entry(void *arg, uint64_t eret, enum csg_el el, uint32_t owner)
{
	struct csg_stream *s = arg;

	csg_attribution_learn_entry(s->owners, eret, el,
				    csg_owner_table_get(&s->setup.people->owners, owner));
}

static int read_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		     size_t *len)
{
	struct csg_stream *s = arg;
	struct csg_space *space = csg_people_space(s->setup.people, owner);
	uint64_t until = UINT64_MAX;
	int err;

	if (s->setup.no_code || (!space && !csg_people_knows(s->setup.people, owner)))
		return -CSG_E_DECODE;
	if (!space)
		return -CSG_E_NO_IMAGE;
	err = csg_space_code(space, address, s->code_time, bytes, len, &until);
	/* Nothing was there then, but it ran: the time was a guest's. */
	if (err && s->chunks[s->chunk].time) {
		err = csg_space_code(space, address, s->chunks[s->chunk].time, bytes, len, NULL);
		s->code_by_chunk |= !err;
	}
	if (until < s->code_until)
		s->code_until = until;
	return err ? -CSG_E_NO_IMAGE : 0;
}

/* Whose code it is; images are everything but the time (follow_time()). */
static uint64_t code_space(void *arg, uint32_t owner)
{
	struct csg_stream *s = arg;

	return s->setup.no_code ? 0 : (uintptr_t)csg_people_space(s->setup.people, owner);
}

/* Code that was read may be another one in this chunk, or at this time: decoders have cached it. */
static void set_code_time(struct csg_stream *s, uint64_t time, bool other_chunk)
{
	bool other_time = time != s->code_time && (time >= s->code_until || time < s->code_time);

	s->code_time = time;
	if (!other_time && !(other_chunk && s->code_by_chunk))
		return;
	csg_flow_forget_code(s->flow);
	s->code_until = UINT64_MAX;
	s->code_by_chunk = false;
}

/* Images are as they were at this timestamp. */
static void follow_time(void *arg, uint64_t index)
{
	struct csg_stream *s = arg;

	if (index == s->flow_stamp)
		return;
	s->flow_stamp = index;
	s->flow_time = host_time(s, s->flow_time, index);
	set_code_time(s, image_time(s, s->flow_time), false);
}

static void add_gap(struct csg_stream *s, enum csg_gap gap, uint64_t index, uint64_t lost)
{
	const struct csg_element element = {
		.index = index,
		.kind = CSG_ELEMENT_GAP,
		.gap = gap,
		.el = CSG_EL_UNKNOWN,
		.info = lost > UINT32_MAX ? UINT32_MAX : (uint32_t)lost,
	};

	csg_flow_add(s->flow, &element);
}

/* What the chunk before it has left when it ended. */
static void drop_segments(struct csg_stream *s)
{
	struct csg_segment segment;

	while (csg_attribution_next(s->owners, &segment) > 0)
		;
	s->holds = false;
}

/* Both passes forget everything: who ran, and where. */
static void begin_anew(struct csg_stream *s, const struct csg_chunk *chunk)
{
	csg_demux_init(&s->behind.demux, chunk->framing, s->setup.source->trace_id);
	drop_segments(s);
	csg_trace_scan_begin(s->scan, chunk->framing);
	tell_piece(s, false);
	csg_flow_restart(s->flow, chunk->position);
	csg_flow_drop_segments(s->flow);
	s->flow_time = s->flow_stamp = s->dated = 0;
	set_code_time(s, image_time(s, 0), true);
	s->begun = false;
	if (chunk->flags & CSG_CHUNK_GAP)
		add_gap(s, CSG_GAP_BUFFER, chunk->position, 0);
}

static void begin_chunk(struct csg_stream *s)
{
	if (s->going_on)
		tell_piece(s, true);
	else
		begin_anew(s, &s->chunks[s->chunk]);
	if (s->going_on)
		set_code_time(s, s->code_time, true);
	s->going_on = false;
	s->ahead.offset = s->behind.offset = 0;
	s->settled = 0;
	s->scanned = false;
	s->run = (struct csg_run){0};
	s->run_done = 0;
	s->filled_chunk = s->chunk;
	s->stage = DECODE;
}

/*
 * Settles owners beyond index, which the flow has come to: 1, 0 when the element buffer is full, or
 * an error.
 */
static int settle_beyond(struct csg_stream *s, uint64_t index)
{
	for (;;) {
		int err = look_ahead(s, index);

		if (err)
			return err;
		if (s->settled > index || !s->holds)
			return 1;
		if (!csg_flow_drain(s->flow, index))
			return 0;
		err = release_held(s);
		if (err)
			return err;
	}
}

/* Feeds the run at hand: 1, 0 when the element buffer is full, or an error. */
static int feed_run(struct csg_stream *s)
{
	while (s->run_done < s->run.n) {
		uint64_t at = s->run.index + s->run_done;
		size_t n = s->run.n - s->run_done, done;
		int ret = at < s->settled ? 1 : settle_beyond(s, at);

		if (ret <= 0)
			return ret;
		n = n < s->settled - at ? n : s->settled - at;
		done = csg_flow_feed(s->flow, at, s->run.bytes + s->run_done, n);
		s->run_done += done;
		s->begun = true;
		if (done < n)
			return 0;
	}
	return 1;
}

/* Gives the demultiplexer the next bytes. */
static int next_input(struct csg_stream *s)
{
	const struct csg_chunk *chunk = &s->chunks[s->chunk];
	const uint8_t *bytes;
	uint64_t left = chunk->size > s->behind.offset ? chunk->size - s->behind.offset : 0;
	size_t n = left < BLOCK ? left : BLOCK;
	int err = n ? csg_window_read(s->behind.window, chunk, s->behind.offset, &bytes, &n) : 0;
	if (err)
		add_gap(s, CSG_GAP_UNREADABLE, chunk->position + s->behind.offset,
			chunk->size - s->behind.offset);
	if (err || !n) {
		s->stage = FINISH;
		return 0;
	}
	csg_demux_input(&s->behind.demux, chunk->position + s->behind.offset, bytes, n);
	s->behind.offset += n;
	s->figures.trace_bytes += n;
	return 0;
}

/* Decodes until the element buffer is full or the stage changes. */
static int decode(struct csg_stream *s)
{
	for (;;) {
		int err = feed_run(s);

		if (err <= 0)
			return err;
		s->run.n = s->run_done = 0;
		if (csg_demux_next(&s->behind.demux, &s->run)) {
			if (!s->run.reset)
				continue;
			s->stage = BARRIER;
			return 0;
		}
		err = next_input(s);
		if (err || s->stage != DECODE)
			return err;
	}
}

/* A driver's barrier inside a chunk: trace was lost there. */
static void pass_barrier(struct csg_stream *s)
{
	/* At the beginning of a buffer it only marks where this begins. */
	if (s->begun) {
		if (!csg_flow_end(s->flow, s->run.index))
			return;
		csg_flow_restart(s->flow, s->run.index);
		add_gap(s, CSG_GAP_BUFFER, s->run.index, 0);
		s->begun = false;
	}
	s->run.n = s->run_done = 0;
	s->run.reset = false;
	s->stage = DECODE;
}

static void finish_chunk(struct csg_stream *s)
{
	const struct csg_chunk *chunk = &s->chunks[s->chunk];
	uint64_t end = chunk->position + chunk->size;

	s->going_on = goes_on(s);
	if (!s->going_on && !csg_flow_end(s->flow, end))
		return;
	if (chunk->flags & CSG_CHUNK_TRUNCATED)
		add_gap(s, CSG_GAP_TRUNCATED, end, 0);
	if (chunk->flags & CSG_CHUNK_COLLISION)
		add_gap(s, CSG_GAP_COLLISION, end, 0);
	if (chunk->flags & CSG_CHUNK_PARTIAL)
		add_gap(s, CSG_GAP_PARTIAL, end, 0);
	s->chunk++;
	s->stage = NEXT_CHUNK;
}

static uint64_t next_async(void *arg, uint64_t index)
{
	struct csg_stream *s = arg;

	return csg_trace_scan_async(s->scan, index);
}

static int open_passes(struct csg_stream *s)
{
	const struct csg_flow_code code = {
		.arg = s,
		.read = read_code,
		.entered = on_entry,
		.async = next_async,
		.space = code_space,
		.time = follow_time,
	};
	const struct csg_trace_unit unit = csg_source_unit(s->setup.source);
	int err = csg_window_create(&s->ahead.window, s->setup.rec);

	if (!err)
		err = csg_window_create(&s->behind.window, s->setup.rec);
	if (!err)
		err = csg_trace_scan_create(&s->scan, &unit, on_track, s);
	if (!err)
		err = csg_flow_create(&s->flow, s->setup.engine, s->setup.source, &code,
				      s->setup.sink);
	return err;
}

/*
 * What guests' exits show of this CPU also tells of what ran before the first of them: a short
 * look at the beginning of the chunk, of which only what was learned is kept.
 */
/* Whether the chunk holds a byte of the stream's trace ID. */
static int holds_bytes(const struct csg_stream *s, const struct csg_chunk *chunk, bool *holds)
{
	struct csg_window *window;
	struct csg_demux demux;
	struct csg_run run;
	const uint8_t *bytes;
	uint64_t offset = 0;
	size_t n = BLOCK;
	int err = csg_window_create(&window, s->setup.rec);

	*holds = false;
	if (err)
		return err;
	csg_demux_init(&demux, chunk->framing, s->setup.source->trace_id);
	while (!*holds && !csg_window_read(window, chunk, offset, &bytes, &n) && n) {
		csg_demux_input(&demux, chunk->position + offset, bytes, n);
		while (!*holds && csg_demux_next(&demux, &run))
			*holds = run.n != 0;
		offset += n;
		n = BLOCK;
	}
	csg_window_destroy(window);
	return 0;
}

/*
 * A queue may have a source for every CPU though few of them ever send to it: decoders, which
 * are large, are made when the first byte of their ID is found.  Chunks before that are skipped.
 */
static int open_when_needed(struct csg_stream *s, const struct csg_chunk *chunk, bool *opened)
{
	int err = 0;

	*opened = s->flow != NULL;
	if (*opened)
		return 0;
	err = holds_bytes(s, chunk, opened);
	if (!err && *opened)
		err = open_passes(s);
	if (!err && *opened &&
	    csg_attribution_hypervisor(s->setup.people->attribution) == CSG_HV_KVM_VHE)
		err = csg_preview_exits(s->setup.people->attribution, s->owners, s->setup.rec,
					s->setup.source, chunk);
	return err;
}

static int find_chunk(struct csg_stream *s)
{
	for (; s->chunk < s->chunk_count; s->chunk++) {
		bool opened;
		int err;

		if (!csg_chunk_is_of(&s->chunks[s->chunk], s->setup.source))
			continue;
		err = open_when_needed(s, &s->chunks[s->chunk], &opened);
		/* One source that cannot be decoded, as was reported, does not stop the others. */
		if (err == -CSG_E_UNSUPPORTED)
			break;
		if (err)
			return err;
		if (opened) {
			begin_chunk(s);
			return 0;
		}
	}
	s->chunk = s->chunk_count;
	s->stage = AT_END;
	return 0;
}

static int step(struct csg_stream *s)
{
	switch (s->stage) {
	case NEXT_CHUNK:
		return find_chunk(s);
	case DECODE:
		return decode(s);
	case BARRIER:
		pass_barrier(s);
		return 0;
	case FINISH:
		finish_chunk(s);
		return 0;
	case AT_END:
		return 0;
	}
	return -CSG_E_INTERNAL;
}

/* A TIMESTAMP element gets its host time, or 0. */
static uint64_t date(void *arg, uint64_t index)
{
	struct csg_stream *s = arg;
	uint64_t time = csg_attribution_time(s->owners, index);

	if (!time)
		return 0;
	s->dated = time > s->dated ? time : s->dated;
	return s->dated;
}

/* All elements were taken: nobody asks for the times of earlier timestamps any more. */
static void forget_times(struct csg_stream *s)
{
	const struct csg_element *elements;
	size_t n;

	elements = csg_flow_elements(s->flow, &n);
	if (n)
		csg_attribution_forget(s->owners, elements[n - 1].index);
	csg_flow_take(s->flow);
}

int csg_stream_fill(struct csg_stream *s)
{
	if (s->flow)
		forget_times(s);
	s->taken = 0;
	while (s->stage != AT_END) {
		int err = step(s);
		size_t n;

		if (err)
			return err;
		if (!s->flow)
			continue;
		csg_flow_elements(s->flow, &n);
		/* Full, or the chunk is done: elements of two chunks never mix. */
		if (n && (s->stage == NEXT_CHUNK || s->stage == AT_END || csg_flow_full(s->flow))) {
			csg_flow_date(s->flow, date, s);
			return 1;
		}
	}
	return 0;
}

bool csg_stream_peek(struct csg_stream *s, struct csg_span *span)
{
	const struct csg_element *elements;
	size_t n, end;

	if (!s->flow)
		return false;
	elements = csg_flow_elements(s->flow, &n);
	if (s->taken >= n)
		return false;
	if (s->time_chunk != s->filled_chunk) {
		s->time_chunk = s->filled_chunk;
		s->time = 0;
	}
	if (elements[s->taken].kind == CSG_ELEMENT_TIMESTAMP)
		s->time = elements[s->taken].start ? elements[s->taken].start : s->time;
	end = csg_flow_timed(s->flow) ? s->taken + 1 : n;
	while (end < n && elements[end].kind != CSG_ELEMENT_TIMESTAMP)
		end++;
	*span = (struct csg_span){
		.elements = elements + s->taken,
		.n = end - s->taken,
		.time = s->time,
		.chunk = &s->chunks[s->filled_chunk],
		.codes = s->flow,
	};
	return true;
}

void csg_stream_take(struct csg_stream *s)
{
	struct csg_span span;

	if (csg_stream_peek(s, &span))
		s->taken += span.n;
}

void csg_stream_figures(const struct csg_stream *s, struct csg_stream_figures *figures)
{
	*figures = s->figures;
	figures->el2_ran = csg_attribution_ran_at(s->owners, CSG_EL2);
	figures->bytes_lost += s->flow ? csg_flow_skipped(s->flow) : 0;
	figures->declined = s->flow && csg_flow_engine(s->flow) != s->setup.engine;
	figures->nobody_accesses = s->flow ? csg_flow_nobody_accesses(s->flow) : 0;
}

int csg_stream_create(struct csg_stream **result, const struct csg_stream_setup *setup)
{
	const struct csg_trace_unit unit = csg_source_unit(setup->source);
	struct csg_stream *s = calloc(1, sizeof(*s));
	int err;

	*result = NULL;
	if (!s)
		return -CSG_E_NO_MEMORY;
	s->setup = *setup;
	s->chunks = csg_recording_chunks(setup->rec, &s->chunk_count);
	s->time_chunk = SIZE_MAX;
	err = csg_attribution_stream_create(&s->owners, setup->people->attribution, &unit);
	if (err) {
		free(s);
		return err;
	}
	if (!setup->no_code)
		csg_attribution_awaits_entries(s->owners);
	*result = s;
	return 0;
}

void csg_stream_destroy(struct csg_stream *s)
{
	if (!s)
		return;
	csg_flow_destroy(s->flow);
	csg_trace_scan_destroy(s->scan);
	csg_attribution_stream_destroy(s->owners);
	csg_window_destroy(s->behind.window);
	csg_window_destroy(s->ahead.window);
	free(s);
}
