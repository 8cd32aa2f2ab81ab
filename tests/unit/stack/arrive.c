/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_trace.h"
#include "stack/arrive.h"

static void the_kernel_begins_anew_at_each_entry(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, NO);
	excepts(HOST_USER, WORK + 16);
	ran(HOST_KERNEL, VECTORS, BL);
	ran(HOST_KERNEL, LEAF, RET);
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_WHOLE);
	chain_is("leaf vectors work main");
	CU_ASSERT_EQUAL(fake_switch.why, CSG_MOVE_EXCEPTION);
	CU_ASSERT_EQUAL(fake_switch.left, WORK + 16);
	CU_ASSERT_FALSE(fake_switch.crossed);
	ran(HOST_KERNEL, VECTORS + 16, ER);
	ran(HOST_USER, WORK + 16, RET);
	chain_is("work main");
	CU_ASSERT_EQUAL(fake_switch.why, CSG_MOVE_ERET);
	ran(HOST_USER, MAIN + 16, NO);
	chain_is("main");
	close_stacks();
}

static void an_interrupt_of_the_kernel_is_a_frame(void)
{
	open_stacks(1);
	ran(HOST_KERNEL, MAIN, NO);
	excepts(HOST_KERNEL, MAIN + 16);
	ran(HOST_KERNEL, VECTORS, NO);
	chain_is("vectors main");
	ran(HOST_KERNEL, VECTORS + 16, ER);
	ran(HOST_KERNEL, MAIN + 16, NO);
	chain_is("main");
	close_stacks();
}

static void two_exceptions_with_nothing_between_are_two(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, NO);
	excepts(HOST_USER, MAIN + 16);
	excepts(HOST_KERNEL, VECTORS + 0x80);
	ran(HOST_KERNEL, VECTORS, ER);
	ran(HOST_KERNEL, VECTORS + 0x80, NO);
	chain_is("vectors main");
	ran(HOST_KERNEL, VECTORS + 0x90, ER);
	ran(HOST_USER, MAIN + 16, NO);
	chain_is("main");
	close_stacks();
}

static void an_exception_does_not_change_the_thread(void)
{
	open_stacks(1);
	ran(GUEST_USER_5, MAIN, BL);
	ran(GUEST_USER_5, WORK, NO);
	excepts(GUEST_USER_5, WORK + 16);
	ran(GUEST_KERNEL, VECTORS, NO); /* around a switch, nobody says who it is */
	chain_is("vectors work main");
	ran(GUEST_KERNEL, VECTORS + 16, ER);
	ran(GUEST_USER, WORK + 16, RET); /* nor here, but it is whom the kernel ran for */
	ran(GUEST_USER, MAIN + 16, NO);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

/* A virtual interrupt is pending when the guest is entered: the trace has no context before it. */
static void a_guest_may_be_interrupted_where_it_is_entered(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL_5, MAIN, NO);
	excepts(GUEST_KERNEL_5, MAIN + 16);
	ran(HOST_KERNEL, WORK, ER);
	excepts(HOST_KERNEL, MAIN + 16);
	ran(GUEST_KERNEL_5, VECTORS, NO);
	CU_ASSERT_EQUAL(fake_switch.why, CSG_MOVE_ERET);
	CU_ASSERT_TRUE(fake_switch.crossed);
	CU_ASSERT_TRUE(fake_switch.from->in_guest);
	chain_is("vectors main work");
	ran(GUEST_KERNEL_5, VECTORS + 16, ER);
	ran(GUEST_KERNEL_5, MAIN + 16, NO);
	chain_is("main work");
	close_stacks();
}

static void a_thread_may_be_interrupted_where_the_kernel_returns_to(void)
{
	open_stacks(1);
	ran(HOST_KERNEL, MAIN, NO);
	excepts(HOST_KERNEL, MAIN + 16);
	ran(HOST_KERNEL, VECTORS, ER);
	excepts(HOST_KERNEL, MAIN + 16);
	ran(HOST_KERNEL, VECTORS, NO);
	chain_is("vectors main");
	ran(HOST_KERNEL, VECTORS + 16, ER);
	ran(HOST_KERNEL, MAIN + 16, NO);
	chain_is("main");
	close_stacks();
}

CSG_SUITE(stack, arrive, CSG_TEST(the_kernel_begins_anew_at_each_entry),
	  CSG_TEST(an_interrupt_of_the_kernel_is_a_frame),
	  CSG_TEST(two_exceptions_with_nothing_between_are_two),
	  CSG_TEST(an_exception_does_not_change_the_thread),
	  CSG_TEST(a_guest_may_be_interrupted_where_it_is_entered),
	  CSG_TEST(a_thread_may_be_interrupted_where_the_kernel_returns_to));
