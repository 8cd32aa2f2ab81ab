/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/seek.h"

#include "csguest/error.h"
#include "csguest/shard.h"
#include "session/session_state.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"

static struct csg_session *open_fixture(void)
{
	struct csg_session *session;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE, NULL), 0);
	return session;
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

/* How many there are from begin to end; with what is counted of them. */
static uint64_t elements_of(uint64_t begin, uint64_t end, uint64_t *trace_bytes)
{
	struct csg_session *session = open_fixture();
	uint64_t n;

	CU_ASSERT_EQUAL_FATAL(csg_shard_seek(session, begin, end), 0);
	n = elements(session);
	*trace_bytes = 0;
	for (uint32_t i = 0; i < csg_session_stream_count(session); i++)
		*trace_bytes += csg_session_stream(session, i)->trace_bytes;
	csg_session_close(session);
	return n;
}

static void chunks_of_other_times_are_not_handed_out(void)
{
	struct csg_session *session = open_fixture();
	const uint64_t first = csg_recording_info(csg_session_recording(session))->first_time,
		       last = csg_recording_info(csg_session_recording(session))->last_time,
		       all = elements(session);
	uint64_t bytes, none;

	csg_session_close(session);
	CU_ASSERT(all > 1000);
	CU_ASSERT_EQUAL(elements_of(first, last, &bytes), all);
	CU_ASSERT(bytes > 1000);
	CU_ASSERT_EQUAL(elements_of(first, 0, &bytes), all);
	CU_ASSERT_EQUAL(elements_of(0, last, &bytes), all);
	CU_ASSERT_EQUAL(elements_of(last + 1000000000, 0, &none), 0);
	CU_ASSERT_EQUAL(none, 0);
}

static void it_comes_before_all_else(void)
{
	struct csg_session *session = open_fixture();

	CU_ASSERT_EQUAL(csg_shard_seek(NULL, 0, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 2, 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 1, 2), 0);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 1, 2), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_begin(session, 1, 1, NULL, 0), -CSG_E_USAGE);
	csg_session_close(session);
	session = open_fixture();
	elements(session);
	CU_ASSERT_EQUAL(csg_shard_seek(session, 1, 2), -CSG_E_USAGE);
	csg_session_close(session);
}

CSG_SUITE(session, seek, CSG_TEST(chunks_of_other_times_are_not_handed_out),
	  CSG_TEST(it_comes_before_all_else));
