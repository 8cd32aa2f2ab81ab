/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/assumption.h"

#include "csguest/error.h"
#include "fixture.h"

static void what_is_decoded_confirms_assumptions(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_assumption_info info;

	CU_ASSERT_EQUAL(
		csg_session_assumption(session, CSG_ASSUMPTION_EXIT_VECTORS, &info, sizeof(info)),
		0);
	CU_ASSERT_EQUAL(info.confirmed, 0);
	fixture_drain(session);
	CU_ASSERT_EQUAL(
		csg_session_assumption(session, CSG_ASSUMPTION_EXIT_VECTORS, &info, sizeof(info)),
		0);
	CU_ASSERT_EQUAL(info.size, sizeof(info));
	CU_ASSERT(info.confirmed > 10);
	CU_ASSERT_EQUAL(info.contradicted, 0);
	CU_ASSERT(info.confirmed_at.cpu >= 0);
	CU_ASSERT(info.confirmed_at.index != CSG_NO_PLACE);
	CU_ASSERT(info.confirmed_at.time > 0);
	csg_session_close(session);
}

static void wrong_use_is_refused(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_assumption_info info;

	CU_ASSERT_EQUAL(csg_session_assumption(NULL, CSG_ASSUMPTION_VMID, &info, sizeof(info)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_assumption(session, CSG_ASSUMPTION_COUNT, &info, sizeof(info)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_assumption(session, CSG_ASSUMPTION_VMID, NULL, sizeof(info)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_assumption(session, CSG_ASSUMPTION_VMID, &info, 4),
			-CSG_E_USAGE);
	csg_session_close(session);
}

CSG_SUITE(api, assumption, CSG_TEST(what_is_decoded_confirms_assumptions),
	  CSG_TEST(wrong_use_is_refused));
