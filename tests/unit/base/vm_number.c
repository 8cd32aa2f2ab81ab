/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/owner.h"
#include <string.h>

#include "suite.h"

static const char *text_of(int32_t vm)
{
	static char buf[CSG_VM_TEXT_SIZE];
	int length = csg_vm_text(vm, buf, sizeof(buf));

	CU_ASSERT_EQUAL(length, (int)strlen(buf));
	return buf;
}

static void a_number_is_a_pid_and_which_vm_had_it(void)
{
	CU_ASSERT_STRING_EQUAL(text_of(700), "700");
	CU_ASSERT_STRING_EQUAL(text_of(700 + CSG_VM_AGAIN), "700#1");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_VM_AGAIN - 1 + 2 * CSG_VM_AGAIN), "4194303#2");
	CU_ASSERT_STRING_EQUAL(text_of(INT32_MAX), "4194303#511");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_VM_UNKNOWN), "-1");
	CU_ASSERT_EQUAL(csg_vm_pid(700), 700);
	CU_ASSERT_EQUAL(csg_vm_pid(700 + 3 * CSG_VM_AGAIN), 700);
	CU_ASSERT_EQUAL(csg_vm_pid(CSG_VM_HOST), CSG_VM_HOST);
	CU_ASSERT_EQUAL(csg_vm_pid(CSG_VM_UNKNOWN), CSG_VM_UNKNOWN);
}

static void the_words_are_read_back(void)
{
	static const char *const none[] = {
		"",   "0",    "-1", "web",     "700#",	  "700#0",	 "#1",
		"7x", "7#1x", "7 ", "700#512", "4194304", "99999999999", "1#9999999999"};

	CU_ASSERT_EQUAL(csg_vm_of_text("700"), 700);
	CU_ASSERT_EQUAL(csg_vm_of_text("700#2"), 700 + 2 * CSG_VM_AGAIN);
	CU_ASSERT_EQUAL(csg_vm_of_text("4194303#511"), INT32_MAX);
	CU_ASSERT_EQUAL(csg_vm_of_text(NULL), CSG_VM_UNKNOWN);
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		CU_ASSERT_EQUAL(csg_vm_of_text(none[i]), CSG_VM_UNKNOWN);
}

CSG_SUITE(base, vm_number, CSG_TEST(a_number_is_a_pid_and_which_vm_had_it),
	  CSG_TEST(the_words_are_read_back));
