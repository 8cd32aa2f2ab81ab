/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/exit_code.h"

#include <limits.h>

#include "csguest/error.h"
#include "suite.h"

static void sign_does_not_matter(void)
{
	CU_ASSERT_EQUAL(csg_exit_code(-CSG_E_CORRUPT), csg_exit_code(CSG_E_CORRUPT));
	CU_ASSERT_EQUAL(csg_exit_code(CSG_E_CORRUPT), 15);
}

static void unknown_numbers_are_internal_errors(void)
{
	CU_ASSERT_EQUAL(csg_exit_code(-12345), 1);
	CU_ASSERT_EQUAL(csg_exit_code(INT_MIN), 1);
	CU_ASSERT_EQUAL(csg_exit_code(CSG_E_COUNT), 1);
	CU_ASSERT_EQUAL(csg_exit_code(-CSG_E_COUNT), 1);
}

static void exit_codes_tell_errors_apart(void)
{
	CU_ASSERT_EQUAL(csg_exit_code(0), 0);
	for (int a = 0; a < CSG_E_COUNT; a++)
		for (int b = 0; b < a; b++)
			CU_ASSERT_NOT_EQUAL(csg_exit_code(a), csg_exit_code(b));
}

CSG_SUITE(cli, exit_code, CSG_TEST(sign_does_not_matter),
	  CSG_TEST(unknown_numbers_are_internal_errors), CSG_TEST(exit_codes_tell_errors_apart));
