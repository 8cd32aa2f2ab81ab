/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/element.h"
#include "csguest/error.h"
#include "guest/attribution_stream.h"
#include "scan/trace_scan.h"

#define LOOK_AHEAD (1u << 20) /* bytes the scan may be ahead of the flow */
#define BLOCK (64u << 10)     /* bytes the scan reads at a time */

/* --- lists of what was found --- */

#define ADD(list, item)                                                                            \
	(csg_array_grow((void **)&(list)->at, (list)->n, &(list)->capacity, sizeof(*(list)->at))   \
		 ? -CSG_E_NO_MEMORY                                                                \
		 : ((list)->at[(list)->n++] = *(item), 0))

/* The first count of them are gone. */
#define DROP(list, count)                                                                          \
	do {                                                                                       \
		(list)->n -= (count);                                                              \
		if ((list)->n)                                                                     \
			memmove((list)->at, (list)->at + (count),                                  \
				(list)->n * sizeof(*(list)->at));                                  \
	} while (0)

/* --- scan and world --- */

static void on_track(void *arg, const struct csg_track_event *event)
{
	struct csg_ahead *a = arg;

	if (event->kind == CSG_TRACK_SYNC) {
		a->bytes_lost += event->value;
		a->unsynced = event->gap == CSG_GAP_NO_SYNC ? event->value : 0;
	}
	if (event->kind == CSG_TRACK_TIMESTAMP)
		a->failed |= ADD(&a->stamps, &event->index) != 0;
	csg_attribution_event(a->owners, event);
}

/*
 * Gaps that the flow does not find by itself: bytes before the first A-Sync, and bad packets,
 * which OpenCSD is not to see.
 */
static int pass_gap(struct csg_ahead *a, const struct csg_segment *segment)
{
	bool bad = segment->gap == CSG_GAP_BAD_PACKET;
	const struct csg_job_segment gap = {
		.index = segment->index, .lost = segment->lost, .gap = segment->gap, .reset = bad};

	if (!bad && (segment->gap != CSG_GAP_NO_SYNC || !segment->lost))
		return 0;
	return ADD(&a->segments, &gap);
}

/* A settled segment is for the flow. */
static int pass_segment(struct csg_ahead *a, const struct csg_segment *segment)
{
	int64_t owner = csg_registry_number(a->registry, &segment->owner);
	const struct csg_job_segment passed = {.index = segment->index,
					       .at_context = segment->at_context,
					       .at_time = segment->at_time,
					       .guest_ran = segment->guest_ran,
					       .owner = (uint32_t)owner};
	int err;

	if (owner < 0)
		return (int)owner;
	err = pass_gap(a, segment);
	return err ? err : ADD(&a->segments, &passed);
}

/* Completes the segment that was held back, which this ERET entered, 0 unknown, and lets it go. */
static int release(struct csg_ahead *a, uint64_t eret)
{
	int err = csg_attribution_entered(a->owners, &a->held, eret);

	a->holds = false;
	return err ? err : pass_segment(a, &a->held);
}

/*
 * Takes settled segments.  One that is open is held back until the flow comes to it: the ERET that
 * leads there may settle it.
 */
static int pass_segments(struct csg_ahead *a)
{
	int ret = 0;

	while (!a->holds && (ret = csg_attribution_next(a->owners, &a->held)) > 0) {
		int err;

		a->holds = a->held.open;
		if (a->holds && !a->held.at_context)
			err = release(a, 0);
		else
			err = a->holds ? 0 : pass_segment(a, &a->held);
		if (err)
			return err;
	}
	return a->holds ? 0 : ret;
}

/* What the AUX record tells of the current chunk. */
static void tell_piece(struct csg_ahead *a, bool continues)
{
	struct csg_attribution_piece piece = csg_chunk_piece(a->chunk, a->survey);

	piece.continues = continues;
	csg_attribution_piece(a->owners, a->chunk->position, &piece);
}

static void end_scan(struct csg_ahead *a)
{
	a->unsynced = 0;
	if (!a->goes_on)
		csg_trace_scan_end(a->scan, a->chunk->position + a->offset);
	csg_attribution_settle(a->owners);
	a->scanned = true;
}

/* Scans one more block of the chunk. */
static int scan_block(struct csg_ahead *a)
{
	const uint8_t *bytes;
	size_t n = BLOCK;
	int err = csg_window_read(a->window, a->chunk, a->offset, &bytes, &n);

	if (err || !n) {
		/* Whoever reads the bytes to decode them meets the same error and makes a gap of
		 * it. */
		end_scan(a);
		return pass_segments(a);
	}
	csg_trace_scan_feed(a->scan, a->chunk->position + a->offset, bytes, n);
	a->offset += n;
	return a->failed ? -CSG_E_NO_MEMORY : pass_segments(a);
}

/* The index up to which owners are settled and the flow may go; UINT64_MAX: to the chunk's end. */
static uint64_t settled_to(const struct csg_ahead *a)
{
	uint64_t scanned = a->chunk->position + a->offset;
	uint64_t settled = csg_attribution_settled(a->owners);

	if (a->holds && a->held.index < settled)
		settled = a->held.index;
	if (a->scanned || settled < scanned)
		return settled;
	return scanned;
}

/* --- what is known where owners are settled --- */

/* Between which of the host's times a timestamp was sent; the first of the two never goes back. */
static int date_stamp(struct csg_ahead *a, uint64_t index)
{
	struct csg_job_time dated = {.index = index};

	csg_attribution_time_bounds(a->owners, index, &dated.time, &dated.latest);
	if (dated.time < a->time)
		dated.time = a->time;
	if (dated.latest && dated.latest < dated.time)
		dated.latest = dated.time;
	a->time = dated.time;
	return ADD(&a->times, &dated);
}

static int date_stamps(struct csg_ahead *a)
{
	size_t n = 0;
	int err = 0;

	while (!err && n < a->stamps.n && a->stamps.at[n] < a->settled)
		err = date_stamp(a, a->stamps.at[n++]);
	DROP(&a->stamps, n);
	return err;
}

static int note_asyncs(struct csg_ahead *a, uint64_t from)
{
	uint64_t async;
	int err = 0;

	while (!err && (async = csg_trace_scan_async(a->scan, from)) < a->settled) {
		err = ADD(&a->asyncs, &async);
		from = async + 1;
	}
	return err;
}

int csg_ahead_look(struct csg_ahead *a, uint64_t index)
{
	uint64_t before = a->settled;
	int err = 0;

	while (!err && !a->scanned && !a->holds && settled_to(a) <= index) {
		err = scan_block(a);
		if (!err && a->chunk->position + a->offset >= index + LOOK_AHEAD) {
			csg_attribution_settle(a->owners);
			err = pass_segments(a);
		}
	}
	a->settled = settled_to(a);
	if (!err)
		err = date_stamps(a);
	return err ? err : note_asyncs(a, before);
}

int csg_ahead_release(struct csg_ahead *a, uint64_t eret)
{
	int err = release(a, eret);

	if (!err)
		err = pass_segments(a);
	return err;
}

void csg_ahead_learn(struct csg_ahead *a, const struct csg_job *job)
{
	for (size_t i = 0; i < job->entries.n; i++) {
		const struct csg_job_entry *entry = &job->entries.at[i];

		const struct csg_entries entries = {
			.eret = entry->eret,
			.index = entry->index,
			.time = entry->time,
			.n = entry->n,
			.el = entry->el,
		};

		csg_attribution_learn_entries(
			a->owners, &entries,
			csg_owner_table_get(&a->registry->owners, entry->owner));
	}
}

int csg_ahead_give(struct csg_ahead *a, uint64_t index, struct csg_job *job)
{
	size_t segments = 0, asyncs = 0, times = 0;
	int err = 0;

	while (!err && segments < a->segments.n && a->segments.at[segments].index < index)
		err = csg_job_add_segment(job, &a->segments.at[segments++]);
	while (!err && asyncs < a->asyncs.n && a->asyncs.at[asyncs] < index)
		err = csg_job_add_async(job, a->asyncs.at[asyncs++]);
	while (!err && times < a->times.n && a->times.at[times].index < index)
		err = csg_job_add_time(job, &a->times.at[times++]);
	/* What follows the job's last timestamp ran before the next one. */
	if (!err && times < a->times.n)
		err = csg_job_add_time(job, &a->times.at[times]);
	DROP(&a->segments, segments);
	DROP(&a->asyncs, asyncs);
	DROP(&a->times, a->shared);
	a->shared = times - a->shared;
	return err;
}

/* --- life --- */

/* What the chunk before it has left when it ended. */
static void drop_segments(struct csg_ahead *a)
{
	struct csg_segment segment;

	while (csg_attribution_next(a->owners, &segment) > 0)
		;
	a->holds = false;
	a->segments.n = a->stamps.n = a->times.n = a->asyncs.n = a->shared = 0;
}

void csg_ahead_begin(struct csg_ahead *a, const struct csg_chunk *chunk, bool continues,
		     bool goes_on)
{
	a->chunk = chunk;
	if (!continues) {
		drop_segments(a);
		csg_trace_scan_begin(a->scan, chunk->framing);
		a->time = 0;
	}
	tell_piece(a, continues);
	a->offset = 0;
	a->settled = 0;
	a->scanned = false;
	a->goes_on = goes_on;
}

int csg_ahead_init(struct csg_ahead *a, struct csg_recording *rec, const struct csg_source *source,
		   struct csg_registry *registry, struct csg_attribution_stream *owners)
{
	const struct csg_trace_unit unit = csg_source_unit(source);
	int err;

	*a = (struct csg_ahead){.registry = registry, .owners = owners};
	err = csg_window_create(&a->window, rec);
	if (!err)
		err = csg_trace_scan_create(&a->scan, &unit, on_track, a);
	if (!err && source->alone)
		csg_trace_scan_take_unnamed(a->scan);
	return err;
}

void csg_ahead_end(struct csg_ahead *a)
{
	csg_trace_scan_destroy(a->scan);
	csg_window_destroy(a->window);
	a->scan = NULL;
	a->window = NULL;
}

void csg_ahead_fini(struct csg_ahead *a)
{
	csg_ahead_end(a);
	free(a->stamps.at);
	free(a->segments.at);
	free(a->times.at);
	free(a->asyncs.at);
	*a = (struct csg_ahead){0};
}
