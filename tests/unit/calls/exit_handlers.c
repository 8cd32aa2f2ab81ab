/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_handlers.h"

#include <stddef.h>

#include "suite.h"

static void handlers_of_kvm_and_xen_are_known_by_name(void)
{
	CU_ASSERT_EQUAL(csg_exit_handler_class("kvm_handle_guest_abort"), CSG_EXIT_HANDLER);
	CU_ASSERT_EQUAL(csg_exit_handler_class("handle_hvc"), CSG_EXIT_HANDLER);
	CU_ASSERT_EQUAL(csg_exit_handler_class("do_trap_hypercall"), CSG_EXIT_HANDLER);
	CU_ASSERT_EQUAL(csg_exit_handler_class("kvm_hyp_handle_fpsimd"), CSG_EXIT_FAST_HANDLER);
	CU_ASSERT_EQUAL(csg_exit_handler_class("do_trap_guest_sync"), CSG_EXIT_FAST_HANDLER);
	CU_ASSERT_EQUAL(csg_exit_handler_class("schedule"), CSG_EXIT_ORDINARY);
	CU_ASSERT_EQUAL(csg_exit_handler_class("handle_hvc_call"), CSG_EXIT_ORDINARY);
	CU_ASSERT_EQUAL(csg_exit_handler_class(NULL), CSG_EXIT_ORDINARY);
}

/* They run when a vCPU is entered. */
static void what_completes_mmio_handles_no_exit(void)
{
	CU_ASSERT_EQUAL(csg_exit_handler_class("kvm_handle_mmio_return"), CSG_EXIT_ORDINARY);
	CU_ASSERT_EQUAL(csg_exit_handler_class("kvm_handle_mmio"), CSG_EXIT_ORDINARY);
}

static void a_guest_that_waits_is_known_by_its_handler(void)
{
	CU_ASSERT(csg_exit_handler_waits("kvm_handle_wfx"));
	CU_ASSERT(csg_exit_handler_waits("vcpu_block_unless_event_pending"));
	CU_ASSERT(!csg_exit_handler_waits("vcpu_yield"));
	CU_ASSERT(!csg_exit_handler_waits(NULL));
}

CSG_SUITE(calls, exit_handlers, CSG_TEST(handlers_of_kvm_and_xen_are_known_by_name),
	  CSG_TEST(what_completes_mmio_handles_no_exit),
	  CSG_TEST(a_guest_that_waits_is_known_by_its_handler));
