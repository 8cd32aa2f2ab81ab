/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/trace_index.h"

#include <stdio.h>
#include <string.h>

#include "csguest/error.h"
#include "csguest/shard.h"
#include "index_file.h"
#include "scratch.h"
#include "session/session_state.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"

/* What a session hands out, as a sum, and what it has read of the trace for that. */
struct seen {
	uint64_t sum, elements, read;
};

static struct seen see(const char *facts, uint64_t begin, uint64_t end)
{
	const struct csg_session_options options = {.size = sizeof(options), .facts = facts};
	struct csg_session *session;
	struct csg_batch batch;
	struct seen seen = {0};

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE, &options), 0);
	if (end)
		CU_ASSERT_EQUAL_FATAL(csg_shard_seek(session, begin, end), 0);
	while (csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)) > 0) {
		seen.elements += batch.n;
		for (size_t i = 0; i < batch.n; i++) {
			const struct csg_element *e = &batch.elements[i];

			seen.sum = seen.sum * 31 + e->kind + e->index + e->start + e->end +
				   e->owner * 7 + batch.time;
		}
	}
	for (size_t i = 0; i < session->stream_count; i++)
		seen.read += session->figures[i].read_bytes;
	csg_session_close(session);
	return seen;
}

static void write_index(const char *path)
{
	struct csg_session *session;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE, NULL), 0);
	index_file(session, path);
	csg_session_close(session);
}

static void write_facts_without_index(const char *path)
{
	struct csg_session *session;
	FILE *f = fopen(path, "w");
	void *facts;
	size_t n;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_shard_prepare(session, true, &facts, &n), 0);
	CU_ASSERT_EQUAL(fwrite(facts, 1, n, f), n);
	fclose(f);
	csg_shard_facts_free(facts);
	csg_session_close(session);
}

static void all_is_as_without_it(void)
{
	struct scratch top;
	struct seen whole, known;
	char path[SCRATCH_PATH];

	scratch_begin(&top);
	scratch_path(&top, path, "facts");
	write_index(path);
	whole = see(NULL, 0, 0);
	known = see(path, 0, 0);
	CU_ASSERT(whole.elements > 1000);
	CU_ASSERT_EQUAL(whole.elements, known.elements);
	CU_ASSERT_EQUAL(whole.sum, known.sum);
	CU_ASSERT_EQUAL(whole.read, known.read);
	/* Nothing is decoded that nobody asks for. */
	CU_ASSERT_EQUAL(see(path, 1, 2).read, 0);
	scratch_end(&top);
}

static int open_with(const char *recording, const char *facts)
{
	const struct csg_session_options options = {.size = sizeof(options), .facts = facts};
	struct csg_session *session;
	int err = csg_session_open(&session, recording, &options);

	csg_session_close(session);
	return err;
}

static void facts_that_do_not_fit_are_refused(void)
{
	struct scratch top;
	char path[SCRATCH_PATH];

	scratch_begin(&top);
	scratch_path(&top, path, "facts");
	CU_ASSERT_EQUAL(open_with(FIXTURE, path), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(open_with(FIXTURE, FIXTURE), -CSG_E_BAD_MAGIC);
	write_facts_without_index(path);
	CU_ASSERT_EQUAL(open_with(FIXTURE, path), -CSG_E_NO_TRACE);
	write_index(path);
	CU_ASSERT_EQUAL(open_with(FIXTURE, path), 0);
	scratch_end(&top);
}

static int stop(void *arg, const void *bytes, size_t n)
{
	(void)bytes;
	*(size_t *)arg += n;
	return -77;
}

static void who_cannot_write_it_stops_it(void)
{
	struct csg_session *session;
	size_t n = 0, once;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE, NULL), 0);
	CU_ASSERT_EQUAL(csg_shard_index(session, stop, &n), -77);
	once = n;
	CU_ASSERT(once > 0);
	CU_ASSERT_EQUAL(csg_shard_index(session, stop, &n), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(n, once);
	csg_session_close(session);
}

CSG_SUITE(session, trace_index, CSG_TEST(all_is_as_without_it),
	  CSG_TEST(facts_that_do_not_fit_are_refused), CSG_TEST(who_cannot_write_it_stops_it));
