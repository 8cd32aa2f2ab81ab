/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/trace_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "recording/recording.h"
#include "suite.h"
#include "snapshot_dir.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"
#define FRAME 16

static struct csg_recording *rec;

/* Reads all that is of source into bytes; returns how many, and counts the chunks. */
static size_t read_all(const struct csg_source *source, uint8_t *bytes, size_t capacity,
		       size_t *chunks)
{
	const struct csg_chunk *last = NULL;
	struct csg_trace_bytes *reader;
	struct csg_trace_run run;
	size_t n = 0;
	int ret;

	*chunks = 0;
	CU_ASSERT_EQUAL_FATAL(csg_trace_bytes_open(&reader, rec, source), 0);
	while ((ret = csg_trace_bytes_next(reader, &run, sizeof(run))) == 1) {
		CU_ASSERT_EQUAL(run.size, sizeof(run));
		CU_ASSERT_EQUAL(run.reset, run.count == 0);
		CU_ASSERT(csg_chunk_is_of(run.chunk, source));
		CU_ASSERT(run.index >= run.chunk->position);
		CU_ASSERT(run.index + run.count <= run.chunk->position + run.chunk->bytes);
		CU_ASSERT_FATAL(n + run.count <= capacity);
		if (run.count)
			memcpy(bytes + n, run.bytes, run.count);
		n += run.count;
		*chunks += run.chunk != last;
		last = run.chunk;
	}
	CU_ASSERT_EQUAL(ret, 0);
	CU_ASSERT_EQUAL(csg_trace_bytes_next(reader, &run, sizeof(run)), 0);
	csg_trace_bytes_close(reader);
	return n;
}

/* What a frame holds of an ID (Arm IHI 0029): one byte after the other. */
static size_t of_frame(const uint8_t *frame, uint8_t want, uint8_t *id, uint8_t *to)
{
	uint8_t next = *id;
	size_t n = 0;

	for (unsigned int i = 0; i < FRAME - 1; i++) {
		bool flag = frame[FRAME - 1] >> i / 2 & 1, even = i % 2 == 0;

		if (even && frame[i] & 1) {
			next = frame[i] >> 1;
			if (!flag)
				*id = next;
			continue;
		}
		if (*id == want)
			to[n++] = even ? (uint8_t)(frame[i] | flag) : frame[i];
		*id = next;
	}
	*id = next;
	return n;
}

static size_t expect_all(const struct csg_source *source, uint8_t *to)
{
	struct csg_window *window;
	size_t chunks, n = 0;
	const struct csg_chunk *chunk = csg_recording_chunks(rec, &chunks);

	CU_ASSERT_EQUAL_FATAL(csg_window_create(&window, rec), 0);
	for (size_t i = 0; i < chunks; i++) {
		size_t len = chunk[i].bytes;
		const uint8_t *bytes;
		uint8_t id = 0;

		if (!csg_chunk_is_of(&chunk[i], source))
			continue;
		CU_ASSERT_EQUAL_FATAL(csg_window_read(window, &chunk[i], 0, &bytes, &len), 0);
		CU_ASSERT_EQUAL_FATAL(len, chunk[i].bytes);
		for (size_t at = 0; at + FRAME <= len; at += FRAME)
			n += of_frame(bytes + at, source->trace_id, &id, to + n);
	}
	csg_window_destroy(window);
	return n;
}

static void frames_and_other_units_are_left_out(void)
{
	const size_t capacity = 4u << 20;
	uint8_t *got = malloc(capacity), *expected = malloc(capacity);
	size_t sources, chunks, all_chunks = 0, long_ones = 0;
	const struct csg_source *source;

	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&rec, FIXTURE, NULL, NULL), 0);
	source = csg_recording_sources(rec, &sources);
	CU_ASSERT_FATAL(sources >= 2);
	for (size_t i = 0; i < sources; i++) {
		size_t n = read_all(&source[i], got, capacity, &chunks);

		long_ones += n > 5000;
		CU_ASSERT_EQUAL_FATAL(n, expect_all(&source[i], expected));
		CU_ASSERT_EQUAL(memcmp(got, expected, n), 0);
		all_chunks += chunks;
	}
	CU_ASSERT_EQUAL(long_ones, 2);
	CU_ASSERT(all_chunks > sources);
	csg_recording_close(rec);
	free(got);
	free(expected);
}

static const struct csg_source *snapshot(const void *bytes, size_t n)
{
	const struct csg_source *source;
	size_t sources;

	snapshot_make(bytes, n, NULL, 0);
	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&rec, snapshot_dir, NULL, NULL), 0);
	source = csg_recording_sources(rec, &sources);
	CU_ASSERT_EQUAL_FATAL(sources, 1);
	return source;
}

/* More than is read at a time. */
static void raw_trace_is_as_it_was_recorded(void)
{
	const size_t n = 200001;
	uint8_t *bytes = malloc(n), *got = malloc(n);
	size_t chunks;

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(i * 2654435761u >> 13);
	CU_ASSERT_EQUAL(read_all(snapshot(bytes, n), got, n, &chunks), n);
	CU_ASSERT_EQUAL(memcmp(bytes, got, n), 0);
	CU_ASSERT_EQUAL(chunks, 1);
	csg_recording_close(rec);
	snapshot_remove();
	free(bytes);
	free(got);
}

static void a_chunk_that_is_cut_is_an_error_once(void)
{
	static const uint8_t bytes[1000] = {0};
	const struct csg_source *source = snapshot(bytes, sizeof(bytes));
	struct csg_trace_bytes *reader;
	struct csg_trace_run run;
	char path[128];

	snprintf(path, sizeof(path), "%s/trace.bin", snapshot_dir);
	CU_ASSERT_EQUAL_FATAL(truncate(path, 0), 0);
	CU_ASSERT_EQUAL_FATAL(csg_trace_bytes_open(&reader, rec, source), 0);
	CU_ASSERT_EQUAL(csg_trace_bytes_next(reader, &run, sizeof(run)), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_trace_bytes_next(reader, &run, sizeof(run)), 0);
	csg_trace_bytes_close(reader);
	csg_recording_close(rec);
	snapshot_remove();
}

CSG_SUITE(flow_core, trace_bytes, CSG_TEST(frames_and_other_units_are_left_out),
	  CSG_TEST(raw_trace_is_as_it_was_recorded),
	  CSG_TEST(a_chunk_that_is_cut_is_an_error_once));
