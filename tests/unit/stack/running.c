/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_trace.h"
#include "stack/running.h"

static void a_thread_that_moves_is_waited_for(void)
{
	struct csg_element after = fake_range(OTHER_KERNEL, WORK + 48, NO);

	open_stacks(2);
	ran_on(0, OTHER_KERNEL, MAIN, BL);
	ran_on(0, OTHER_KERNEL, WORK, NO); /* thread 20 runs on CPU 0 */
	ran_on(1, HOST_KERNEL, STUB, BL);
	ran_on(1, HOST_KERNEL, SWITCHES, RET);
	CU_ASSERT_EQUAL(feed_to(1, after, false), 0); /* and now on CPU 1? */
	CU_ASSERT_EQUAL(csg_stacks_awaits(fake_stacks, 1), 0);
	ran_on(0, OTHER_KERNEL, WORK + 32, BL);
	ran_on(0, OTHER_KERNEL, SWITCHES, RET);
	CU_ASSERT_EQUAL(feed_to(1, after, false), 0);
	ran_on(0, GUEST_KERNEL, LEAF, NO); /* it does not run on CPU 0 any more */
	close_stacks();

	open_stacks(2);
	ran_on(0, OTHER_KERNEL, MAIN, BL);
	ran_on(0, OTHER_KERNEL, WORK + 32, BL);
	ran_on(0, OTHER_KERNEL, SWITCHES, RET);
	ran_on(0, HOST_KERNEL, LEAF, NO);
	ran_on(1, NOBODY + OTHER_USER, MAIN, NO);
	ran_on(1, OTHER_USER, MAIN + 16, NO);
	chain_of(1, true, "main");
	close_stacks();
}

static void with_force_it_gets_another_stack(void)
{
	open_stacks(2);
	ran_on(0, OTHER_KERNEL, MAIN, BL);
	ran_on(0, OTHER_KERNEL, WORK, NO);
	ran_on(1, HOST_KERNEL, STUB, BL);
	ran_on(1, HOST_KERNEL, SWITCHES, RET);
	CU_ASSERT_EQUAL(feed_to(1, fake_range(OTHER_KERNEL, WORK + 48, NO), true), 1);
	chain_of(1, true, "work");
	chain_of(0, true, "work main");
	close_stacks();
}

static void a_stream_that_is_over_is_not_waited_for(void)
{
	open_stacks(2);
	ran_on(0, OTHER_KERNEL, MAIN, BL);
	ran_on(0, OTHER_KERNEL, SWITCHES, NO);
	csg_stacks_end(fake_stacks, 0);
	ran_on(1, HOST_KERNEL, STUB, BL);
	ran_on(1, HOST_KERNEL, SWITCHES, RET);
	ran_on(1, OTHER_KERNEL, MAIN + 16, NO);
	chain_of(1, true, "main");
	close_stacks();
}

static void a_switch_is_hidden_where_an_exception_led_to_what_is_not_traced(void)
{
	open_stacks(1);
	ran(GUEST_USER_5, MAIN, NO);
	excepts(GUEST_USER_5, MAIN + 16);
	gap_on(0, CSG_GAP_TRACE_ON, HOST_KERNEL, 0);
	ran(HOST_KERNEL, WORK, ER);
	CU_ASSERT_TRUE(fake_switch.hidden);
	ran(HOST_USER, MAIN, NO);
	CU_ASSERT_FALSE(fake_switch.hidden);
	gap_on(0, CSG_GAP_TRACE_ON, HOST_KERNEL, 0);
	ran(HOST_KERNEL, WORK, NO);
	CU_ASSERT_FALSE(fake_switch.hidden);
	close_stacks();
}

/* A thread is said to run on two CPUs: in the kernel on one, and in user code on the other. */
static void a_stack_that_another_stream_emptied_is_not_gone_on_with(void)
{
	open_stacks(2);
	ran_on(0, OTHER_KERNEL, MAIN, BL);
	ran_on(0, OTHER_KERNEL, WORK, RET);
	ran_on(1, OTHER_USER, MAIN, NO);
	CU_ASSERT_EQUAL(feed_to(1,
				(struct csg_element){.kind = CSG_ELEMENT_EXCEPTION,
						     .owner = OTHER_USER,
						     .has_return = true,
						     .end = MAIN + 16},
				true),
			1);
	ran_on(1, OTHER_KERNEL, WORK, ER);
	ran_on(1, OTHER_USER, MAIN + 16, NO); /* the thread's kernel stack is empty */
	ran_on(0, OTHER_KERNEL, MAIN + 32, RET);
	ran_on(0, OTHER_KERNEL, WORK + 32, NO);
	chain_of(1, true, "main");
	chain_of(0, true, "work main");
	close_stacks();
}

CSG_SUITE(stack, running, CSG_TEST(a_thread_that_moves_is_waited_for),
	  CSG_TEST(with_force_it_gets_another_stack),
	  CSG_TEST(a_stream_that_is_over_is_not_waited_for),
	  CSG_TEST(a_stack_that_another_stream_emptied_is_not_gone_on_with),
	  CSG_TEST(a_switch_is_hidden_where_an_exception_led_to_what_is_not_traced));
