/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "report/row_text.h"

static char buf[CSG_ROW_TEXT_MAX];

static const struct csg_report_row host = {
	.label = {.world = CSG_WORLD_HOST, .el = 2, .vm = 0, .vcpu = -1, .pid = 7, .tid = -1}};
static const struct csg_report_row guest = {
	.label = {.world = CSG_WORLD_GUEST, .el = CSG_EL_UNKNOWN, .vm = 42, .vcpu = -1}};

static void what_is_not_known_is_no_text_for_programs(void)
{
	CU_ASSERT_PTR_NULL(csg_row_cell(&guest, CSG_REPORT_EL, buf));
	CU_ASSERT_PTR_NULL(csg_row_cell(&guest, CSG_REPORT_VCPU, buf));
	CU_ASSERT_PTR_NULL(csg_row_cell(&host, CSG_REPORT_TID, buf));
	CU_ASSERT_PTR_NULL(csg_row_cell(&host, CSG_REPORT_SYMBOL, buf));
	CU_ASSERT_STRING_EQUAL(csg_row_cell(&host, CSG_REPORT_EL, buf), "EL2");
	CU_ASSERT_STRING_EQUAL(csg_row_cell(&host, CSG_REPORT_VM, buf), "0");
}

static void the_host_is_no_vm_in_text(void)
{
	struct csg_report_row again = guest;

	again.label.vm = 42 + 2 * CSG_VM_AGAIN;
	again.no_path = true;
	CU_ASSERT_STRING_EQUAL(csg_row_text(&again, CSG_REPORT_VM, buf), "42#2");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&again, CSG_REPORT_SYMBOL, buf), "[path unknown]");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&guest, CSG_REPORT_SYMBOL, buf), "[unknown]");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&host, CSG_REPORT_VM, buf), "-");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&host, CSG_REPORT_VCPU, buf), "-");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&guest, CSG_REPORT_VM, buf), "42");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&guest, CSG_REPORT_VCPU, buf), "?");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&guest, CSG_REPORT_DSO, buf), "[unknown]");
	CU_ASSERT_STRING_EQUAL(csg_row_text(&guest, CSG_REPORT_REASON, buf), "-");
}

static void only_a_guest_of_a_guest_has_a_thread_in_the_guest(void)
{
	struct csg_report_row row = guest;

	row.label.guest_tid = CSG_REPORT_NO_GUEST_TID;
	CU_ASSERT_STRING_EQUAL(csg_row_text(&row, CSG_REPORT_GUEST_TID, buf), "-");
	CU_ASSERT_PTR_NULL(csg_row_cell(&row, CSG_REPORT_GUEST_TID, buf));
	row.label.guest_tid = -1;
	CU_ASSERT_STRING_EQUAL(csg_row_text(&row, CSG_REPORT_GUEST_TID, buf), "?");
	row.label.guest_tid = 7;
	CU_ASSERT_STRING_EQUAL(csg_row_text(&row, CSG_REPORT_GUEST_TID, buf), "7");
}

static void numbers_are_numbers(void)
{
	CU_ASSERT(csg_row_is_number(CSG_REPORT_VM) && csg_row_is_number(CSG_REPORT_CPU));
	CU_ASSERT_FALSE(csg_row_is_number(CSG_REPORT_COMM) || csg_row_is_number(CSG_REPORT_EL));
}

CSG_SUITE(report, row_text, CSG_TEST(what_is_not_known_is_no_text_for_programs),
	  CSG_TEST(the_host_is_no_vm_in_text),
	  CSG_TEST(only_a_guest_of_a_guest_has_a_thread_in_the_guest),
	  CSG_TEST(numbers_are_numbers));
