/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/slices.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "lookup/owner_filter.h"

#define TRCCONFIGR_TS (UINT64_C(1) << 11)

struct stream {
	struct csg_slice_clock clock;
	uint64_t index;	     /* of the last element */
	uint64_t last_time;  /* perf time of the AUX record of the current chunk */
	uint64_t batch_time; /* of the batch that is added */
	uint32_t owner;	     /* of the slice that was handed on last */
	uint32_t window;     /* of what is added */
};

struct csg_slices {
	struct csg_slices_client client;
	enum csg_slices_unit unit;
	struct stream *streams;
	size_t n;
};

enum csg_slices_unit csg_slices_unit(const struct csg_stream_info *streams, size_t n, int kind)
{
	bool stamped = n > 0, is_virtual = kind == CSG_RECORDING_PERF;

	for (size_t i = 0; i < n; i++) {
		stamped &= (streams[i].source->trcconfigr & TRCCONFIGR_TS) != 0;
		is_virtual &= streams[i].source->ts_source == CSG_TS_SOURCE_VIRTUAL;
	}
	if (!stamped)
		return CSG_SLICES_BYTES;
	return is_virtual ? CSG_SLICES_NS : CSG_SLICES_TICKS;
}

/* Whether a gap is trace that was lost, not code that is missing. */
static bool is_loss(uint8_t gap)
{
	return gap != CSG_GAP_NO_CODE && gap != CSG_GAP_NO_OWNER && gap != CSG_GAP_BAD_CODE &&
	       gap != CSG_GAP_UNDEFINED;
}

static bool is_empty(const struct csg_slice *slice)
{
	return slice->owner != CSG_SLICE_LOST && !slice->instructions && !slice->missing &&
	       !slice->instrumented;
}

/* Nothing is known of a CPU before its first element. */
static int begin(struct csg_slices *s, uint32_t number, const struct csg_element *e, uint32_t owner,
		 bool unwanted)
{
	struct stream *stream = &s->streams[number];
	struct csg_slice *open = csg_slice_clock_open(&stream->clock);
	const struct csg_slice slice = {
		.index = e->index,
		.owner = owner,
		.stream = number,
		.left = CSG_LEFT_UNSEEN,
		.gap = owner == CSG_SLICE_LOST ? e->gap : CSG_GAP_NONE,
		.el = e->el,
		.unwanted = unwanted,
		.window = stream->window,
	};

	/* A context in which nothing ran: only where an exception would have gone to. */
	if (open && is_empty(open)) {
		open->owner = owner;
		open->gap = slice.gap;
		open->el = slice.el;
		open->unwanted = unwanted;
		open->window = stream->window;
		open->left = CSG_LEFT_UNSEEN;
		return 0;
	}
	return csg_slice_clock_push(&stream->clock, &slice);
}

static int on_loss(struct csg_slices *s, uint32_t number, const struct csg_element *e)
{
	struct csg_slice_clock *clock = &s->streams[number].clock;
	struct csg_slice *open = csg_slice_clock_open(clock);
	int err = 0;

	if (!open || open->owner != CSG_SLICE_LOST)
		err = begin(s, number, e, CSG_SLICE_LOST, false);
	else if (open->gap == CSG_GAP_TRACE_ON)
		open->gap = e->gap;
	if (!err)
		csg_slice_clock_slack(clock, e->gap == CSG_GAP_GUEST);
	return err;
}

#define NEAR 5000 /* ns, within which slices are dated */

/*
 * EL2 comes back without a record in between: one that is not near the begin or end shows that the
 * host ran as well, of which there is no trace.
 */
static bool is_el2s(const struct csg_slices *s, struct csg_slice slice)
{
	const uint64_t begin = slice.begin, end = slice.end;

	if (slice.el != CSG_EL2 && slice.gap != CSG_GAP_GUEST)
		return true;
	while (slice.begin < end) {
		uint64_t until = end;

		if (s->client.source.untraced(s->client.source.arg, &slice, &until) < 0)
			break;
		if (until > begin + NEAR && until + NEAR < end)
			return false;
		slice.begin = until;
	}
	return true;
}

/* What is not traced is its owners', one after the other, as records say. */
static int hand_on_untraced(struct csg_slices *s, struct csg_slice slice)
{
	const uint64_t end = slice.end;
	int err = 0;

	if (!is_el2s(s, slice)) {
		slice.el = CSG_EL_UNKNOWN;
		slice.gap = slice.gap == CSG_GAP_GUEST ? CSG_GAP_TRACE_ON : slice.gap;
	}
	while (!err && slice.begin < end) {
		int64_t owner;

		slice.end = end;
		owner = s->client.source.untraced(s->client.source.arg, &slice, &slice.end);
		if (owner < 0)
			return (int)owner;
		slice.owner = (uint32_t)owner;
		err = s->client.slice(s->client.arg, &slice);
		slice.begin = slice.end;
	}
	return err;
}

static int hand_on(struct csg_slices *s, struct stream *stream)
{
	const bool asks = s->client.source.untraced && s->unit == CSG_SLICES_NS;
	struct csg_slice slice;
	int err = 0;

	while (!err && csg_slice_clock_next(&stream->clock, &slice)) {
		slice.before = stream->owner;
		slice.after = csg_slice_clock_owner(&stream->clock);
		stream->owner = slice.owner;
		if (asks && slice.owner == CSG_SLICE_LOST && slice.begin < slice.end)
			err = hand_on_untraced(s, slice);
		else
			err = s->client.slice(s->client.arg, &slice);
	}
	return err;
}

/* How long guests had the CPU since the last timestamp, if that and this one are the host's. */
static uint64_t guests_since(const struct csg_slices *s, uint32_t number, uint64_t time, bool host)
{
	const uint64_t from = csg_slice_clock_marked(&s->streams[number].clock);

	if (!host || s->unit != CSG_SLICES_NS || !s->client.source.guests || !from || from >= time)
		return 0;
	return s->client.source.guests(s->client.source.arg, number, from, time);
}

static int on_timestamp(struct csg_slices *s, uint32_t number, const struct csg_element *e)
{
	struct stream *stream = &s->streams[number];
	uint64_t time = e->timestamp, clock = CSG_CLOCK_HOST;

	if (!time || s->unit == CSG_SLICES_BYTES)
		return 0;
	if (s->unit == CSG_SLICES_NS && !e->start)
		clock = s->client.source.clock(s->client.source.arg, e->owner);
	if (s->unit == CSG_SLICES_NS)
		time = e->start ? e->start : s->client.source.time(s->client.source.arg, time);
	csg_slice_clock_mark(&stream->clock, e->index, time, clock,
			     guests_since(s, number, time, clock == CSG_CLOCK_HOST));
	return hand_on(s, stream);
}

/* What an element adds to the open slice. */
static void fill(struct stream *stream, const struct csg_element *e)
{
	struct csg_slice *open = csg_slice_clock_open(&stream->clock);

	switch (e->kind) {
	case CSG_ELEMENT_RANGE:
	case CSG_ELEMENT_RANGES:
	case CSG_ELEMENT_RANGE_NOPATH:
		open->instructions +=
			e->kind == CSG_ELEMENT_RANGES ? e->timestamp : e->instructions;
		open->left = CSG_LEFT_UNSEEN;
		if (e->branch == CSG_BRANCH_WAIT)
			csg_slice_clock_slack(&stream->clock, false);
		break;
	case CSG_ELEMENT_GAP:
		open->missing++;
		open->left = CSG_LEFT_UNSEEN;
		break;
	case CSG_ELEMENT_INSTRUMENTATION:
		open->instrumented++;
		open->left = CSG_LEFT_UNSEEN;
		break;
	case CSG_ELEMENT_EXCEPTION:
		open->left = (int16_t)e->info;
		break;
	case CSG_ELEMENT_EXCEPTION_RET:
		open->left = CSG_LEFT_ERET;
		break;
	default:
		break;
	}
}

/* Whether the client does not want the code of an element; one without code is of what ran
 * before. */
static bool is_unwanted(const struct csg_slices *s, const struct stream *stream,
			const struct csg_element *e, const struct csg_slice *open)
{
	if (!s->client.code)
		return false;
	if (e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGES ||
	    e->kind == CSG_ELEMENT_RANGE_NOPATH || e->kind == CSG_ELEMENT_GAP)
		return !s->client.code(s->client.code_arg, e, stream->batch_time);
	return !open || open->unwanted;
}

/* An element of an owner: who it is may have changed. */
static int on_owned(struct csg_slices *s, uint32_t number, const struct csg_element *e)
{
	struct stream *stream = &s->streams[number];
	struct csg_slice *open = csg_slice_clock_open(&stream->clock);
	const bool unwanted = is_unwanted(s, stream, e, open);
	int err = 0;

	if (!open || open->owner != e->owner || open->unwanted != unwanted) {
		/* What leaves an owner does not bring one back. */
		if (e->kind == CSG_ELEMENT_EXCEPTION || e->kind == CSG_ELEMENT_EXCEPTION_RET)
			return 0;
		err = begin(s, number, e, e->owner, unwanted);
	}
	if (!err)
		fill(stream, e);
	return err;
}

static int add(struct csg_slices *s, uint32_t number, const struct csg_element *e)
{
	struct stream *stream = &s->streams[number];

	if (e->index > stream->index)
		stream->index = e->index;
	switch (e->kind) {
	case CSG_ELEMENT_GAP:
		return is_loss(e->gap) ? on_loss(s, number, e) : on_owned(s, number, e);
	case CSG_ELEMENT_RANGE:
	case CSG_ELEMENT_RANGES:
	case CSG_ELEMENT_RANGE_NOPATH:
	case CSG_ELEMENT_EXCEPTION:
	case CSG_ELEMENT_EXCEPTION_RET:
	case CSG_ELEMENT_CONTEXT:
	case CSG_ELEMENT_INSTRUMENTATION:
		return on_owned(s, number, e);
	case CSG_ELEMENT_TIMESTAMP:
		return on_timestamp(s, number, e);
	default:
		return 0;
	}
}

/* Of n elements those at the beginning that only add to the open slice: ranges of its owner.  How
 * many. */
static size_t add_ranges(struct stream *stream, const struct csg_element *e, size_t n)
{
	struct csg_slice *open = csg_slice_clock_open(&stream->clock);
	uint64_t instructions = 0;
	size_t i = 0;

	for (; open && i < n; i++) {
		if (e[i].kind != CSG_ELEMENT_RANGE || e[i].owner != open->owner ||
		    e[i].branch == CSG_BRANCH_WAIT)
			break;
		instructions += e[i].instructions;
		if (e[i].index > stream->index)
			stream->index = e[i].index;
	}
	if (i) {
		open->instructions += instructions;
		open->left = CSG_LEFT_UNSEEN;
	}
	return i;
}

/* What the batch runs may be counted in another window than what is open: that is divided here. */
static int change_window(struct csg_slices *s, const struct csg_batch *batch)
{
	struct stream *stream = &s->streams[batch->stream];
	const struct csg_slice *open = csg_slice_clock_open(&stream->clock);
	const uint32_t window = s->client.window(s->client.window_arg, batch->stream);

	if (window == stream->window)
		return 0;
	stream->window = window;
	if (!open || open->owner == CSG_SLICE_LOST)
		return 0;
	return begin(s, batch->stream, &batch->elements[0], open->owner, open->unwanted);
}

int csg_slices_add(struct csg_slices *s, const struct csg_batch *batch)
{
	struct stream *stream = &s->streams[batch->stream];
	int err = 0;

	if (batch->chunk)
		stream->last_time = batch->chunk->time;
	stream->batch_time = batch->lookup_time;
	if (s->client.window && batch->n)
		err = change_window(s, batch);
	for (size_t i = 0; !err; i++) {
		if (!s->client.code)
			i += add_ranges(stream, batch->elements + i, batch->n - i);
		if (i == batch->n)
			break;
		err = add(s, batch->stream, &batch->elements[i]);
	}
	return err ? err : hand_on(s, stream);
}

int csg_slices_end_stream(struct csg_slices *s, uint32_t number)
{
	struct stream *stream = &s->streams[number];

	csg_slice_clock_end(&stream->clock, stream->index,
			    s->unit == CSG_SLICES_NS ? stream->last_time : 0);
	return hand_on(s, stream);
}

int csg_slices_finish(struct csg_slices *s)
{
	int err = 0;

	for (uint32_t i = 0; i < s->n && !err; i++)
		err = csg_slices_end_stream(s, i);
	return err;
}

int csg_slices_create(struct csg_slices **result, size_t n, enum csg_slices_unit unit,
		      const struct csg_slices_client *client)
{
	struct csg_slices *s = calloc(1, sizeof(*s));

	*result = NULL;
	if (!s)
		return -CSG_E_NO_MEMORY;
	s->client = *client;
	s->unit = unit;
	s->n = n;
	s->streams = calloc(n ? n : 1, sizeof(*s->streams));
	if (!s->streams) {
		free(s);
		return -CSG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < n; i++)
		s->streams[i].owner = CSG_SLICE_LOST;
	for (size_t i = 0; i < n; i++)
		csg_slice_clock_init(&s->streams[i].clock, unit == CSG_SLICES_BYTES);
	*result = s;
	return 0;
}

void csg_slices_destroy(struct csg_slices *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		csg_slice_clock_fini(&s->streams[i].clock);
	free(s->streams);
	free(s);
}
