/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_trace.h"
#include "stack/border.h"

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

static void a_hypervisor_at_el2_begins_anew_and_goes_on_after_a_guest(void)
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

static void a_chain_tells_addresses_innermost_first(void)
{
	struct csg_chain_entry chain[8];

	open_stacks(1);
	ran(HOST_USER, MAIN, BL);
	ran(HOST_USER, WORK, NO);
	excepts(HOST_USER, WORK + 16);
	ran(HOST_KERNEL, VECTORS, BL);
	ran(HOST_KERNEL, LEAF, NO);
	CU_ASSERT_EQUAL_FATAL(
		csg_stacks_chain(fake_stacks, 0, LEAF + 12, true, chain, sizeof(chain[0]), 8), 4);
	CU_ASSERT_EQUAL(chain[0].address, LEAF + 12);
	CU_ASSERT_EQUAL(chain[1].address, VECTORS + 16);
	CU_ASSERT_EQUAL(chain[2].address, WORK + 16);
	CU_ASSERT_EQUAL(chain[3].address, MAIN + 16);
	CU_ASSERT_PTR_EQUAL(chain[0].stack, chain[1].stack);
	CU_ASSERT_PTR_NOT_EQUAL(chain[1].stack, chain[2].stack);
	CU_ASSERT_EQUAL(csg_stacks_chain(fake_stacks, 0, LEAF, true, chain, sizeof(chain[0]), 2),
			2);
	close_stacks();
}

CSG_SUITE(stack, border, CSG_TEST(a_guest_hangs_under_its_vcpu_thread),
	  CSG_TEST(a_guest_exit_goes_on_in_the_frame_that_entered),
	  CSG_TEST(an_exit_before_any_entry_was_seen_is_older),
	  CSG_TEST(an_exception_that_kvm_injects_is_a_frame),
	  CSG_TEST(guest_user_and_guest_kernel_are_two_stacks),
	  CSG_TEST(a_guest_that_exits_from_user_comes_back_to_it),
	  CSG_TEST(a_hypervisor_at_el2_begins_anew_and_goes_on_after_a_guest),
	  CSG_TEST(nobodys_code_between_two_exits_does_not_end_the_host),
	  CSG_TEST(a_chain_tells_addresses_innermost_first));
