/* SPDX-License-Identifier: BSD-3-Clause */
/* Where owners take over, by hand: flow.c has it over whole walks. */
#include "flow/fast_engine.h"
#include "suite.h"

static struct fast_engine e;

static void begin(bool speculates)
{
	const uint32_t code[] = {0x14000000}; /* branches to itself */

	fast_engine_init(&e, code, 1);
	e.flow->speculates = speculates;
}

static bool gives_code(void)
{
	const uint8_t *bytes;

	csg_flow_forget_slots(e.flow);
	return csg_flow_read(e.flow, FAST_CODE, &bytes);
}

static void a_border_is_where_an_owner_takes_over_at_a_byte(void)
{
	begin(false);
	CU_ASSERT_EQUAL(csg_flow_next_border(e.flow, 0, 100), UINT64_MAX);
	csg_flow_segment(e.flow, 10, true, 2);
	csg_flow_segment_at_time(e.flow, 15, 3);
	csg_flow_segment(e.flow, 20, false, 4);
	CU_ASSERT_EQUAL(csg_flow_next_border(e.flow, 0, 20), UINT64_MAX);
	CU_ASSERT_EQUAL(csg_flow_next_border(e.flow, 0, 21), 20);
	CU_ASSERT_EQUAL(csg_flow_next_border(e.flow, 30, 35), 30);
	csg_flow_drop_segments(e.flow);
	CU_ASSERT_EQUAL(csg_flow_next_border(e.flow, 0, 100), UINT64_MAX);
	CU_ASSERT_EQUAL(e.flow->divides_at, UINT64_MAX);
	fast_engine_fini(&e);
}

static void after_a_border_its_owner_runs(void)
{
	begin(false);
	csg_flow_segment(e.flow, 20, false, 4);
	csg_flow_pass_border(e.flow, 19);
	CU_ASSERT_EQUAL(e.flow->owner, 1);
	csg_flow_pass_border(e.flow, 20);
	CU_ASSERT_EQUAL(e.flow->owner, 4);
	CU_ASSERT_TRUE(gives_code());
	fast_engine_fini(&e);
}

static void a_context_element_brings_its_owner(void)
{
	begin(false);
	csg_flow_segment(e.flow, 20, false, 4);
	csg_flow_segment(e.flow, 20, true, 5);
	csg_flow_segment(e.flow, 30, true, 6);
	csg_flow_pass_border(e.flow, 20);
	CU_ASSERT_EQUAL(e.flow->owner, 4);
	csg_flow_reach_context(e.flow, 20);
	CU_ASSERT_EQUAL(e.flow->owner, 5);
	CU_ASSERT_EQUAL(e.flow->queue.count, 1);
	fast_engine_fini(&e);
}

static void a_timestamp_divides_what_the_same_code_ran(void)
{
	begin(false);
	csg_flow_segment_at_time(e.flow, 40, 7);
	csg_flow_segment_at_time(e.flow, 50, 8);
	CU_ASSERT_EQUAL(e.flow->divides_at, 40);
	csg_flow_divide(e.flow, 39);
	CU_ASSERT_EQUAL(e.flow->owner, 1);
	csg_flow_divide(e.flow, 40);
	CU_ASSERT_EQUAL(e.flow->owner, 7);
	CU_ASSERT_EQUAL(e.flow->divides_at, 50);
	fast_engine_fini(&e);
}

static void late_elements_of_a_unit_that_speculates_have_their_own_owners(void)
{
	begin(true);
	csg_flow_segment(e.flow, 20, false, 4);
	csg_flow_segment(e.flow, 30, false, 5);
	csg_flow_pass_border(e.flow, 20);
	csg_flow_pass_border(e.flow, 30);
	CU_ASSERT_EQUAL(e.flow->owner, 1);
	CU_ASSERT_FALSE(gives_code());
	CU_ASSERT_EQUAL(e.flow->refusal, CSG_GAP_NO_OWNER);
	csg_flow_reach(e.flow, 25);
	CU_ASSERT_EQUAL(e.flow->owner, 4);
	CU_ASSERT_FALSE(gives_code()); /* it may be for what lies after the other border */
	csg_flow_reach(e.flow, 30);
	CU_ASSERT_EQUAL(e.flow->owner, 5);
	CU_ASSERT_TRUE(gives_code());
	fast_engine_fini(&e);
}

static void a_border_withholds_code_that_was_read_before(void)
{
	const uint8_t *bytes;

	begin(true);
	CU_ASSERT_TRUE(csg_flow_read(e.flow, FAST_CODE, &bytes));
	csg_flow_segment(e.flow, 20, false, 4);
	csg_flow_pass_border(e.flow, 20);
	CU_ASSERT_FALSE(csg_flow_read(e.flow, FAST_CODE, &bytes));
	CU_ASSERT_EQUAL(csg_flow_nobody_accesses(e.flow), 1);
	fast_engine_fini(&e);
}

static void a_border_between_the_same_owner_withholds_no_code(void)
{
	begin(true);
	csg_flow_segment(e.flow, 20, false, 1);
	csg_flow_pass_border(e.flow, 20);
	CU_ASSERT_TRUE(gives_code());
	fast_engine_fini(&e);
}

static void a_gap_is_an_element_at_its_place(void)
{
	const struct csg_element *elements;
	size_t n;

	begin(false);
	csg_flow_gap(e.flow, 20, CSG_GAP_OVERFLOW, 700, false);
	csg_flow_gap(e.flow, 30, CSG_GAP_DECODER, UINT64_MAX, true);
	csg_flow_pass_border(e.flow, 20);
	CU_ASSERT_EQUAL(e.flow->owner, 1);
	csg_flow_pass_border(e.flow, 30);
	CU_ASSERT_EQUAL(e.flow->owner, 0); /* forgotten with the decoder's state */
	elements = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(elements[0].kind, CSG_ELEMENT_GAP);
	CU_ASSERT_EQUAL(elements[0].gap, CSG_GAP_OVERFLOW);
	CU_ASSERT_EQUAL(elements[0].index, 20);
	CU_ASSERT_EQUAL(elements[0].info, 700);
	CU_ASSERT_EQUAL(elements[1].info, UINT32_MAX);
	fast_engine_fini(&e);
}

static uint8_t named(uint64_t index, enum csg_gap gap)
{
	struct csg_element element = {.index = index, .kind = CSG_ELEMENT_GAP, .gap = (uint8_t)gap};

	csg_flow_name_gap(e.flow, &element);
	return element.gap;
}

static void a_trace_on_that_a_guest_is_after_says_so(void)
{
	begin(false);
	csg_flow_segment_of_guest(e.flow, 20, 4);
	CU_ASSERT_EQUAL(named(20, CSG_GAP_TRACE_ON), CSG_GAP_TRACE_ON);
	csg_flow_pass_border(e.flow, 20);
	CU_ASSERT_EQUAL(e.flow->owner, 4);
	CU_ASSERT_EQUAL(named(10, CSG_GAP_TRACE_ON), CSG_GAP_TRACE_ON);
	CU_ASSERT_EQUAL(named(20, CSG_GAP_OVERFLOW), CSG_GAP_OVERFLOW);
	CU_ASSERT_EQUAL(named(20, CSG_GAP_TRACE_ON), CSG_GAP_GUEST);
	CU_ASSERT_EQUAL(named(20, CSG_GAP_TRACE_ON), CSG_GAP_TRACE_ON);
	fast_engine_fini(&e);
}

static void any_number_waits_in_order(void)
{
	begin(false);
	for (uint32_t i = 0; i < 200; i++)
		csg_flow_segment(e.flow, i, false, i);
	csg_flow_pass_border(e.flow, 99);
	for (uint32_t i = 200; i < 1000; i++)
		csg_flow_segment(e.flow, i, false, i);
	CU_ASSERT_EQUAL(e.flow->queue.count, 900);
	for (uint32_t i = 0; i < 900; i++)
		CU_ASSERT_EQUAL(csg_flow_segment_at(e.flow, i)->owner, 100 + i);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_core, flow_segments, CSG_TEST(a_border_is_where_an_owner_takes_over_at_a_byte),
	  CSG_TEST(after_a_border_its_owner_runs), CSG_TEST(a_context_element_brings_its_owner),
	  CSG_TEST(a_timestamp_divides_what_the_same_code_ran),
	  CSG_TEST(late_elements_of_a_unit_that_speculates_have_their_own_owners),
	  CSG_TEST(a_border_withholds_code_that_was_read_before),
	  CSG_TEST(a_border_between_the_same_owner_withholds_no_code),
	  CSG_TEST(a_trace_on_that_a_guest_is_after_says_so),
	  CSG_TEST(a_gap_is_an_element_at_its_place), CSG_TEST(any_number_waits_in_order));
