/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "text/exception_name.h"

static void exceptions_have_names(void)
{
	CU_ASSERT_STRING_EQUAL(csg_exception_name(0x0e), "IRQ");
	CU_ASSERT_STRING_EQUAL(csg_exception_name(0x02), "call");
	CU_ASSERT_STRING_EQUAL(csg_exception_name(0x05), "exception");
	CU_ASSERT_STRING_EQUAL(csg_exception_name(1000), "exception");
}

static void vectors_of_a_lower_level_have_names(void)
{
	CU_ASSERT_STRING_EQUAL(csg_vector_name(0xffff800080001400), "sync");
	CU_ASSERT_STRING_EQUAL(csg_vector_name(0xffff800080001480), "IRQ");
	CU_ASSERT_STRING_EQUAL(csg_vector_name(0xffff800080001500), "FIQ");
	CU_ASSERT_STRING_EQUAL(csg_vector_name(0xffff800080001784), "SError");
	CU_ASSERT_PTR_NULL(csg_vector_name(0xffff800080001280));
}

CSG_SUITE(text, exception_name, CSG_TEST(exceptions_have_names),
	  CSG_TEST(vectors_of_a_lower_level_have_names));
