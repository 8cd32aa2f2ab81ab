/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/shard.h"

#include "csguest/error.h"
#include "csguest/shard.h"
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

static void shards_have_each_element_once(void)
{
	struct csg_session *session = open_fixture();
	const uint64_t all = elements(session);
	void *facts;
	size_t n;

	csg_session_close(session);
	session = open_fixture();
	CU_ASSERT_EQUAL_FATAL(csg_shard_prepare(session, false, &facts, &n), 0);
	csg_session_close(session);
	for (uint32_t shards = 1; shards <= 9; shards += 2) {
		uint64_t sum = 0, state = 0;

		for (uint32_t k = 1; k <= shards; k++) {
			session = open_fixture();
			CU_ASSERT_EQUAL_FATAL(csg_shard_begin(session, k, shards, facts, n), 0);
			CU_ASSERT(k == 1 || csg_shard_state(session) == state);
			sum += elements(session);
			state = csg_shard_state(session);
			csg_session_close(session);
		}
		CU_ASSERT_EQUAL(sum, all);
	}
	csg_shard_facts_free(facts);
}

CSG_SUITE(session, shard, CSG_TEST(shards_have_each_element_once));
