/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_read.h"

#include "flow/core/flow_segments.h"
#include "flow/fast_engine.h"

static struct fast_engine e;

static void code_that_was_found_is_not_asked_for_again(void)
{
	const uint8_t *bytes;
	size_t reads;

	fast_engine_init(&e, NULL, 0);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 64);
	reads = e.reads;
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 60, &bytes), 4);
	CU_ASSERT_PTR_EQUAL(bytes, &e.words[15]);
	CU_ASSERT_EQUAL(e.reads, reads);
	csg_flow_forget_slots(e.flow);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 64);
	CU_ASSERT_EQUAL(e.reads, reads + 1);
	fast_engine_fini(&e);
}

static void code_ends_before_an_undefined_instruction_in_aarch64(void)
{
	const uint8_t *bytes;

	fast_engine_init(&e, (const uint32_t[]){0xd503201f, 0x00000001}, 2);
	e.flow->a64 = false;
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 64);
	csg_flow_forget_slots(e.flow);
	e.flow->a64 = true;
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 4);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 4, &bytes), 0);
	CU_ASSERT_EQUAL(e.flow->refusal, CSG_GAP_UNDEFINED);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 64, &bytes), 0);
	CU_ASSERT_EQUAL(e.flow->refusal, CSG_GAP_NO_CODE);
	fast_engine_fini(&e);
}

static void an_undefined_instruction_is_found_wherever_it_is(void)
{
	const uint8_t *bytes;

	for (size_t i = 0; i < 16; i++) {
		uint32_t words[16];

		for (size_t k = 0; k < 16; k++)
			words[k] = k == i ? 0x0000ffff : 0xffff0000;
		fast_engine_init(&e, words, 16);
		e.flow->a64 = true;
		CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 4 * i);
		fast_engine_fini(&e);
	}
}

/* Whatever was asked for first, code ends before the same word. */
static void an_address_that_no_instruction_has_changes_nothing(void)
{
	const uint8_t *bytes;

	fast_engine_init(&e, (const uint32_t[]){0xd503201f, 0xd503201f, 0x00000001}, 3);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 2, &bytes), 6);
	CU_ASSERT_PTR_EQUAL(bytes, (const uint8_t *)e.words + 2);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 8);
	e.flow->refusal = CSG_GAP_NO_CODE;
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 6, &bytes), 2);
	CU_ASSERT_EQUAL(e.flow->refusal, CSG_GAP_UNDEFINED);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 10, &bytes), 0);
	CU_ASSERT_EQUAL(e.flow->refusal, CSG_GAP_UNDEFINED);
	e.flow->a64 = false;
	csg_flow_forget_slots(e.flow);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 2, &bytes), 62);
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE + 62, &bytes), 2);
	CU_ASSERT_EQUAL(e.flow->refusal, CSG_GAP_NO_CODE);
	fast_engine_fini(&e);
}

static void after_a_border_there_is_nobodys_code(void)
{
	const uint8_t *bytes;

	fast_engine_init(&e, NULL, 0);
	e.flow->border = true;
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 0);
	CU_ASSERT_EQUAL(e.flow->refusal, CSG_GAP_NO_OWNER);
	CU_ASSERT_EQUAL(csg_flow_nobody_accesses(e.flow), 1);
	fast_engine_fini(&e);
}

static void what_was_missing_stays_so_until_an_element_says_where_execution_is(void)
{
	struct csg_element gap = {
		.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_NO_CODE, .start = FAST_CODE};
	const struct csg_element time = {.kind = CSG_ELEMENT_TIMESTAMP},
				 range = {.kind = CSG_ELEMENT_RANGE};
	const uint8_t *bytes;

	fast_engine_init(&e, NULL, 0);
	e.flow->refusal = CSG_GAP_NO_CODE;
	CU_ASSERT(csg_flow_add(e.flow, &gap));
	csg_flow_name_gap(e.flow, &e.flow->elements[0]);
	e.flow->sent = 1;
	CU_ASSERT(csg_flow_is_missing(e.flow, FAST_CODE));
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 0);
	/* Neither a time nor another owner says where execution is. */
	CU_ASSERT(csg_flow_add(e.flow, &time));
	e.flow->sent = 2;
	e.flow->owner++;
	CU_ASSERT(csg_flow_lost_at(e.flow, FAST_CODE));
	CU_ASSERT_EQUAL(csg_flow_read(e.flow, FAST_CODE, &bytes), 0);
	CU_ASSERT(csg_flow_read(e.flow, FAST_CODE + 4, &bytes) > 0);
	CU_ASSERT(csg_flow_add(e.flow, &range)); /* by the current packet */
	CU_ASSERT(csg_flow_lost_at(e.flow, FAST_CODE));
	e.flow->sent = 3;
	CU_ASSERT_FALSE(csg_flow_is_missing(e.flow, FAST_CODE));
	CU_ASSERT(csg_flow_read(e.flow, FAST_CODE, &bytes) > 0);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_core, flow_read, CSG_TEST(code_that_was_found_is_not_asked_for_again),
	  CSG_TEST(code_ends_before_an_undefined_instruction_in_aarch64),
	  CSG_TEST(an_undefined_instruction_is_found_wherever_it_is),
	  CSG_TEST(an_address_that_no_instruction_has_changes_nothing),
	  CSG_TEST(after_a_border_there_is_nobodys_code),
	  CSG_TEST(what_was_missing_stays_so_until_an_element_says_where_execution_is));
