/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/shard.h"

#include "csguest/error.h"
#include "csguest/session.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/perf.data"

static struct csg_session *open_fixture(void)
{
	struct csg_session *session;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE, NULL), 0);
	return session;
}

static void facts_of_another_kind_are_refused(void)
{
	struct csg_session *session = open_fixture();

	CU_ASSERT_EQUAL(csg_shard_begin(session, 1, 1, "nothing", 7), -CSG_E_BAD_MAGIC);
	csg_session_close(session);
	session = open_fixture();
	CU_ASSERT_EQUAL(csg_shard_begin(session, 2, 1, NULL, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_begin(session, 0, 1, NULL, 0), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_shard_begin(session, 1, 1, NULL, 0), 0);
	CU_ASSERT_EQUAL(csg_shard_begin(session, 1, 1, NULL, 0), -CSG_E_USAGE);
	csg_session_close(session);
}

static void a_session_that_was_prepared_is_not_pulled(void)
{
	struct csg_session *session = open_fixture();
	struct csg_batch batch;
	void *facts;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(csg_shard_prepare(session, true, &facts, &n), 0);
	csg_shard_facts_free(facts);
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)),
			-CSG_E_USAGE);
	csg_session_close(session);
}

CSG_SUITE(api, shard, CSG_TEST(facts_of_another_kind_are_refused),
	  CSG_TEST(a_session_that_was_prepared_is_not_pulled));
