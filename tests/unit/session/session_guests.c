/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_guests.h"

#include "fixture.h"
#include "session/session.h"

static struct csg_session *open_with(const struct csg_guest_options *guests, size_t n)
{
	const struct csg_session_setup options = {.input = FIXTURE_DIR "perf.data",
						  .only_trace_id = -1,
						  .only_cpu = -1,
						  .guests = guests,
						  .guest_count = n};
	struct csg_session *session;

	CU_ASSERT_EQUAL_FATAL(csg_session_begin(&session, &options, NULL), 0);
	return session;
}

static void a_guest_has_the_name_that_the_user_gives_it(void)
{
	const struct csg_guest_options guests[] = {{.name = "web", .pid = 1234},
						   {.name = "db", .pid = 4321}};
	struct csg_session *session = open_with(guests, 2);

	CU_ASSERT_STRING_EQUAL(csg_session_guest_name(session, 1234), "web");
	CU_ASSERT_STRING_EQUAL(csg_session_guest_name(session, 4321), "db");
	CU_ASSERT_PTR_NULL(csg_session_guest_name(session, 5));
	CU_ASSERT_PTR_NULL(csg_session_guest_name(session, -1));
	csg_session_close(session);
}

static void a_guest_without_a_recording_has_no_time(void)
{
	struct csg_session *session = open_with(NULL, 0);

	CU_ASSERT_EQUAL(csg_session_guest_time(session, 1234, 1000), 0);
	csg_session_close(session);
}

CSG_SUITE(session, session_guests, CSG_TEST(a_guest_has_the_name_that_the_user_gives_it),
	  CSG_TEST(a_guest_without_a_recording_has_no_time));
