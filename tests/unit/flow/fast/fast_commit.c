/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast_engine.h"

static struct csg_fast_entry *push(struct csg_fast *f, enum csg_fast_kind kind, uint64_t index)
{
	struct csg_fast_entry *e = csg_fast_push(f, kind, index);

	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	return e;
}

static void what_waits_comes_out_with_the_next_p0_element(void)
{
	struct fast_engine e;
	const struct csg_element *out;
	struct csg_fast_entry *exception;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	push(e.fast, CSG_FAST_TIMESTAMP, 10)->value = 123;
	exception = push(e.fast, CSG_FAST_EXCEPTION, 11);
	exception->p0 = true;
	exception->number = 2;
	push(e.fast, CSG_FAST_ADDRESS, 12)->value = 0x1008;
	e.fast->demand.commit = e.fast->queue.depth = 1;
	CU_ASSERT(csg_fast_resolve(e.fast));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_TIMESTAMP);
	CU_ASSERT_EQUAL(out[0].timestamp, 123);
	CU_ASSERT_EQUAL(out[1].kind, CSG_ELEMENT_RANGE);
	CU_ASSERT_EQUAL(out[1].end, 0x1008);
	CU_ASSERT_EQUAL(out[1].index, 11);
	CU_ASSERT_EQUAL(out[2].kind, CSG_ELEMENT_EXCEPTION);
	CU_ASSERT_EQUAL(out[2].end, 0x1008);
	CU_ASSERT_EQUAL(out[2].info, 2);
	CU_ASSERT_EQUAL(e.fast->queue.ring.count, 0);
	fast_engine_fini(&e);
}

static void a_context_brings_its_owner_before_code_is_read(void)
{
	struct fast_engine e;
	const struct csg_element *out;
	struct csg_fast_entry *context;
	size_t n;

	fast_engine_init(&e, (const uint32_t[]){0x14000002}, 1);
	csg_flow_segment(e.flow, 20, true, 5);
	context = push(e.fast, CSG_FAST_CONTEXT, 20);
	context->context =
		(struct csg_packet_context){.updated = true, .el = 2, .sf = true, .ns = true};
	*push(e.fast, CSG_FAST_ATOMS, 21) = (struct csg_fast_entry){
		.index = 21, .kind = CSG_FAST_ATOMS, .p0 = true, .atoms = 1, .pattern = 1};
	e.fast->demand.commit = e.fast->queue.depth = 1;
	CU_ASSERT(csg_fast_resolve(e.fast));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_CONTEXT);
	CU_ASSERT_EQUAL(out[0].owner, 5);
	CU_ASSERT_EQUAL(out[0].el, 2);
	CU_ASSERT_EQUAL(out[1].owner, 5);
	CU_ASSERT_EQUAL(e.fast->code.space, 5);
	fast_engine_fini(&e);
}

static void what_makes_no_sense_leaves_no_elements(void)
{
	struct fast_engine e;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	push(e.fast, CSG_FAST_EVENT, 10);
	e.fast->demand.commit = e.fast->queue.depth = 1; /* more than there is */
	CU_ASSERT_FALSE(csg_fast_resolve(e.fast));
	csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL(n, 0);
	fast_engine_fini(&e);
}

static void a_source_address_is_where_the_branch_was(void)
{
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, (const uint32_t[]){0x54000081, 0xd503201f, 0x14000005}, 3);
	push(e.fast, CSG_FAST_SOURCE_ADDRESS, 10)->value =
		0x1008; /* b.ne before it went straight on */
	e.fast->demand.commit = e.fast->queue.depth = 1;
	CU_ASSERT(csg_fast_resolve(e.fast));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].start, 0x1000);
	CU_ASSERT_EQUAL(out[0].instructions, 3);
	CU_ASSERT_EQUAL(out[0].branch, CSG_BRANCH_DIRECT);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x101c);
	fast_engine_fini(&e);
}

static void uncommitted_elements_end_with_the_trace(void)
{
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	push(e.fast, CSG_FAST_EVENT, 10)->number = 3;
	push(e.fast, CSG_FAST_TRACE_ON, 11);
	push(e.fast, CSG_FAST_EVENT, 12);
	csg_fast_finish(e.fast);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].info, 3);
	CU_ASSERT_EQUAL(out[1].kind, CSG_ELEMENT_END);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_fast, fast_commit, CSG_TEST(what_waits_comes_out_with_the_next_p0_element),
	  CSG_TEST(a_context_brings_its_owner_before_code_is_read),
	  CSG_TEST(what_makes_no_sense_leaves_no_elements),
	  CSG_TEST(a_source_address_is_where_the_branch_was),
	  CSG_TEST(uncommitted_elements_end_with_the_trace));
