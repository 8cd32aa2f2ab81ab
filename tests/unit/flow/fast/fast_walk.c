/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_walk.h"

#include "flow/core/flow_follow.h"
#include "flow/fast_engine.h"

static void code_is_read_once(void)
{
	static const uint32_t words[] = {0x14000001, 0x17ffffff}; /* b .+4, b .-4 */
	struct fast_engine e;
	size_t reads;

	fast_engine_init(&e, words, 2);
	CU_ASSERT(csg_fast_atoms(e.fast, 0xff, 8, 0));
	reads = e.reads;
	for (int i = 0; i < 10; i++)
		CU_ASSERT(csg_fast_atoms(e.fast, 0xff, 8, 0));
	CU_ASSERT_EQUAL(e.reads, reads);
	e.words[0] = 0x14000003; /* to 100c now */
	csg_flow_forget_code(e.flow);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x1, 1, 0));
	CU_ASSERT_EQUAL(e.fast->at.address, 0x100c);
	fast_engine_fini(&e);
}

static void missing_code_is_a_gap_after_what_is_there(void)
{
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	csg_fast_go_to(e.fast, 0x1038, CSG_ISA_A64);
	CU_ASSERT(
		csg_fast_atoms(e.fast, 0x3, 2, 0)); /* the second is skipped: nobody knows where */
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].instructions, 2);
	CU_ASSERT_EQUAL(out[1].kind, CSG_ELEMENT_GAP);
	CU_ASSERT_EQUAL(out[1].start, 0x1040);
	CU_ASSERT(e.fast->at.need_address);
	fast_engine_fini(&e);
}

/* An engine in AArch64, at 0x1000, with a UDF at 0x1008. */
static void begin_before_undefined(struct fast_engine *e, uint32_t udf)
{
	const uint32_t words[] = {0xd503201f, 0xd503201f, udf, 0xd503201f, 0x14000000};

	fast_engine_init(e, words, 5);
	csg_flow_follow_context(e->flow, 0, CSG_EL1, true);
	csg_flow_take(e->flow);
}

static void an_undefined_instruction_may_be_reached_and_followed(void)
{
	struct fast_engine e;
	struct csg_fast_walk walk;
	const struct csg_element *out;
	size_t n;

	begin_before_undefined(&e, 0);
	csg_fast_walk_to(e.fast, 0x1008, &walk); /* to its own exception */
	CU_ASSERT(walk.found);
	CU_ASSERT_EQUAL(walk.count, 2);
	csg_fast_walk_to(e.fast, 0x100c, &walk);
	CU_ASSERT_FALSE(walk.found);
	CU_ASSERT_EQUAL(walk.end, 0x1008);
	csg_fast_go_to(e.fast, 0x100c, CSG_ISA_A64); /* whoever handles it returns after it */
	CU_ASSERT(csg_fast_atoms(e.fast, 0x1, 1, 0));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].instructions, 2);
	fast_engine_fini(&e);
}

/* In A32 the same word is an instruction: andeq r0, r0, r0. */
static void what_is_undefined_is_so_in_aarch64(void)
{
	static const uint32_t words[] = {0, 0, 0xeafffffe}; /* b . */
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 3);
	csg_flow_follow_context(e.flow, 0, CSG_EL0, true);
	csg_fast_go_to(e.fast, 0x1008, CSG_ISA_A64);
	csg_flow_follow_context(e.flow, 0, CSG_EL0, false);
	csg_fast_go_to(e.fast, 0x1000, CSG_ISA_A32);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x1, 1, 0));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].instructions, 3);
	fast_engine_fini(&e);
}

/* Between a context and its element: code read as AArch32 has it is not used in AArch64. */
static void code_of_a_context_to_come_is_not_remembered(void)
{
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	begin_before_undefined(&e, 1);
	e.flow->a64 = false;
	CU_ASSERT(csg_fast_atoms(e.fast, 0x1, 1, 0));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].instructions, 5);
	csg_flow_take(e.flow);
	csg_flow_follow_context(e.flow, 0, CSG_EL1, true);
	csg_fast_go_to(e.fast, 0x1000, CSG_ISA_A64);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x1, 1, 0));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].instructions, 2);
	CU_ASSERT_EQUAL(out[1].start, 0x1008);
	fast_engine_fini(&e);
}

static void a_walk_ends_at_its_target_or_where_code_does(void)
{
	struct fast_engine e;
	struct csg_fast_walk walk;

	fast_engine_init(&e, NULL, 0);
	csg_fast_walk_to(e.fast, 0x1010, &walk);
	CU_ASSERT(walk.found);
	CU_ASSERT_EQUAL(walk.count, 4);
	CU_ASSERT_EQUAL(walk.end, 0x1010);
	csg_fast_walk_to(e.fast, 0x1012, &walk);
	CU_ASSERT_FALSE(walk.found);
	CU_ASSERT_EQUAL(walk.end, 0x1040);
	CU_ASSERT_EQUAL(walk.count, 16);
	csg_fast_go_to(e.fast, UINT64_MAX - 0xfff, CSG_ISA_A64);
	csg_fast_walk_to(e.fast, 0, &walk);
	CU_ASSERT_EQUAL(walk.count, 0);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_fast, fast_walk, CSG_TEST(code_is_read_once),
	  CSG_TEST(missing_code_is_a_gap_after_what_is_there),
	  CSG_TEST(an_undefined_instruction_may_be_reached_and_followed),
	  CSG_TEST(what_is_undefined_is_so_in_aarch64),
	  CSG_TEST(code_of_a_context_to_come_is_not_remembered),
	  CSG_TEST(a_walk_ends_at_its_target_or_where_code_does));
