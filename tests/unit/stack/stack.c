/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_trace.h"
#include "stack/stack.h"

#define NO CSG_BRANCH_NONE
#define BL CSG_BRANCH_CALL
#define RET CSG_BRANCH_RETURN
#define ER CSG_BRANCH_ERET

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

static void an_exception_at_the_target_of_a_call_is_behind_the_call(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	excepts(HOST_USER, WORK);
	ran(HOST_KERNEL, VECTORS, NO);
	chain_is("vectors work main");
	close_stacks();
}

/* The host's vCPU thread enters its guest: main, a system call, work that runs the guest. */
static void enter_guest(uint32_t guest)
{
	ran(HOST_USER, MAIN, NO);
	excepts(HOST_USER, MAIN + 16);
	ran(HOST_KERNEL, VECTORS, BL);
	ran(HOST_KERNEL, WORK, ER);
	ran(guest, LEAF + 0x10, BL);
	ran(guest, STUB, NO);
}

static void a_guest_hangs_under_its_vcpu_thread(void)
{
	open_stacks(1);
	enter_guest(GUEST_KERNEL);
	CU_ASSERT(fake_switch.crossed);
	chain_is("stub leaf work vectors main");
	chain_of(0, false, "stub leaf");
	close_stacks();
}

static void a_guest_exit_goes_on_in_the_frame_that_entered(void)
{
	open_stacks(1);
	enter_guest(GUEST_KERNEL);
	excepts(GUEST_KERNEL, STUB + 16);
	ran(HOST_KERNEL, VECTORS + 0x80, RET);
	CU_ASSERT(fake_switch.crossed);
	CU_ASSERT_EQUAL(fake_switch.number, 14);
	chain_is("vectors vectors main"); /* the first is the exit vector, in the frame of work */
	ran(HOST_KERNEL, VECTORS + 16, BL);
	chain_is("vectors main");
	ran(HOST_KERNEL, WORK, ER);
	ran(GUEST_KERNEL, STUB + 16, RET);
	chain_is("stub leaf work vectors main");
	ran(GUEST_KERNEL, LEAF + 0x20, NO);
	chain_is("leaf work vectors main");
	close_stacks();
}

static void an_exit_before_any_entry_was_seen_is_older(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL, MAIN, NO);
	excepts(GUEST_KERNEL, MAIN + 16);
	ran(HOST_KERNEL, VECTORS, NO);
	chain_is("vectors");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

static void an_exception_that_kvm_injects_is_a_frame(void)
{
	open_stacks(1);
	enter_guest(GUEST_KERNEL);
	excepts(GUEST_KERNEL, STUB + 16);
	ran(HOST_KERNEL, VECTORS + 0x80, ER);
	ran(GUEST_KERNEL, VECTORS + 0x80, NO);
	chain_of(0, false, "vectors stub leaf");
	ran(GUEST_KERNEL, VECTORS + 0x90, ER);
	ran(GUEST_KERNEL, STUB + 16, NO);
	chain_of(0, false, "stub leaf");
	close_stacks();
}

static void guest_user_and_guest_kernel_are_two_stacks(void)
{
	open_stacks(1);
	enter_guest(GUEST_USER);
	excepts(GUEST_USER, STUB + 16);
	ran(GUEST_KERNEL, VECTORS, BL);
	ran(GUEST_KERNEL, WORK, NO);
	chain_is("work vectors stub leaf work vectors main");
	chain_of(0, false, "work vectors stub leaf");
	close_stacks();
}

static void a_guest_that_exits_from_user_comes_back_to_it(void)
{
	open_stacks(1);
	enter_guest(GUEST_USER);
	excepts(GUEST_USER, STUB + 16);
	ran(HOST_KERNEL, VECTORS + 0x80, ER);
	ran(GUEST_USER, STUB + 16, RET);
	ran(GUEST_USER, LEAF + 0x20, NO);
	chain_of(0, false, "leaf");
	close_stacks();
}

static void a_hypervisor_at_el2_begins_anew_and_goes_on_behind_a_guest(void)
{
	open_stacks(1);
	ran(HOST_KERNEL, MAIN, NO);
	excepts(HOST_KERNEL, MAIN + 16);
	ran(HYPERVISOR, VECTORS, BL);
	ran(HYPERVISOR, WORK, ER);
	ran(GUEST_KERNEL, LEAF, NO);
	excepts(GUEST_KERNEL, LEAF + 16);
	ran(HYPERVISOR, VECTORS + 0x80, NO);
	chain_is("vectors vectors");
	ran(HYPERVISOR, VECTORS + 0x90, RET);
	ran(HYPERVISOR, VECTORS + 16, ER);
	ran(HOST_KERNEL, MAIN + 16, NO);
	chain_is("main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	close_stacks();
}

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

static void a_thread_that_is_named_behind_its_switch_gets_its_frames_back(void)
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

static void a_thread_that_only_records_name_is_followed_through_a_switch(void)
{
	open_stacks(1);
	ran(GUEST_KERNEL_6, MAIN, BL);
	switch_to(GUEST_KERNEL_6, WORK, GUEST_KERNEL, WORK + 16);
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_THREAD);
	ran(GUEST_KERNEL_5, WORK + 32, BL); /* its record comes behind the switch */
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_OLDER);
	ran(GUEST_KERNEL, SWITCHES, RET);
	ran(GUEST_KERNEL, WORK + 16, NO);
	ran(GUEST_KERNEL_6, WORK + 32, NO);
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

static void nobodys_code_between_two_exits_does_not_end_the_host(void)
{
	open_stacks(1);
	ran(HOST_USER, MAIN, NO);
	excepts(HOST_USER, MAIN + 16);
	ran(HOST_KERNEL, VECTORS, BL);
	ran(HOST_KERNEL, WORK, ER);
	gap_on(0, CSG_GAP_NO_OWNER, UNKNOWN_USER, LEAF);
	excepts(UNKNOWN_USER, LEAF + 4);
	ran(HOST_KERNEL, VECTORS + 0x80, RET);
	ran(HOST_KERNEL, VECTORS + 16, NO);
	chain_is("vectors main");
	CU_ASSERT_EQUAL(bottom(), CSG_BOTTOM_WHOLE);
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

static void a_thread_that_moves_is_waited_for(void)
{
	struct csg_element behind = fake_range(OTHER_KERNEL, WORK + 48, NO);

	open_stacks(2);
	ran_on(0, OTHER_KERNEL, MAIN, BL);
	ran_on(0, OTHER_KERNEL, WORK, NO); /* thread 20 runs on CPU 0 */
	ran_on(1, HOST_KERNEL, STUB, BL);
	ran_on(1, HOST_KERNEL, SWITCHES, RET);
	CU_ASSERT_EQUAL(feed_to(1, behind, false), 0); /* and now on CPU 1? */
	CU_ASSERT_EQUAL(csg_stacks_awaits(fake_stacks, 1), 0);
	ran_on(0, OTHER_KERNEL, WORK + 32, BL);
	ran_on(0, OTHER_KERNEL, SWITCHES, RET);
	CU_ASSERT_EQUAL(feed_to(1, behind, false), 0);
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

static void a_chain_tells_addresses_innermost_first(void)
{
	struct csg_chain_entry chain[8];

	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, NO);
	excepts(HOST_USER, WORK + 16);
	ran(HOST_KERNEL, VECTORS, BL);
	ran(HOST_KERNEL, LEAF, NO);
	CU_ASSERT_EQUAL_FATAL(csg_stacks_chain(fake_stacks, 0, LEAF + 12, true, chain, 8), 4);
	CU_ASSERT_EQUAL(chain[0].address, LEAF + 12);
	CU_ASSERT_EQUAL(chain[1].address, VECTORS + 16);
	CU_ASSERT_EQUAL(chain[2].address, WORK + 16);
	CU_ASSERT_EQUAL(chain[3].address, MAIN + 16);
	CU_ASSERT_PTR_EQUAL(chain[0].frames, chain[1].frames);
	CU_ASSERT_PTR_NOT_EQUAL(chain[1].frames, chain[2].frames);
	CU_ASSERT_EQUAL(csg_stacks_chain(fake_stacks, 0, LEAF, true, chain, 2), 2);
	close_stacks();
}

CSG_SUITE(stack, stack, CSG_TEST(calls_and_returns_are_followed),
	  CSG_TEST(a_branch_that_is_not_taken_goes_nowhere),
	  CSG_TEST(a_range_across_functions_is_split),
	  CSG_TEST(the_kernel_begins_anew_at_each_entry),
	  CSG_TEST(a_trapped_instruction_may_be_skipped_or_done_again),
	  CSG_TEST(a_signal_is_a_frame_that_a_system_call_ends),
	  CSG_TEST(an_exec_begins_a_new_stack),
	  CSG_TEST(a_return_to_somewhere_else_cuts_the_user_stack),
	  CSG_TEST(an_interrupt_of_the_kernel_is_a_frame),
	  CSG_TEST(two_exceptions_with_nothing_between_are_two),
	  CSG_TEST(an_exception_at_the_target_of_a_call_is_behind_the_call),
	  CSG_TEST(a_guest_hangs_under_its_vcpu_thread),
	  CSG_TEST(a_guest_exit_goes_on_in_the_frame_that_entered),
	  CSG_TEST(an_exit_before_any_entry_was_seen_is_older),
	  CSG_TEST(an_exception_that_kvm_injects_is_a_frame),
	  CSG_TEST(guest_user_and_guest_kernel_are_two_stacks),
	  CSG_TEST(a_guest_that_exits_from_user_comes_back_to_it),
	  CSG_TEST(a_hypervisor_at_el2_begins_anew_and_goes_on_behind_a_guest),
	  CSG_TEST(a_switch_changes_the_stack_at_its_return),
	  CSG_TEST(a_thread_that_is_named_before_its_switch_stays_until_then),
	  CSG_TEST(a_new_thread_begins_whole),
	  CSG_TEST(a_switch_to_a_thread_that_nothing_names_is_a_cut),
	  CSG_TEST(a_thread_that_is_named_behind_its_switch_gets_its_frames_back),
	  CSG_TEST(an_exception_does_not_change_the_thread),
	  CSG_TEST(a_thread_that_only_records_name_is_followed_through_a_switch),
	  CSG_TEST(a_context_id_does_not_name_what_ran_before_the_switch),
	  CSG_TEST(without_symbols_a_thread_changes_with_its_name),
	  CSG_TEST(a_gap_cuts_the_stack_that_ran),
	  CSG_TEST(what_was_not_traced_between_exception_and_return_cuts_nothing),
	  CSG_TEST(a_gap_in_the_kernel_leaves_user_where_it_was_left),
	  CSG_TEST(code_that_is_not_there_returns_to_its_caller),
	  CSG_TEST(code_that_is_not_there_may_be_interrupted),
	  CSG_TEST(nobodys_code_between_two_exits_does_not_end_the_host),
	  CSG_TEST(a_path_that_is_not_known_is_a_gap), CSG_TEST(a_thread_that_moves_is_waited_for),
	  CSG_TEST(with_force_it_gets_another_stack),
	  CSG_TEST(a_stream_that_is_over_is_not_waited_for),
	  CSG_TEST(a_chain_tells_addresses_innermost_first));
