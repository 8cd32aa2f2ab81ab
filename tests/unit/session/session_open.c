/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_open.h"

#include "csguest/error.h"
#include "fixture.h"
#include "session/session.h"

static void a_trace_id_that_is_not_there_is_an_error(void)
{
	struct csg_session_setup options = {
		.input = FIXTURE_DIR "perf.data", .only_trace_id = 0x55, .only_cpu = -1};
	struct csg_session *session;

	CU_ASSERT_EQUAL(csg_session_begin(&session, &options, NULL), -CSG_E_NO_TRACE);
	CU_ASSERT_PTR_NULL(session);
	options.input = "does/not/exist";
	CU_ASSERT_EQUAL(csg_session_begin(&session, &options, NULL), -CSG_E_NOT_FOUND);
}

CSG_SUITE(session, session_open, CSG_TEST(a_trace_id_that_is_not_there_is_an_error));
