/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_returns.h"

#include "flow/fast_engine.h"

static void a_return_goes_to_where_the_call_came_from(void)
{
	static const uint32_t words[] = {
		0x94000003, /* 1000 bl 100c */
		0x14000008, /* 1004 b 1024 */
		0xd503201f, /* 1008 nop */
		0xd65f03c0, /* 100c ret */
	};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 4);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x7, 3, 0));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(out[1].branch, CSG_BRANCH_RETURN);
	CU_ASSERT_EQUAL(out[2].start, 0x1004);
	/* Nothing is left on the stack: the next return makes no sense without an address. */
	csg_fast_go_to(e.fast, 0x100c, CSG_ISA_A64);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x1, 1, 0));
	CU_ASSERT_FALSE(csg_fast_atoms(e.fast, 0x1, 1, 0));
	fast_engine_fini(&e);
}

static void returns_are_unknown_after_missing_code_until_calls_or_synchronisation(void)
{
	static const uint32_t words[] = {
		0x94000002, /* 1000 bl 1008 */
		0x14000000, /* 1004 b 1004 */
		0xd65f03c0, /* 1008 ret */
	};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 3);
	e.fast->unit.exact_returns = true;
	csg_fast_lose_returns(e.fast);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x7, 3, 0));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(out[2].start, 0x1004); /* who called is known */
	csg_fast_go_to(e.fast, 0x1008, CSG_ISA_A64);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x3, 2, 0));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 5);
	CU_ASSERT_EQUAL(out[4].gap, CSG_GAP_RETURN);
	csg_fast_flush_returns(e.fast);
	csg_fast_go_to(e.fast, 0x1008, CSG_ISA_A64);
	e.fast->at.need_address = false;
	CU_ASSERT(csg_fast_atoms(e.fast, 0x1, 1, 0));
	CU_ASSERT_FALSE(csg_fast_atoms(e.fast, 0x1, 1, 0));
	fast_engine_fini(&e);
}

CSG_SUITE(flow_fast, fast_returns, CSG_TEST(a_return_goes_to_where_the_call_came_from),
	  CSG_TEST(returns_are_unknown_after_missing_code_until_calls_or_synchronisation));
