/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "calls/span_functions.h"
#include "fake_calls.h"
#include "stack/follower.h"

static struct csg_call_tree tree;
static struct csg_lookup lookup;
static struct csg_span_functions functions;

/* A tree with some nodes. */
static void grow(void)
{
	memset(&tree, 0, sizeof(tree));
	tree.weight = CSG_CALL_INSTRUCTIONS;
	tree.next = fake_calls_next;
	tree.time = fake_calls_time;
	fake_calls_given = false;
	lookup = fake_calls_lookup();
	CU_ASSERT_EQUAL_FATAL(csg_call_tree_open(&tree, &lookup, 1), 0);
	while (csg_call_tree_next(&tree) > 0)
		;
	CU_ASSERT_FATAL(tree.nodes.count > 4);
}

static uint64_t sum(void)
{
	uint64_t all = 0;

	for (size_t i = 0; i < functions.entry_count; i++)
		all += functions.entries[i].instructions;
	return all;
}

static void add(uint64_t time, uint32_t node, uint64_t n)
{
	CU_ASSERT_EQUAL(csg_span_functions_add(&functions, time, node, n), 0);
}

static void settle(void)
{
	CU_ASSERT_EQUAL_FATAL(csg_span_functions_settle(&functions, &tree), 0);
}

static void end(void)
{
	csg_span_functions_fini(&functions);
	csg_call_tree_close(&tree);
}

static void chains_are_counted_by_time(void)
{
	grow();
	csg_span_functions_init(&functions);
	add(100, 2, 5);
	add(101, 2, 7);
	add(101, 3, 1);
	add(101, 2, 1);
	settle();
	CU_ASSERT_EQUAL(functions.shift, 0);
	CU_ASSERT_EQUAL_FATAL(functions.entry_count, 3);
	CU_ASSERT_EQUAL(functions.entries[0].bin, 100);
	CU_ASSERT_EQUAL(functions.entries[0].instructions, 5);
	CU_ASSERT_EQUAL(functions.entries[1].bin, 101);
	CU_ASSERT_EQUAL(functions.entries[1].instructions, 8);
	CU_ASSERT_EQUAL(functions.entries[2].instructions, 1);
	end();
}

static void bins_grow_with_the_recording(void)
{
	grow();
	csg_span_functions_init(&functions);
	for (uint64_t time = 1000000; time > 0; time -= 1000)
		add(time, 1 + (uint32_t)(time % 7 % 3), 2);
	add(0, 1, 1000); /* has no time */
	settle();
	CU_ASSERT(functions.last - functions.first < CSG_SPAN_BINS);
	CU_ASSERT(functions.shift >= 9 && functions.shift <= 11);
	CU_ASSERT_EQUAL(sum(), 2000);
	end();
}

static void memory_is_bounded(void)
{
	grow();
	csg_span_functions_init(&functions);
	functions.max_entries = 8;
	for (uint64_t time = 1; time <= 500; time++) {
		add(time, 1 + (uint32_t)(time % 3), 1);
		CU_ASSERT(functions.keys.count <= 9);
	}
	settle();
	CU_ASSERT_EQUAL(sum(), 500);
	end();
}

static void small_chains_are_added_to_their_callers(void)
{
	uint32_t small;

	grow();
	for (small = 2; !csg_call_tree_node(&tree, small)->parent; small++)
		;
	csg_span_functions_init(&functions);
	add(1, csg_call_tree_node(&tree, small)->parent, 10 * CSG_SPAN_LEAST);
	add(1, small, 1);
	settle();
	CU_ASSERT_EQUAL(sum(), 10 * CSG_SPAN_LEAST + 1);
	CU_ASSERT_EQUAL(functions.entry_count, 1);
	CU_ASSERT(functions.node_count < tree.nodes.count);
	CU_ASSERT_STRING_EQUAL(functions.nodes[0].name, "all");
	for (size_t i = 1; i < functions.node_count; i++)
		CU_ASSERT(functions.nodes[i].parent < i);
	end();
}

CSG_SUITE(calls, span_functions, CSG_TEST(chains_are_counted_by_time),
	  CSG_TEST(bins_grow_with_the_recording), CSG_TEST(memory_is_bounded),
	  CSG_TEST(small_chains_are_added_to_their_callers));
