/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_deliver.h"

#include "flow/core/flow_follow.h"
#include "flow/fast_engine.h"

static void a_line_past_an_undefined_instruction_did_not_run(void)
{
	static const uint32_t words[] = {0xd503201f, 0xd503201f, 0x0000ffff, 0x14000000};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 4);
	csg_flow_follow_context(e.flow, 0, CSG_EL1, true);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x3, 2, 5));
	csg_fast_deliver(e.fast, 0);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_GAP);
	CU_ASSERT_EQUAL(out[0].gap, CSG_GAP_UNDEFINED);
	CU_ASSERT_EQUAL(out[0].start, 0x1000);
	CU_ASSERT_EQUAL(out[0].end, 0x1008);
	CU_ASSERT_EQUAL(out[0].index, 5);
	CU_ASSERT(e.fast->at.need_address);
	e.flow->sent = 1;
	CU_ASSERT(csg_flow_is_missing(e.flow, 0x1008)); /* the range is no element of its own */
	e.flow->sent = 2;
	CU_ASSERT_FALSE(csg_flow_is_missing(e.flow, 0x1008));
	fast_engine_fini(&e);
}

static void a_branch_to_an_undefined_instruction_ran(void)
{
	static const uint32_t words[] = {0x54000020, 0x00000001}; /* b.eq .+4, udf #1 */
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 2);
	csg_flow_follow_context(e.flow, 0, CSG_EL1, true);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x3, 2, 5));
	csg_fast_deliver(e.fast, 0);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_RANGE);
	CU_ASSERT_EQUAL(out[1].gap, CSG_GAP_UNDEFINED);
	CU_ASSERT_EQUAL(out[1].start, 0x1004);
	CU_ASSERT_EQUAL(out[1].end, 0x1004);
	fast_engine_fini(&e);
}

static void put_context(struct fast_engine *e, uint64_t index, uint8_t el)
{
	struct csg_element *out = csg_fast_put(e->fast, CSG_ELEMENT_CONTEXT, index);

	out->el = el;
	out->info = CSG_CONTEXT_AARCH64;
	e->fast->follows = true;
}

static void an_owner_takes_over_with_its_context(void)
{
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	csg_flow_segment(e.flow, 20, true, 5);
	csg_fast_put(e.fast, CSG_ELEMENT_EVENT, 10);
	put_context(&e, 20, CSG_EL2);
	csg_fast_put(e.fast, CSG_ELEMENT_EVENT, 21);
	csg_fast_deliver(e.fast, 0);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(out[0].owner, 1);
	CU_ASSERT_EQUAL(out[1].owner, 5);
	CU_ASSERT_EQUAL(out[2].owner, 5);
	CU_ASSERT_EQUAL(out[2].el, CSG_EL2);
	CU_ASSERT_FALSE(e.fast->follows);
	fast_engine_fini(&e);
}

static uint64_t entered_by;

static void note_entry(void *arg, uint64_t index, uint64_t eret, enum csg_el el, uint32_t owner)
{
	(void)arg;
	(void)index;
	(void)el;
	(void)owner;
	entered_by = eret;
}

static void the_eret_before_a_context_led_there(void)
{
	struct fast_engine e;

	fast_engine_init(&e, (const uint32_t[]){0xd69f03e0}, 1); /* eret */
	e.flow->code.entered = note_entry;
	csg_flow_follow_context(e.flow, 0, CSG_EL2, true);
	csg_fast_atoms(e.fast, 1, 1, 10);
	put_context(&e, 11, CSG_EL1);
	csg_fast_deliver(e.fast, 0);
	CU_ASSERT_EQUAL(entered_by, FAST_CODE);
	CU_ASSERT_EQUAL(e.flow->eret, 0);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_fast, fast_deliver, CSG_TEST(a_line_past_an_undefined_instruction_did_not_run),
	  CSG_TEST(a_branch_to_an_undefined_instruction_ran),
	  CSG_TEST(an_owner_takes_over_with_its_context),
	  CSG_TEST(the_eret_before_a_context_led_there));
