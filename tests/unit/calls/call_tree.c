/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdio.h>

#include "fake_calls.h"
#include "stack/follower.h"
#include "calls/call_tree.h"

static struct csg_call_tree tree;
static struct csg_lookup lookup;

static void grow_as(enum csg_call_weight weight, bool joined, bool timed)
{
	int ret;

	memset(&tree, 0, sizeof(tree));
	tree.timed = timed;
	tree.weight = weight;
	tree.joined = joined;
	tree.next = fake_calls_next;
	tree.time = fake_calls_time;
	fake_calls_given = false;
	lookup = fake_calls_lookup();
	lookup.guest = NULL;
	CU_ASSERT_EQUAL_FATAL(csg_call_tree_open(&tree, &lookup, 1), 0);
	while ((ret = csg_call_tree_next(&tree)) > 0)
		;
	CU_ASSERT_EQUAL(ret, 0);
}

static void grow(enum csg_call_weight weight, bool joined)
{
	grow_as(weight, joined, false);
}

/* The weight of a chain, "outermost/.../innermost"; -1: there is none. */
static long weight(const char *chain, uint64_t *calls)
{
	char text[512], name[256];

	for (uint32_t i = 1; i < tree.nodes.count; i++) {
		text[0] = 0;
		for (uint32_t at = i; at; at = csg_call_tree_node(&tree, at)->parent) {
			char rest[128];

			snprintf(rest, sizeof(rest), "%.120s", text);
			snprintf(text, sizeof(text), "%s%s%s",
				 csg_call_tree_text(&tree, at, name, sizeof(name)),
				 rest[0] ? "/" : "", rest);
		}
		if (calls && !strcmp(text, chain))
			*calls = tree.entries[i];
		if (!strcmp(text, chain))
			return (long)tree.self[i];
	}
	return -1;
}

#define MAIN "app 101/[older]/main"

static void weights_are_where_they_were_spent(void)
{
	uint64_t calls = 0;

	grow(CSG_CALL_INSTRUCTIONS, true);
	CU_ASSERT_EQUAL(weight(MAIN, NULL), 15);
	CU_ASSERT_EQUAL(weight(MAIN "/helper", &calls), 9);
	CU_ASSERT_EQUAL(calls, 2);
	CU_ASSERT_EQUAL(weight(MAIN "/helper/vector", NULL), 11);
	CU_ASSERT_EQUAL(weight("all", NULL), -1);
	csg_call_tree_close(&tree);
}

static void a_guest_hangs_under_its_host_or_stands_alone(void)
{
	grow(CSG_CALL_INSTRUCTIONS, true);
	CU_ASSERT_EQUAL(weight(MAIN "/helper/vector/VM 42 vCPU 1/[older]/main", NULL), 5);
	csg_call_tree_close(&tree);
	grow(CSG_CALL_INSTRUCTIONS, false);
	CU_ASSERT_EQUAL(weight("VM 42 vCPU 1/[older]/main", NULL), 5);
	csg_call_tree_close(&tree);
}

static void time_is_shared_by_instructions(void)
{
	grow(CSG_CALL_TIME, true);
	/* 40 ns for 20 instructions; 10 for 10; 10 for 10, of which the guest has five. */
	CU_ASSERT_EQUAL(weight(MAIN, NULL), 28 + 1);
	CU_ASSERT_EQUAL(weight(MAIN "/helper", NULL), 12 + 2 + 1);
	CU_ASSERT_EQUAL(weight(MAIN "/helper/vector", NULL), 8 + 3);
	CU_ASSERT_EQUAL(weight(MAIN "/helper/vector/VM 42 vCPU 1/[older]/main", NULL), 5);
	csg_call_tree_close(&tree);
}

static void times_come_beside_another_weight(void)
{
	uint64_t instructions = 0, times = 0;

	grow_as(CSG_CALL_INSTRUCTIONS, true, true);
	for (uint32_t i = 0; i < tree.nodes.count; i++) {
		instructions += tree.self[i];
		times += tree.times[i];
	}
	CU_ASSERT_EQUAL(instructions, 40);
	CU_ASSERT_EQUAL(times, 60);
	csg_call_tree_close(&tree);
}

static void what_passed_while_trace_was_lost_is_nobodys(void)
{
	struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW};
	struct csg_element late = FAKE_STAMP(1000000);
	uint64_t before = 0, after = 0;

	grow(CSG_CALL_TIME, true);
	for (uint32_t i = 0; i < tree.nodes.count; i++)
		before += tree.self[i];
	csg_stacks_feed(tree.follower->stacks, 0, &gap, 1, 5, false);
	csg_stacks_feed(tree.follower->stacks, 0, &late, 1, 5, false);
	for (uint32_t i = 0; i < tree.nodes.count; i++)
		after += tree.self[i];
	CU_ASSERT_EQUAL(before, 60);
	CU_ASSERT_EQUAL(after, 60);
	csg_call_tree_close(&tree);
}

static void cycles_are_shared_as_time_is(void)
{
	struct csg_element cycles = {.kind = CSG_ELEMENT_CYCLES, .cycles = 120};

	grow(CSG_CALL_CYCLES, true);
	CU_ASSERT_EQUAL(weight(MAIN, NULL), 0);
	csg_stacks_feed(tree.follower->stacks, 0, &cycles, 1, 5, false);
	CU_ASSERT_EQUAL(weight(MAIN, NULL), 45);
	CU_ASSERT_EQUAL(weight(MAIN "/helper", NULL), 27);
	csg_call_tree_close(&tree);
}

static void what_is_not_known_has_a_name(void)
{
	char buf[256];
	struct csg_call_node node = {.kind = CSG_NODE_BOTTOM, .label = CSG_BOTTOM_GAP};
	int64_t number;

	grow(CSG_CALL_INSTRUCTIONS, true);
	number = csg_keyset_add(&tree.nodes, &node);
	CU_ASSERT_STRING_EQUAL(csg_call_tree_text(&tree, (uint32_t)number, buf, sizeof(buf)),
			       "[cut: trace lost]");
	CU_ASSERT_STRING_EQUAL(csg_call_tree_text(&tree, 0, buf, sizeof(buf)), "all");
	csg_call_tree_close(&tree);
}

CSG_SUITE(calls, call_tree, CSG_TEST(weights_are_where_they_were_spent),
	  CSG_TEST(a_guest_hangs_under_its_host_or_stands_alone),
	  CSG_TEST(time_is_shared_by_instructions), CSG_TEST(times_come_beside_another_weight),
	  CSG_TEST(what_passed_while_trace_was_lost_is_nobodys),
	  CSG_TEST(cycles_are_shared_as_time_is), CSG_TEST(what_is_not_known_has_a_name));
