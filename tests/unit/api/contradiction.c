/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/contradiction.h"

#include "fixture.h"
#include "guest/answers.h"
#include "session/session.h"

static void an_intact_recording_has_none(void)
{
	struct csg_session *session = fixture_open(NULL, 0);

	fixture_drain(session);
	CU_ASSERT_EQUAL(csg_contradiction_count(session), 0);
	CU_ASSERT_EQUAL(csg_contradiction_total(session), 0);
	CU_ASSERT_PTR_NULL(csg_contradiction_at(session, 0));
	csg_session_close(session);
}

static void those_that_were_found_are_listed(void)
{
	const struct csg_contradiction two[] = {
		{.kind = CSG_CONTRADICTION_VCPU, .cpu = 1, .begin = 8, .end = 16, .text = "second"},
		{.kind = CSG_CONTRADICTION_WORLD, .cpu = 1, .begin = 8, .end = 16, .text = "first"},
	};
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_contradictions *found =
		(void *)(uintptr_t)csg_attribution_contradictions(csg_session_attribution(session));
	const struct csg_contradiction *one;

	CU_ASSERT_EQUAL(csg_contradictions_add(found, &two[0]), 0);
	CU_ASSERT_EQUAL(csg_contradictions_add(found, &two[1]), 0);
	found->dropped = 3;
	CU_ASSERT_EQUAL_FATAL(csg_contradiction_count(session), 2);
	CU_ASSERT_EQUAL(csg_contradiction_total(session), 5);
	one = csg_contradiction_at(session, 0);
	CU_ASSERT_EQUAL(one->size, sizeof(*one));
	CU_ASSERT_STRING_EQUAL(one->text, "first");
	CU_ASSERT_STRING_EQUAL(csg_contradiction_at(session, 1)->text, "second");
	CU_ASSERT_EQUAL(csg_contradiction_at(session, 1)->size, sizeof(*one));
	CU_ASSERT_PTR_NULL(csg_contradiction_at(session, 2));
	csg_session_close(session);
}

static void wrong_use_is_refused(void)
{
	CU_ASSERT_EQUAL(csg_contradiction_count(NULL), 0);
	CU_ASSERT_EQUAL(csg_contradiction_total(NULL), 0);
	CU_ASSERT_PTR_NULL(csg_contradiction_at(NULL, 0));
	CU_ASSERT_STRING_EQUAL(csg_contradiction_name(CSG_CONTRADICTION_KINDS), "invalid");
	CU_ASSERT_STRING_EQUAL(csg_contradiction_name(CSG_CONTRADICTION_VCPU), "vCPU table");
}

CSG_SUITE(api, contradiction, CSG_TEST(an_intact_recording_has_none),
	  CSG_TEST(those_that_were_found_are_listed), CSG_TEST(wrong_use_is_refused));
