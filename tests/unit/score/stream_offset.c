/* SPDX-License-Identifier: BSD-3-Clause */
/* The bundled fixture: frames, two AUX buffers in one queue, and a queue of another trace unit. */
#include "score/stream_offset.h"

#include <string.h>

#include "recording/recording.h"
#include "scan/demux.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"

static struct csg_recording *rec;

static void open_fixture(void)
{
	const struct csg_recording_setup options = {0};

	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&rec, FIXTURE, &options, NULL), 0);
}

/* Asks for every byte of the trace ID as the demultiplexer finds them; returns how many. */
static uint64_t ask_all(const struct csg_source *source, unsigned int *chunks_seen)
{
	struct csg_stream_offset offset;
	struct csg_window *window;
	size_t n;
	const struct csg_chunk *chunks = csg_recording_chunks(rec, &n);
	uint64_t count = 0, sent, wrong = 0;

	CU_ASSERT_EQUAL_FATAL(csg_stream_offset_init(&offset, rec, source), 0);
	CU_ASSERT_EQUAL_FATAL(csg_window_create(&window, rec), 0);
	for (size_t i = 0; i < n; i++) {
		size_t len = chunks[i].bytes;
		struct csg_demux demux;
		struct csg_run run;
		const uint8_t *bytes;

		if (!csg_chunk_is_of(&chunks[i], source))
			continue;
		(*chunks_seen)++;
		CU_ASSERT_EQUAL_FATAL(csg_window_read(window, &chunks[i], 0, &bytes, &len), 0);
		CU_ASSERT_EQUAL_FATAL(len, chunks[i].bytes);
		csg_demux_init(&demux, chunks[i].framing, source->trace_id);
		csg_demux_input(&demux, chunks[i].position, bytes, len);
		while (csg_demux_next(&demux, &run)) {
			for (size_t k = 0; k < run.n; k++, count++) {
				CU_ASSERT_EQUAL(csg_stream_offset_at(&offset, &chunks[i],
								     run.index + k, &sent),
						0);
				wrong += sent != count;
			}
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	csg_window_destroy(window);
	csg_stream_offset_fini(&offset);
	return count;
}

static void every_byte_has_its_number(void)
{
	unsigned int chunks = 0, own = 0;
	size_t n;
	const struct csg_source *sources;

	open_fixture();
	sources = csg_recording_sources(rec, &n);
	for (size_t i = 0; i < n; i++)
		own += ask_all(&sources[i], &chunks) > 5000;
	CU_ASSERT_EQUAL(own, 2);
	CU_ASSERT(chunks > n);
	csg_recording_close(rec);
}

static void an_earlier_index_gets_no_more_than_a_later_one(void)
{
	struct csg_stream_offset offset;
	uint64_t first, later, again;
	size_t n;
	const struct csg_chunk *chunk;

	open_fixture();
	chunk = csg_recording_chunks(rec, &n);
	CU_ASSERT_EQUAL_FATAL(csg_stream_offset_init(&offset, rec, csg_recording_sources(rec, &n)),
			      0);
	csg_stream_offset_at(&offset, chunk, chunk->position + 100, &first);
	csg_stream_offset_at(&offset, chunk, chunk->position + 2000, &later);
	csg_stream_offset_at(&offset, chunk, chunk->position + 100, &again);
	CU_ASSERT(first < later);
	CU_ASSERT(again <= later);
	csg_stream_offset_fini(&offset);
	csg_recording_close(rec);
}

CSG_SUITE(score, stream_offset, CSG_TEST(every_byte_has_its_number),
	  CSG_TEST(an_earlier_index_gets_no_more_than_a_later_one));
