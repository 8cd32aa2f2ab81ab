/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/evidence.h"

#include "csguest/error.h"
#include "fixture.h"

/* The evidence for a byte of the first stream, after all of the recording. */
static struct csg_evidence *evidence_at(struct csg_session *session, uint64_t index)
{
	struct csg_evidence *evidence;
	struct csg_batch batch;

	CU_ASSERT_EQUAL_FATAL(csg_evidence_create(&evidence, session, index), 0);
	while (csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)) > 0)
		if (!batch.stream)
			CU_ASSERT_EQUAL(csg_evidence_add(evidence, &batch, sizeof(batch)), 0);
	CU_ASSERT_EQUAL(csg_evidence_count(evidence), 0);
	return evidence;
}

static void the_owner_at_a_place_rests_on_its_sources(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_evidence *evidence = evidence_at(session, 5000);
	const struct csg_evidence_place *place = csg_evidence_finish(evidence);
	const struct csg_owner *owner;
	uint32_t sources = 0;

	CU_ASSERT_FATAL(place->at.exists && !place->at.lost);
	CU_ASSERT_EQUAL(place->size, sizeof(*place));
	CU_ASSERT(place->at.begin <= 5000 && place->at.end > 5000);
	CU_ASSERT(place->here.index <= 5000);
	owner = csg_session_owner(session, place->at.owner);
	for (size_t i = 0; i < csg_evidence_count(evidence); i++)
		sources |= csg_evidence_at(evidence, i)->source;
	CU_ASSERT_EQUAL(sources, owner->evidence);
	CU_ASSERT_NOT_EQUAL(sources, 0);
	CU_ASSERT_PTR_NULL(csg_evidence_at(evidence, csg_evidence_count(evidence)));
	CU_ASSERT_PTR_EQUAL(csg_evidence_finish(evidence), place);
	csg_evidence_destroy(evidence);
	csg_session_close(session);
}

static void a_place_after_the_trace_is_none(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_evidence *evidence = evidence_at(session, UINT64_MAX - 1);

	CU_ASSERT_FALSE(csg_evidence_finish(evidence)->at.exists);
	CU_ASSERT_EQUAL(csg_evidence_count(evidence), 0);
	csg_evidence_destroy(evidence);
	csg_session_close(session);
}

static void nothing_is_added_after_the_end_and_no_owner_is_invented(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	const struct csg_element e = {.kind = CSG_ELEMENT_RANGE, .owner = UINT32_MAX, .index = 3};
	struct csg_batch batch = {.elements = &e, .element_size = sizeof(e), .n = 1};
	struct csg_evidence *evidence;

	CU_ASSERT_EQUAL_FATAL(csg_evidence_create(&evidence, session, 3), 0);
	CU_ASSERT_EQUAL(csg_evidence_add(evidence, &batch, sizeof(batch) - 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_evidence_add(evidence, &batch, sizeof(batch)), 0);
	batch.element_size = 8;
	CU_ASSERT_EQUAL(csg_evidence_add(evidence, &batch, sizeof(batch)), -CSG_E_USAGE);
	CU_ASSERT_PTR_NOT_NULL(csg_evidence_finish(evidence));
	CU_ASSERT_EQUAL(csg_evidence_count(evidence), 0);
	batch.element_size = sizeof(e);
	CU_ASSERT_EQUAL(csg_evidence_add(evidence, &batch, sizeof(batch)), -CSG_E_USAGE);
	csg_evidence_destroy(evidence);
	csg_session_close(session);
}

CSG_SUITE(api, evidence, CSG_TEST(the_owner_at_a_place_rests_on_its_sources),
	  CSG_TEST(a_place_after_the_trace_is_none),
	  CSG_TEST(nothing_is_added_after_the_end_and_no_owner_is_invented));
