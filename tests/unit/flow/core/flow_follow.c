/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_follow.h"

#include "flow/fast_engine.h"

static struct fast_engine e;
static unsigned int resumed, timed;

static void note_resumed(void *arg, uint64_t index)
{
	(void)arg;
	resumed += index == 30;
}

static void note_time(void *arg, uint64_t index)
{
	(void)arg;
	timed += index == 40;
}

static void an_eret_counts_where_it_was_executed_at_el2(void)
{
	struct csg_element range = {.kind = CSG_ELEMENT_RANGE,
				    .start = 0x1000,
				    .end = 0x1010,
				    .branch = CSG_BRANCH_ERET,
				    .last_size = 4,
				    .taken = true,
				    .el = CSG_EL2};

	fast_engine_init(&e, NULL, 0);
	CU_ASSERT_EQUAL(csg_flow_eret_of(e.flow, &range), 0x100c);
	range.el = CSG_EL1;
	CU_ASSERT_EQUAL(csg_flow_eret_of(e.flow, &range), 0);
	range.el = CSG_EL2;
	range.taken = false;
	CU_ASSERT_EQUAL(csg_flow_eret_of(e.flow, &range), 0);
	range.taken = true;
	range.branch = CSG_BRANCH_RETURN;
	CU_ASSERT_EQUAL(csg_flow_eret_of(e.flow, &range), 0);
	range.branch = CSG_BRANCH_ERET;
	e.flow->speculates = true;
	CU_ASSERT_EQUAL(csg_flow_eret_of(e.flow, &range), 0);
	fast_engine_fini(&e);
}

static void after_a_trace_on_no_eret_counts(void)
{
	fast_engine_init(&e, NULL, 0);
	e.flow->code.resumed = note_resumed;
	e.flow->eret = 0x100c;
	e.flow->border = true;
	e.flow->border_index = 31;
	csg_flow_follow_trace_on(e.flow, 30);
	CU_ASSERT_EQUAL(e.flow->eret, 0);
	CU_ASSERT_EQUAL(resumed, 1);
	CU_ASSERT(e.flow->border); /* which lies after it */
	e.flow->border_index = 30;
	csg_flow_follow_trace_on(e.flow, 30);
	CU_ASSERT_FALSE(e.flow->border);
	fast_engine_fini(&e);
}

static void a_timestamp_is_reported_after_the_owner_that_it_brings(void)
{
	fast_engine_init(&e, NULL, 0);
	e.flow->code.time = note_time;
	csg_flow_segment_at_time(e.flow, 40, 7);
	csg_flow_follow_timestamp(e.flow, 39);
	CU_ASSERT_EQUAL(e.flow->owner, 1);
	csg_flow_follow_timestamp(e.flow, 40);
	CU_ASSERT_EQUAL(e.flow->owner, 7);
	CU_ASSERT_EQUAL(timed, 1);
	CU_ASSERT(csg_flow_timed(e.flow));
	fast_engine_fini(&e);
}

CSG_SUITE(flow_core, flow_follow, CSG_TEST(an_eret_counts_where_it_was_executed_at_el2),
	  CSG_TEST(after_a_trace_on_no_eret_counts),
	  CSG_TEST(a_timestamp_is_reported_after_the_owner_that_it_brings));
