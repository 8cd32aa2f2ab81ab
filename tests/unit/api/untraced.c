/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/untraced.h"

#include "csguest/error.h"
#include "fixture.h"

static void parts_follow_each_other_and_are_those_of_the_intervals(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_interval interval;
	struct csg_untraced part;

	fixture_drain(session);
	CU_ASSERT_FATAL(csg_interval_count(session, 0) > 1);
	for (size_t i = 0; i < csg_interval_count(session, 0); i++) {
		CU_ASSERT_EQUAL(csg_interval_at(session, 0, i, &interval, sizeof(interval)), 0);
		for (uint64_t time = interval.from; time < interval.until; time = part.until) {
			CU_ASSERT_EQUAL_FATAL(csg_session_untraced(session, 0, NULL, time,
								   UINT64_MAX, &part, sizeof(part)),
					      0);
			CU_ASSERT_EQUAL(part.from, time);
			CU_ASSERT_FATAL(part.until > time && part.until <= interval.until);
			CU_ASSERT_EQUAL(csg_session_owner(session, part.owner)->host_tid,
					interval.tid);
		}
	}
	csg_session_close(session);
}

static void wrong_use_is_refused(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_untraced part;

	CU_ASSERT_EQUAL(csg_session_untraced(NULL, 0, NULL, 1, 2, &part, sizeof(part)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_untraced(session, 0, NULL, 2, 2, &part, sizeof(part)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_untraced(session, 0, NULL, 1, 2, NULL, sizeof(part)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_untraced(session, 0, NULL, 1, 2, &part, 4), -CSG_E_USAGE);
	/* Of a CPU that the machine does not have nothing is known. */
	CU_ASSERT_EQUAL(csg_session_untraced(session, -1, NULL, 1, 2, &part, sizeof(part)), 0);
	CU_ASSERT_EQUAL(csg_session_owner(session, part.owner)->world, CSG_WORLD_UNKNOWN);
	csg_session_close(session);
}

CSG_SUITE(api, untraced, CSG_TEST(parts_follow_each_other_and_are_those_of_the_intervals),
	  CSG_TEST(wrong_use_is_refused));
