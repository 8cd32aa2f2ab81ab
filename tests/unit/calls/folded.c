/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "fake_calls.h"
#include "calls/folded.h"

static void every_chain_with_a_weight_is_a_line(void)
{
	struct csg_call_tree tree = {
		.joined = true, .next = fake_calls_next, .time = fake_calls_time};
	const struct csg_lookup lookup = fake_calls_lookup();
	struct csg_out *out;

	fake_calls_given = false;
	CU_ASSERT_EQUAL_FATAL(csg_call_tree_open(&tree, &lookup, 1), 0);
	while (csg_call_tree_next(&tree) > 0)
		;
	out = capture_begin();
	csg_folded_write(&tree, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured, "app 101;[older];main_[k] 15\n"
			  "app 101;[older];main_[k];helper_[k] 9\n"
			  "app 101;[older];main_[k];helper_[k];vector_[k] 11\n"
			  "app 101;[older];main_[k];helper_[k];vector_[k];web</script> (VM 42) "
			  "vCPU 1;[older];main_[gk] 5\n");
	csg_call_tree_close(&tree);
}

static void worlds_and_privileges_have_suffixes(void)
{
	struct csg_call_node node = {
		.kind = CSG_NODE_FUNCTION, .world = CSG_WORLD_HOST, .privilege = CSG_KERNEL};

	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "_[k]");
	node.world = CSG_WORLD_GUEST;
	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "_[gk]");
	node.privilege = CSG_USER;
	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "_[gu]");
	node.world = CSG_WORLD_HOST;
	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "");
	node.world = CSG_WORLD_HYPERVISOR;
	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "_[h]");
	node.world = CSG_WORLD_FIRMWARE;
	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "_[f]");
	node.world = CSG_WORLD_UNKNOWN;
	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "");
	node.kind = CSG_NODE_THREAD;
	CU_ASSERT_STRING_EQUAL(csg_folded_suffix(&node), "");
}

CSG_SUITE(calls, folded, CSG_TEST(every_chain_with_a_weight_is_a_line),
	  CSG_TEST(worlds_and_privileges_have_suffixes));
