/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_passing.h"

#include "flow/fast_engine.h"

static void a_part_that_a_context_leaves_out_is_as_it_was(void)
{
	struct csg_fast_entry entry = {.kind = CSG_FAST_CONTEXT};
	const struct csg_element *out;
	struct fast_engine e;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	entry.context = (struct csg_packet_context){.updated = true,
						    .el = 1,
						    .sf = true,
						    .ns = true,
						    .has_contextid = true,
						    .contextid = 7,
						    .has_vmid = true,
						    .vmid = 3};
	csg_fast_put_context(e.fast, &entry, 5);
	entry.context.has_vmid = false;
	entry.context.contextid = 8;
	entry.context.ns = false;
	csg_fast_put_context(e.fast, &entry, 6);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].start, 7);
	CU_ASSERT_EQUAL(out[0].end, 3);
	CU_ASSERT_EQUAL(out[1].start, 8);
	CU_ASSERT_EQUAL(out[1].end, 3);
	CU_ASSERT_EQUAL(out[1].el, 1);
	CU_ASSERT_EQUAL(out[1].index, 6);
	CU_ASSERT(out[1].info & CSG_CONTEXT_HAS_VCTX);
	CU_ASSERT_EQUAL(out[0].info >> CSG_CONTEXT_SECURITY_SHIFT & 3, CSG_NON_SECURE);
	CU_ASSERT_EQUAL(out[1].info >> CSG_CONTEXT_SECURITY_SHIFT & 3, CSG_SECURE);
	fast_engine_fini(&e);
}

static void what_passes_is_put_out_and_nothing_else(void)
{
	const struct csg_fast_entry event = {.kind = CSG_FAST_EVENT, .number = 4, .index = 1};
	const struct csg_fast_entry marker = {.kind = CSG_FAST_MARKER, .index = 2};
	const struct csg_fast_entry cycles = {.kind = CSG_FAST_CYCLES, .cycles = 9, .index = 3};
	const struct csg_fast_entry atoms = {.kind = CSG_FAST_ATOMS, .index = 4};
	const struct csg_element *out;
	struct fast_engine e;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	CU_ASSERT(csg_fast_put_passing(e.fast, &event));
	CU_ASSERT(csg_fast_put_passing(e.fast, &marker));
	CU_ASSERT(csg_fast_put_passing(e.fast, &cycles));
	CU_ASSERT(!csg_fast_put_passing(e.fast, &atoms));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_EVENT);
	CU_ASSERT_EQUAL(out[0].info, 4);
	CU_ASSERT_EQUAL(out[1].kind, CSG_ELEMENT_MARKER);
	CU_ASSERT_EQUAL(out[2].cycles, 9);
	CU_ASSERT(e.fast->seen_marker);
	fast_engine_fini(&e);
}

static void trace_on_after_an_overflow_is_one(void)
{
	const struct csg_fast_entry on = {.kind = CSG_FAST_TRACE_ON, .index = 1};
	const struct csg_element *out;
	struct fast_engine e;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	e.fast->overflowed = true;
	csg_fast_put_trace_on(e.fast, &on);
	csg_fast_put_trace_on(e.fast, &on);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].gap, CSG_GAP_OVERFLOW);
	CU_ASSERT_EQUAL(out[1].gap, CSG_GAP_TRACE_ON);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_fast, fast_passing, CSG_TEST(a_part_that_a_context_leaves_out_is_as_it_was),
	  CSG_TEST(what_passes_is_put_out_and_nothing_else),
	  CSG_TEST(trace_on_after_an_overflow_is_one));
