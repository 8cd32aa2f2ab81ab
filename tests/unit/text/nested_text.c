/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/nested_text.h"

#include "suite.h"

static const char *text_of(uint8_t level, int32_t nested)
{
	static char buf[CSG_NESTED_TEXT_SIZE];

	return csg_nested_text(level, nested, buf, sizeof(buf));
}

static void a_guest_of_a_guest_has_its_level_and_vm(void)
{
	CU_ASSERT_STRING_EQUAL(text_of(CSG_LEVEL_NESTED, 301), " L2 VM 301");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_LEVEL_NESTED, INT32_MAX), " L2 VM 2147483647");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_LEVEL_NESTED, CSG_VM_UNKNOWN), " L2");
}

static void others_have_none(void)
{
	CU_ASSERT_STRING_EQUAL(text_of(CSG_LEVEL_GUEST, CSG_VM_HOST), "");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_LEVEL_UNKNOWN, CSG_VM_UNKNOWN), "");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_LEVEL_HOST, CSG_VM_HOST), "");
}

CSG_SUITE(text, nested_text, CSG_TEST(a_guest_of_a_guest_has_its_level_and_vm),
	  CSG_TEST(others_have_none));
