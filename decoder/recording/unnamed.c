/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/unnamed.h"
#include "recording/recording.h"

#include <inttypes.h>
#include <string.h>

#include "util/report.h"
#include "recording/model/store.h"

#define FRAME 16 /* bytes, of which 15 carry data or IDs */
#define BLOCK (64u << 10)

/* What the frames of a queue name. */
struct naming {
	struct csg_window *window;
	uint8_t id;	  /* of its only source */
	bool other;	  /* another source is named */
	uint64_t unnamed; /* bytes of frames before the first ID of each piece */
};

/* Whether the frame is one of a driver's barrier (four full syncs), or of zeros, which pad
 * buffers. */
static bool is_filler(const uint8_t *frame)
{
	static const uint8_t sync[4] = {0xff, 0xff, 0xff, 0x7f}, zeros[4];
	const uint8_t *word = frame[0] ? sync : zeros;

	for (unsigned int i = 0; i < FRAME; i += sizeof(sync))
		if (memcmp(frame + i, word, sizeof(sync)))
			return false;
	return true;
}

/* Takes note of the IDs in a frame; false: there is none. */
static bool note_ids(struct naming *n, const uint8_t *frame)
{
	bool any = false;

	for (unsigned int i = 0; i < FRAME; i += 2) {
		if (!(frame[i] & 1))
			continue;
		any = true;
		n->other |= frame[i] >> 1 && frame[i] >> 1 != n->id;
	}
	return any;
}

/* Looks at the chunk's frames up to the first ID, or at all of them. */
static void look(struct naming *n, const struct csg_chunk *chunk, bool all)
{
	bool named = false;

	for (uint64_t at = 0; at < chunk->bytes && (all || !named);) {
		const uint8_t *bytes;
		size_t got = at ? BLOCK : FRAME, i;

		if (csg_window_read(n->window, chunk, at, &bytes, &got))
			return;
		for (i = 0; got - i >= FRAME && (all || !named); i += FRAME) {
			if (is_filler(bytes + i))
				continue;
			named |= note_ids(n, bytes + i);
			n->unnamed += named || all ? 0 : FRAME;
		}
		if (!i)
			return;
		at += i;
	}
}

static void look_at_queue(struct naming *n, const struct csg_recording *rec, uint32_t queue,
			  bool all)
{
	size_t count;
	const struct csg_chunk *chunks = csg_recording_queue(rec, queue, &count);

	for (size_t i = 0; i < count; i++) {
		bool goes_on = chunks[i].flags & CSG_CHUNK_CONTINUES;

		if (chunks[i].framing == CSG_FRAMES && (all || !goes_on))
			look(n, &chunks[i], all);
	}
}

static void report(const struct csg_recording *rec, const struct csg_source *source, uint64_t bytes)
{
	static const char remedy[] =
		"the beginning of its buffer is lost: record with a larger one (-m)";

	if (source->alone)
		csg_report(&rec->sink, CSG_WARNING, CSG_E_CORRUPT, rec->info.path, CSG_NO_OFFSET,
			   remedy,
			   "%" PRIu64
			   " bytes of queue %u come before any trace ID; taken as those of ID "
			   "%#x, the only source of that sink",
			   bytes, source->queue, source->trace_id);
	else
		csg_report(&rec->sink, CSG_WARNING, CSG_E_CORRUPT, rec->info.path, CSG_NO_OFFSET,
			   remedy,
			   "%" PRIu64
			   " bytes of queue %u come before any trace ID: of which source is "
			   "not known",
			   bytes, source->queue);
}

/* The n sources of a queue. */
static void find(struct naming *naming, const struct csg_recording *rec, struct csg_source *sources,
		 size_t n)
{
	naming->id = sources->trace_id;
	naming->unnamed = 0;
	naming->other = n > 1;
	sources->first = true;
	look_at_queue(naming, rec, sources->queue, false);
	if (!naming->unnamed)
		return;
	if (!naming->other)
		look_at_queue(naming, rec, sources->queue, true);
	sources->alone = !naming->other;
	report(rec, sources, naming->unnamed);
}

int csg_unnamed_find(struct csg_recording *rec)
{
	struct naming naming = {0};
	int err = csg_window_create(&naming.window, rec);

	for (size_t i = 0, n; !err && i < rec->n_sources; i += n) {
		for (n = 1; i + n < rec->n_sources; n++)
			if (rec->sources[i + n].queue != rec->sources[i].queue)
				break;
		find(&naming, rec, &rec->sources[i], n);
	}
	csg_window_destroy(naming.window);
	return err;
}
