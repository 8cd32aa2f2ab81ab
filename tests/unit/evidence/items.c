/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "evidence/items.h"

static struct csg_evidence_item items[CSG_EVIDENCE_ITEMS_MAX];

/* A guest's segment from 100 to 200, entered from the host at 90, left to vectors of the host. */
static struct csg_evidence_place a_place(void)
{
	return (struct csg_evidence_place){
		.before = {.exists = true, .el = CSG_EL2, .begin = 50, .end = 100},
		.at = {.exists = true,
		       .begin = 100,
		       .end = 200,
		       .entered = {.kind = CSG_BORDER_ERET,
				   .has_address = true,
				   .index = 90,
				   .address = 0x1004},
		       .has_context = true,
		       .context = {.index = 101, .end = 7}},
		.after = {.exists = true,
			  .el = CSG_EL1,
			  .begin = 200,
			  .entered = {.kind = CSG_BORDER_EXCEPTION, .index = 198},
			  .has_first = true,
			  .first = 0xa00c00},
	};
}

static size_t of(const struct csg_evidence_place *place, uint32_t evidence)
{
	struct csg_owner owner = {.evidence = evidence, .el = CSG_EL1, .host_tid = 4103};

	return csg_evidence_items(place, &owner, items);
}

static void every_source_is_one_item_that_settles_something(void)
{
	const struct csg_evidence_place place = a_place();
	const uint32_t all = CSG_EVIDENCE_NESTED_ENTRY * 2u - 1;

	CU_ASSERT_EQUAL_FATAL(of(&place, all), 20);
	for (size_t i = 0; i < 20; i++) {
		CU_ASSERT_EQUAL(items[i].size, sizeof(items[i]));
		CU_ASSERT_EQUAL(items[i].source, 1u << i);
		CU_ASSERT_NOT_EQUAL(items[i].settles, 0);
	}
}

static void an_item_has_what_shows_it(void)
{
	const struct csg_evidence_place place = a_place();

	CU_ASSERT_EQUAL_FATAL(of(&place, CSG_EVIDENCE_CONTEXTIDR_EL2 | CSG_EVIDENCE_VMID |
						 CSG_EVIDENCE_NEIGHBOUR_EL |
						 CSG_EVIDENCE_VECTOR_BASE |
						 CSG_EVIDENCE_ENTRY_ERET | CSG_EVIDENCE_RESIDENCY),
			      6);
	CU_ASSERT_EQUAL(items[0].index, 101);
	CU_ASSERT_EQUAL(items[0].value, 4103);
	CU_ASSERT_EQUAL(items[1].index, 101);
	CU_ASSERT_EQUAL(items[1].value, 7);
	CU_ASSERT_EQUAL(items[1].settles, CSG_PART_VM);
	CU_ASSERT_EQUAL(items[2].index, 200);
	CU_ASSERT_EQUAL(items[2].value, CSG_EL1);
	CU_ASSERT_EQUAL(items[2].settles, CSG_PART_WORLD);
	CU_ASSERT_EQUAL(items[3].index, 198);
	CU_ASSERT_EQUAL(items[3].value, 0xa00c00);
	CU_ASSERT_EQUAL(items[4].index, 90);
	CU_ASSERT_EQUAL(items[4].value, 0x1004);
	CU_ASSERT_EQUAL(items[5].index, CSG_NO_INDEX);
}

static void what_the_trace_does_not_show_has_no_place(void)
{
	struct csg_evidence_place place = a_place();

	place.at.has_context = place.at.entered.has_address = place.after.exists = false;
	CU_ASSERT_EQUAL_FATAL(of(&place, CSG_EVIDENCE_VMID | CSG_EVIDENCE_NEIGHBOUR_EL |
						 CSG_EVIDENCE_VECTOR_BASE |
						 CSG_EVIDENCE_ENTRY_ERET),
			      4);
	for (size_t i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(items[i].index, CSG_NO_INDEX);
}

static void what_was_lost_rests_on_nothing(void)
{
	struct csg_evidence_place place = a_place();

	place.at.lost = true;
	CU_ASSERT_EQUAL(of(&place, CSG_EVIDENCE_VMID), 0);
	place.at = (struct csg_evidence_segment){0};
	CU_ASSERT_EQUAL(of(&place, CSG_EVIDENCE_VMID), 0);
}

CSG_SUITE(evidence, items, CSG_TEST(every_source_is_one_item_that_settles_something),
	  CSG_TEST(an_item_has_what_shows_it), CSG_TEST(what_the_trace_does_not_show_has_no_place),
	  CSG_TEST(what_was_lost_rests_on_nothing));
