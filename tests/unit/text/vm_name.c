/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/vm_name.h"

#include <string.h>

#include "suite.h"

static void a_vm_has_its_guests_name_and_its_number(void)
{
	char buf[CSG_VM_NAME_SIZE];

	CU_ASSERT_STRING_EQUAL(csg_vm_name("web", 136, buf), "web (VM 136)");
	CU_ASSERT_STRING_EQUAL(csg_vm_name(NULL, 136 + 2 * CSG_VM_AGAIN, buf), "VM 136#2");
	CU_ASSERT_STRING_EQUAL(csg_vm_name("web", CSG_VM_UNKNOWN, buf), "VM unknown");
}

static void a_long_name_is_cut_before_the_number(void)
{
	char name[200] = "", buf[CSG_VM_NAME_SIZE];

	memset(name, 'x', sizeof(name) - 1);
	csg_vm_name(name, INT32_MAX, buf);
	CU_ASSERT_PTR_NOT_NULL(strstr(buf, "x (VM "));
	CU_ASSERT_EQUAL(buf[strlen(buf) - 1], ')');
}

CSG_SUITE(text, vm_name, CSG_TEST(a_vm_has_its_guests_name_and_its_number),
	  CSG_TEST(a_long_name_is_cut_before_the_number));
