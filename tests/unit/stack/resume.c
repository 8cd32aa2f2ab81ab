/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_trace.h"
#include "stack/resume.h"

/* Enters the kernel at main and returns somewhere. */
static void syscall_to(uint64_t address)
{
	ran(HOST_USER, MAIN, NO);
	excepts(HOST_USER, MAIN + 16);
	ran(HOST_KERNEL, VECTORS, ER);
	ran(HOST_USER, address, NO);
}

static void a_trapped_instruction_may_be_skipped_or_done_again(void)
{
	open_stacks(1);
	syscall_to(MAIN + 20);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	syscall_to(MAIN + 12);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

static void a_signal_is_a_frame_that_a_system_call_ends(void)
{
	open_stacks(1);
	syscall_to(WORK);
	chain_is("work main");
	ran(HOST_USER, WORK + 16, BL);
	ran(HOST_USER, LEAF, NO);
	chain_is("leaf work main");
	excepts(HOST_USER, LEAF + 16);
	ran(HOST_KERNEL, VECTORS, ER);
	ran(HOST_USER, MAIN + 16, NO);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

static void an_exec_begins_a_new_stack(void)
{
	open_stacks(1);
	syscall_to(BEGINS);
	chain_is("begins");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_WHOLE);
	close_stacks();
}

static void a_return_to_somewhere_else_cuts_the_user_stack(void)
{
	open_stacks(1);
	syscall_to(LEAF + 0x40);
	chain_is("leaf");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_ELSEWHERE);
	close_stacks();
}

static void a_gap_cuts_the_stack_that_ran(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, NO);
	gap_on(0, CSG_GAP_OVERFLOW, 0, 0);
	ran(HOST_USER, WORK + 32, NO);
	chain_is("work");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_GAP);
	CU_ASSERT_EQUAL(csg_stacks_now(fake_stacks, 0)->gap, CSG_GAP_OVERFLOW);
	close_stacks();
}

static void what_was_not_traced_between_exception_and_return_cuts_nothing(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, NO);
	excepts(HOST_USER, WORK + 16);
	gap_on(0, CSG_GAP_TRACE_ON, 0, 0);
	ran(HOST_USER, WORK + 16, NO);
	chain_is("work main");
	excepts(HOST_USER, WORK + 32);
	gap_on(0, CSG_GAP_TRACE_ON, 0, 0);
	ran(HOST_USER, WORK + 64, NO);
	chain_is("work");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_GAP);
	close_stacks();
}

static void a_gap_in_the_kernel_leaves_user_where_it_was_left(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, NO);
	excepts(HOST_USER, WORK + 16);
	ran(HOST_KERNEL, VECTORS, NO);
	gap_on(0, CSG_GAP_OVERFLOW, 0, 0);
	ran(HOST_USER, WORK + 16, NO);
	chain_is("work main");
	close_stacks();
}

static void code_that_is_not_there_returns_to_its_caller(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, BL);
	gap_on(0, CSG_GAP_NO_CODE, HOST_USER, NOTHING_THERE);
	chain_is("? work main");
	gap_on(0, CSG_GAP_NO_CODE, HOST_USER, NOTHING_THERE + 0x20);
	ran(HOST_USER, WORK + 16, NO);
	chain_is("work main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

static void code_that_is_not_there_may_be_interrupted(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	gap_on(0, CSG_GAP_NO_CODE, HOST_USER, NOTHING_THERE);
	excepts(HOST_USER, NOTHING_THERE + 8);
	ran(HOST_KERNEL, VECTORS, ER);
	gap_on(0, CSG_GAP_NO_CODE, HOST_USER, NOTHING_THERE + 8);
	ran(HOST_USER, MAIN + 16, NO);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

CSG_SUITE(stack, resume, CSG_TEST(a_trapped_instruction_may_be_skipped_or_done_again),
	  CSG_TEST(a_signal_is_a_frame_that_a_system_call_ends),
	  CSG_TEST(an_exec_begins_a_new_stack),
	  CSG_TEST(a_return_to_somewhere_else_cuts_the_user_stack),
	  CSG_TEST(a_gap_cuts_the_stack_that_ran),
	  CSG_TEST(what_was_not_traced_between_exception_and_return_cuts_nothing),
	  CSG_TEST(a_gap_in_the_kernel_leaves_user_where_it_was_left),
	  CSG_TEST(code_that_is_not_there_returns_to_its_caller),
	  CSG_TEST(code_that_is_not_there_may_be_interrupted));
