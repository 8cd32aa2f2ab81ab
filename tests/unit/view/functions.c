/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_lookup.h"
#include "view/functions.h"

static const void *const process = &fake_spaces[1];

static void a_symbol_is_one_function_wherever_it_is_entered(void)
{
	struct csg_functions functions;
	struct csg_function a, b;
	uint64_t until;
	char buf[64];

	CU_ASSERT_EQUAL(csg_functions_init(&functions, &fake_lookup), 0);
	csg_functions_find(&functions, process, 0x1010, 5, &a, &until);
	CU_ASSERT_EQUAL(until, FAKE_CHANGE);
	csg_functions_find(&functions, process, 0x10f0, 5, &b, &until);
	CU_ASSERT_EQUAL(a.label, b.label);
	CU_ASSERT(a.known);
	CU_ASSERT_FALSE(a.switches);
	CU_ASSERT_FALSE(a.begins);
	CU_ASSERT_EQUAL(a.start, 0x1000);
	CU_ASSERT_EQUAL(a.end, 0x1100);
	CU_ASSERT_STRING_EQUAL(csg_functions_text(&functions, a.label, buf, sizeof(buf)), "main");
	csg_functions_find(&functions, process, 0x1100, 5, &b, &until);
	CU_ASSERT_NOT_EQUAL(a.label, b.label);
	csg_functions_fini(&functions);
}

static void code_without_symbols_is_called_by_its_object(void)
{
	struct csg_functions functions;
	struct csg_function a, b;
	uint64_t until;
	char buf[64];

	CU_ASSERT_EQUAL(csg_functions_init(&functions, &fake_lookup), 0);
	csg_functions_find(&functions, process, 0x1300, 5, &a, &until);
	csg_functions_find(&functions, process, 0x1400, 5, &b, &until);
	CU_ASSERT_FALSE(a.known);
	CU_ASSERT_EQUAL(a.label, b.label);
	CU_ASSERT_STRING_EQUAL(csg_functions_text(&functions, a.label, buf, sizeof(buf)), "[app]");
	csg_functions_find(&functions, process, 0x100000, 5, &a, &until);
	CU_ASSERT_EQUAL(a.label, 0);
	CU_ASSERT_STRING_EQUAL(csg_functions_text(&functions, 0, buf, sizeof(buf)), "[unknown]");
	csg_functions_fini(&functions);
}

CSG_SUITE(view, functions, CSG_TEST(a_symbol_is_one_function_wherever_it_is_entered),
	  CSG_TEST(code_without_symbols_is_called_by_its_object));
