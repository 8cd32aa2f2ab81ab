/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_trace.h"
#include "stack/thread_switch.h"

/* Thread 10 calls the function that switches threads, which returns in another. */
static void switch_to(uint32_t from, uint64_t at, uint32_t to, uint64_t address)
{
	ran(from, at, BL);
	ran(from, SWITCHES, RET);
	ran(to, address, NO);
}

static void a_switch_changes_the_stack_at_its_return(void)
{
	open_stacks(1);
	ran(HOST_KERNEL, MAIN, BL);
	switch_to(HOST_KERNEL, WORK, OTHER_KERNEL, WORK + 16);
	chain_is("work");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	CU_ASSERT_EQUAL(fake_switch.why, CSG_MOVE_RETURN);
	switch_to(OTHER_KERNEL, WORK + 16, HOST_KERNEL, WORK + 16);
	chain_is("work main");
	close_stacks();
}

static void a_thread_that_is_named_before_its_switch_stays_until_then(void)
{
	open_stacks(1);
	ran(HOST_KERNEL, MAIN, BL);
	ran(HOST_KERNEL, WORK, NO);
	ran(OTHER_KERNEL, WORK + 16, NO); /* the context ID is written first */
	chain_is("work main");
	ran(OTHER_KERNEL, WORK + 32, BL);
	ran(OTHER_KERNEL, SWITCHES, RET);
	ran(OTHER_KERNEL, WORK + 48, NO);
	chain_is("work");
	ran(HOST_KERNEL, WORK + 64, BL);
	ran(HOST_KERNEL, SWITCHES, RET);
	ran(HOST_KERNEL, WORK + 48, NO);
	chain_is("work main");
	close_stacks();
}

static void a_new_thread_begins_whole(void)
{
	open_stacks(1);
	ran(HOST_KERNEL, MAIN, BL);
	switch_to(HOST_KERNEL, WORK, OTHER_KERNEL, BEGINS);
	chain_is("begins");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_WHOLE);
	close_stacks();
}

static void a_switch_to_a_thread_that_nothing_names_is_a_cut(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL, MAIN, BL);
	switch_to(GUEST_KERNEL, WORK, GUEST_KERNEL, WORK + 16);
	chain_is("work");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_THREAD);
	ran(GUEST_KERNEL, WORK + 32, RET);
	ran(GUEST_KERNEL, MAIN + 32, NO);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_THREAD);
	close_stacks();
}

static void a_thread_that_is_named_after_its_switch_gets_its_frames_back(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL_5, MAIN, BL);
	switch_to(GUEST_KERNEL_5, WORK, GUEST_KERNEL_5, WORK + 16);
	chain_is("work");
	ran(GUEST_KERNEL_6, WORK + 32, NO); /* now it is known who */
	chain_is("work");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	switch_to(GUEST_KERNEL_6, WORK + 48, GUEST_KERNEL_6, WORK + 16);
	ran(GUEST_KERNEL_6, WORK + 32, BL);
	ran(GUEST_KERNEL_6, LEAF, NO);
	chain_is("leaf work");
	ran(GUEST_KERNEL_5, LEAF + 16, NO);
	chain_is("leaf work main");
	close_stacks();
}

static void a_thread_that_only_records_name_is_followed_through_a_switch(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL_6, MAIN, BL);
	switch_to(GUEST_KERNEL_6, WORK, GUEST_KERNEL, WORK + 16);
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_THREAD);
	ran(GUEST_KERNEL_5, WORK + 32, BL); /* its record comes after the switch */
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	ran(GUEST_KERNEL, SWITCHES, RET);
	ran(GUEST_KERNEL, WORK + 16, NO);
	ran(GUEST_KERNEL_6, WORK + 32, NO);
	chain_is("work main");
	close_stacks();
}

/* Thread 6 is switched away from where it is, and back to; nobody says so yet. */
static void switch_away_and_back(void)
{
	switch_to(GUEST_KERNEL_6, WORK, GUEST_KERNEL, WORK + 16);
	ran(GUEST_KERNEL_5, WORK + 32, BL);
	ran(GUEST_KERNEL, SWITCHES, RET);
	ran(GUEST_KERNEL, WORK + 16, RET);
}

static void a_thread_may_leave_a_function_for_another_before_it_is_named(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL_6, MAIN, BL);
	switch_away_and_back();
	ran(GUEST_KERNEL, MAIN + 16, CSG_BRANCH_DIRECT);
	ran(GUEST_KERNEL, LEAF, NO);
	ran(GUEST_KERNEL_6, LEAF + 16, NO);
	chain_is("leaf");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

static void a_thread_may_return_from_all_that_is_known_before_it_is_named(void)
{
	open_stacks(1);
	switch_away_and_back();
	ran(GUEST_KERNEL, MAIN + 16, NO);
	ran(GUEST_KERNEL_6, MAIN + 32, NO);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

static void a_thread_is_joined_where_it_returned_to_before_it_is_named(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL_6, MAIN, BL);
	ran(GUEST_KERNEL_6, WORK, NO);
	ran(GUEST_KERNEL_6, WORK + 16, BL);
	ran(GUEST_KERNEL_6, LEAF, BL); /* into the same function again, */
	switch_away_and_back();	       /* which returns, */
	ran(GUEST_KERNEL, LEAF + 16, RET);
	ran(GUEST_KERNEL, WORK + 32, NO); /* and so does the leaf */
	ran(GUEST_KERNEL_6, WORK + 48, NO);
	chain_is("work main");
	close_stacks();
}

static void a_context_id_does_not_name_what_ran_before_the_switch(void)
{
	open_stacks(1);
	ran(OTHER_KERNEL, MAIN, BL);
	switch_to(OTHER_KERNEL, WORK, HOST_IDLE, WORK + 16);
	ran(HOST_KERNEL, WORK + 32, NO); /* written while idle's stack still runs */
	chain_is("work");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

static void without_symbols_a_thread_changes_with_its_name(void)
{
	open_stacks(1);
	fake_no_symbols = true;
	ran(HOST_KERNEL, MAIN, BL);
	ran(HOST_KERNEL, WORK, NO);
	CU_ASSERT_EQUAL(csg_stacks_now(fake_stacks, 0)->depth, 2);
	ran(OTHER_KERNEL, WORK + 16, NO);
	CU_ASSERT_EQUAL(csg_stacks_now(fake_stacks, 0)->depth, 1);
	ran(HOST_KERNEL, WORK + 32, NO);
	CU_ASSERT_EQUAL(csg_stacks_now(fake_stacks, 0)->depth, 2);
	close_stacks();
}

CSG_SUITE(stack, thread_switch, CSG_TEST(a_switch_changes_the_stack_at_its_return),
	  CSG_TEST(a_thread_that_is_named_before_its_switch_stays_until_then),
	  CSG_TEST(a_new_thread_begins_whole),
	  CSG_TEST(a_switch_to_a_thread_that_nothing_names_is_a_cut),
	  CSG_TEST(a_thread_that_is_named_after_its_switch_gets_its_frames_back),
	  CSG_TEST(a_thread_that_only_records_name_is_followed_through_a_switch),
	  CSG_TEST(a_thread_may_leave_a_function_for_another_before_it_is_named),
	  CSG_TEST(a_thread_may_return_from_all_that_is_known_before_it_is_named),
	  CSG_TEST(a_thread_is_joined_where_it_returned_to_before_it_is_named),
	  CSG_TEST(a_context_id_does_not_name_what_ran_before_the_switch),
	  CSG_TEST(without_symbols_a_thread_changes_with_its_name));
