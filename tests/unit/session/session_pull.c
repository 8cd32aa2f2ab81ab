/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_pull.h"

#include "csguest/error.h"
#include "fixture.h"
#include "session/session.h"

/* Time goes forward over all streams, but where the counter itself jumps (vcpu_load, vcpu_put). */
static void batches_come_in_time_order(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	uint64_t last[8] = {0};
	struct csg_batch batch;
	size_t batches = 0, timed = 0;

	while (csg_session_pull(session, true, &batch) > 0) {
		CU_ASSERT(batch.n > 0);
		for (size_t i = 1; i < batch.n; i++)
			CU_ASSERT_NOT_EQUAL(batch.elements[i].kind, CSG_ELEMENT_TIMESTAMP);
		if (batch.time)
			last[batch.stream] = batch.time;
		batches++;
	}
	CU_ASSERT(batches > 100);
	for (int i = 0; i < 8; i++)
		timed += last[i] != 0;
	CU_ASSERT_EQUAL(timed, 2); /* one for each CPU */
	csg_session_close(session);
}

static void a_session_is_pulled_in_one_way(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_batch batch;

	CU_ASSERT(csg_session_settle_on(session, CSG_PULL_TIME));
	CU_ASSERT(csg_session_settle_on(session, CSG_PULL_TIME));
	CU_ASSERT(!csg_session_settle_on(session, CSG_PULL_STREAM));
	CU_ASSERT_EQUAL(csg_session_pull(session, true, &batch), 1);
	csg_session_cancel(session);
	CU_ASSERT_EQUAL(csg_session_pull(session, true, &batch), -CSG_E_CANCELLED);
	csg_session_stop(session);
	CU_ASSERT(!csg_session_settle_on(session, CSG_PULL_TIME));
	csg_session_close(session);
}

static void a_filter_of_elements_leaves_no_whole_session(void)
{
	const struct csg_filter one_world = {.size = sizeof(one_world),
					     .worlds = 1u << CSG_WORLD_HOST};
	struct csg_session *session = fixture_open(NULL, 0);

	CU_ASSERT(csg_session_is_whole(session));
	csg_session_close(session);
	session = fixture_open(&one_world, 0);
	CU_ASSERT(!csg_session_is_whole(session));
	csg_session_close(session);
}

CSG_SUITE(session, session_pull, CSG_TEST(batches_come_in_time_order),
	  CSG_TEST(a_session_is_pulled_in_one_way),
	  CSG_TEST(a_filter_of_elements_leaves_no_whole_session));
