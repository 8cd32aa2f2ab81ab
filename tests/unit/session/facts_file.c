/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/facts_file.h"

#include "csguest/error.h"
#include "csguest/session.h"
#include "suite.h"

static uint64_t sum_of(const char *recording)
{
	struct csg_session *session;
	uint64_t sum;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, recording, NULL), 0);
	CU_ASSERT_NOT_EQUAL(csg_session_facts_sum(session), 0);
	sum = csg_session_recording_sum(session);
	csg_session_close(session);
	return sum;
}

static void a_recording_has_the_same_sum_each_time(void)
{
	const uint64_t one = sum_of("traces/vhe-one-guest/perf.data");

	CU_ASSERT_NOT_EQUAL(one, 0);
	CU_ASSERT_EQUAL(one, sum_of("traces/vhe-one-guest/perf.data"));
}

static void what_is_written_is_read(void)
{
	struct csg_pack pack = {0};
	struct csg_unpack u;

	csg_session_facts_begin(&pack);
	csg_pack_number(&pack, 4711);
	csg_pack_end(&pack);
	CU_ASSERT_EQUAL_FATAL(csg_session_facts_read(&u, pack.bytes, pack.n), 0);
	CU_ASSERT_EQUAL(csg_unpack_number(&u), 4711);
	pack.bytes[0] ^= 1;
	CU_ASSERT_EQUAL(csg_session_facts_read(&u, pack.bytes, pack.n), -CSG_E_BAD_MAGIC);
	csg_pack_fini(&pack);
}

CSG_SUITE(session, facts_file, CSG_TEST(a_recording_has_the_same_sum_each_time),
	  CSG_TEST(what_is_written_is_read));
