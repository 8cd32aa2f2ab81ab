/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static void every_error_has_a_text(void)
{
	for (int e = 0; e < CSG_E_COUNT; e++)
		CU_ASSERT(strlen(csg_strerror(e)) > 3);
}

static void sign_does_not_matter(void)
{
	CU_ASSERT_PTR_EQUAL(csg_strerror(-CSG_E_CORRUPT), csg_strerror(CSG_E_CORRUPT));
}

static void unknown_numbers_are_internal_errors(void)
{
	CU_ASSERT_STRING_EQUAL(csg_strerror(12345), csg_strerror(CSG_E_INTERNAL));
	CU_ASSERT_STRING_EQUAL(csg_strerror(-12345), csg_strerror(CSG_E_INTERNAL));
	CU_ASSERT_STRING_EQUAL(csg_strerror(INT_MIN), csg_strerror(CSG_E_INTERNAL));
	CU_ASSERT_STRING_EQUAL(csg_strerror(CSG_E_COUNT), csg_strerror(CSG_E_INTERNAL));
	CU_ASSERT_STRING_EQUAL(csg_strerror(-CSG_E_COUNT), csg_strerror(CSG_E_INTERNAL));
	CU_ASSERT_STRING_EQUAL(csg_strerror(INT_MAX), csg_strerror(CSG_E_INTERNAL));
}

CSG_SUITE(base, error, CSG_TEST(every_error_has_a_text), CSG_TEST(sign_does_not_matter),
	  CSG_TEST(unknown_numbers_are_internal_errors));
