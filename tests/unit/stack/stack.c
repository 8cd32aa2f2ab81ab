/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "csguest/error.h"
#include "fake_trace.h"
#include "stack/stack.h"

static void calls_and_returns_are_followed(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, CSG_BRANCH_INDIRECT_CALL);
	ran(HOST_USER, LEAF, NO);
	chain_is("leaf work main");
	ran(HOST_USER, LEAF + 16, RET);
	ran(HOST_USER, WORK + 16, RET);
	ran(HOST_USER, MAIN + 16, CSG_BRANCH_DIRECT);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	ran(HOST_USER, WORK, NO);
	chain_is("work");
	CU_ASSERT_EQUAL(fake_ran, 28);
	CU_ASSERT_EQUAL(csg_stacks_counts(fake_stacks)->moves[CSG_MOVE_CALL], 2);
	CU_ASSERT_EQUAL(csg_stacks_counts(fake_stacks)->moves[CSG_MOVE_TAIL_CALL], 1);
	close_stacks();
}

static void a_branch_that_is_not_taken_goes_nowhere(void)
{
	struct csg_element e = fake_range(HOST_USER, MAIN, BL);

	open_stacks(1);
	e.taken = false;
	CU_ASSERT_EQUAL(feed_to(0, e, false), 1);
	ran(HOST_USER, MAIN + 16, NO);
	chain_is("main");
	close_stacks();
}

static void a_range_across_functions_is_split(void)
{
	struct csg_element e = fake_range(HOST_USER, MAIN + 0xf8, NO);

	open_stacks(1);
	e.end = MAIN + 0x108;
	CU_ASSERT_EQUAL(feed_to(0, e, false), 1);
	CU_ASSERT_EQUAL(fake_ran, 4);
	chain_is("?");
	close_stacks();
}

static void an_exception_at_the_target_of_a_call_is_after_the_call(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	excepts(HOST_USER, WORK);
	ran(HOST_KERNEL, VECTORS, NO);
	chain_is("vectors work main");
	close_stacks();
}

static void a_path_that_is_not_known_is_a_gap(void)
{
	const struct csg_element q = {.kind = CSG_ELEMENT_RANGE_NOPATH, .instructions = 7};

	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, NO);
	CU_ASSERT_EQUAL(feed_to(0, q, false), 1);
	CU_ASSERT_EQUAL(fake_ran, 15);
	ran(HOST_USER, WORK + 32, NO);
	chain_is("work");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_GAP);
	close_stacks();
}

/* What many elements at once do, each does alone. */
static void elements_may_come_one_by_one_or_at_once(void)
{
	const struct csg_element elements[] = {
		fake_range(HOST_USER, MAIN, CSG_BRANCH_DIRECT),
		fake_range(HOST_USER, MAIN + 0x20, BL),
		fake_range(HOST_USER, WORK + 48, BL),
		fake_range(HOST_USER, WORK, RET), /* a recursion */
		fake_range(HOST_USER, WORK + 64, NO),
		fake_range(HOST_USER, WORK + 16, BL),
		fake_range(HOST_USER, LEAF + 0xf8, NO), /* runs beyond its function */
		fake_range(HOST_USER, STUB, RET),
		fake_range(HOST_USER, WORK + 32, CSG_BRANCH_INDIRECT),
		fake_range(HOST_USER, STUB, RET),
		fake_range(HOST_USER, MAIN + 0x30, BL),
		fake_range(OTHER_USER, WORK, RET),
		fake_range(OTHER_USER, LEAF, BL),
		{.kind = CSG_ELEMENT_TIMESTAMP},
		fake_range(OTHER_USER, MAIN, NO),
	};
	const size_t n = sizeof(elements) / sizeof(*elements);
	char log[sizeof(fake_log)];
	uint64_t all;

	open_stacks(1);
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(feed_to(0, elements[i], false), 1);
	strcpy(log, fake_log);
	all = fake_ran;
	CU_ASSERT_EQUAL(all, 4 * (n - 1));
	chain_is("main leaf");
	close_stacks();
	open_stacks(1);
	CU_ASSERT_EQUAL(csg_stacks_feed(fake_stacks, 0, elements, n, UINT64_MAX, false), n);
	CU_ASSERT_STRING_EQUAL(fake_log, log);
	CU_ASSERT_EQUAL(fake_ran, all);
	chain_is("main leaf");
	close_stacks();
}

static void counted_ranges_do_not_say_what_was_called(void)
{
	const struct csg_element ranges = {.kind = CSG_ELEMENT_RANGES, .owner = HOST_USER};

	open_stacks(1);
	CU_ASSERT_EQUAL(feed_to(0, ranges, false), -CSG_E_USAGE);
	close_stacks();
}

CSG_SUITE(stack, stack, CSG_TEST(counted_ranges_do_not_say_what_was_called),
	  CSG_TEST(elements_may_come_one_by_one_or_at_once),
	  CSG_TEST(calls_and_returns_are_followed),
	  CSG_TEST(a_branch_that_is_not_taken_goes_nowhere),
	  CSG_TEST(a_range_across_functions_is_split),
	  CSG_TEST(an_exception_at_the_target_of_a_call_is_after_the_call),
	  CSG_TEST(a_path_that_is_not_known_is_a_gap));
