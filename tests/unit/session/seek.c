/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/seek.h"

#include "csguest/error.h"
#include "csguest/shard.h"
#include "index_file.h"
#include "scratch.h"
#include "session/session_state.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"

static struct csg_session *open_with(const char *facts)
{
	const struct csg_session_options options = {.size = sizeof(options), .facts = facts};
	struct csg_session *session;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE, &options), 0);
	return session;
}

/* Its index, in a file of that name. */
static void make_facts(struct scratch *top, char path[SCRATCH_PATH])
{
	struct csg_session *session = open_with(NULL);

	scratch_begin(top);
	index_file(session, scratch_path(top, path, "facts"));
	csg_session_close(session);
}

static uint64_t elements(struct csg_session *session)
{
	struct csg_batch batch;
	uint64_t n = 0;
	int ret;

	while ((ret = csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch))) > 0)
		n += batch.n;
	CU_ASSERT_EQUAL(ret, 0);
	return n;
}

/* How many there are from begin to end, and how many bytes were read for that. */
static uint64_t elements_of(const char *facts, uint64_t begin, uint64_t end, uint64_t *read)
{
	struct csg_session *session = open_with(facts);
	uint64_t n;

	CU_ASSERT_EQUAL_FATAL(csg_shard_seek(session, begin, end), 0);
	n = elements(session);
	*read = 0;
	for (size_t i = 0; i < session->stream_count; i++)
		*read += session->figures[i].read_bytes;
	csg_session_close(session);
	return n;
}

static void chunks_of_other_times_are_not_decoded(void)
{
	struct scratch top;
	char facts[SCRATCH_PATH];
	struct csg_session *session = open_with(NULL);
	const struct csg_recording_info *info = csg_recording_info(csg_session_recording(session));
	const uint64_t first = info->first_time, last = info->last_time, all = elements(session);
	uint64_t read;

	csg_session_close(session);
	make_facts(&top, facts);
	CU_ASSERT(all > 1000);
	CU_ASSERT_EQUAL(elements_of(facts, first, last, &read), all);
	CU_ASSERT(read > 1000);
	CU_ASSERT_EQUAL(elements_of(facts, first, 0, &read), all);
	CU_ASSERT_EQUAL(elements_of(facts, 0, last, &read), all);
	CU_ASSERT_EQUAL(elements_of(facts, last + 1000000000, 0, &read), 0);
	CU_ASSERT_EQUAL(read, 0);
	scratch_end(&top);
}

static void it_comes_before_all_else_and_needs_an_index(void)
{
	struct scratch top;
	char facts[SCRATCH_PATH];
	struct csg_session *session = open_with(NULL);

	CU_ASSERT_EQUAL(csg_shard_seek(NULL, 0, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 1, 2), -CSG_E_USAGE);
	csg_session_close(session);
	make_facts(&top, facts);
	session = open_with(facts);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 2, 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 1, 2), 0);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 1, 2), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_begin(session, 1, 1, NULL, 0), -CSG_E_USAGE);
	csg_session_close(session);
	session = open_with(facts);
	elements(session);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 1, 2), -CSG_E_USAGE);
	csg_session_close(session);
	scratch_end(&top);
}

CSG_SUITE(session, seek, CSG_TEST(chunks_of_other_times_are_not_decoded),
	  CSG_TEST(it_comes_before_all_else_and_needs_an_index));
