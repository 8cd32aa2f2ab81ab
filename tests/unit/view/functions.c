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

static const char *only_symbol;

static void symbol_of(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	(void)arg, (void)space, (void)addr, (void)time;
	*symbol = (struct csg_symbol){
		.name = only_symbol, .start = 0x1000, .end = 0x1100, .symbol_id = 1};
}

/* Whether the function of that name switches threads, and begins them. */
static void is(const char *name, bool switches, bool begins)
{
	struct csg_lookup lookup = fake_lookup;
	struct csg_functions functions;
	struct csg_function f;
	uint64_t until;

	lookup.symbol = symbol_of;
	only_symbol = name;
	CU_ASSERT_EQUAL(csg_functions_init(&functions, &lookup), 0);
	csg_functions_find(&functions, process, 0x1010, 5, &f, &until);
	CU_ASSERT_EQUAL(f.switches, switches);
	CU_ASSERT_EQUAL(f.begins, begins);
	csg_functions_fini(&functions);
}

static void what_switches_and_begins_threads_is_known_by_name(void)
{
	is("cpu_switch_to", true, false);
	is("__context_switch", true, false); /* Xen's */
	is("ret_from_fork", false, true);
	is("_start", false, true);
	is("schedule", false, false);
}

CSG_SUITE(view, functions, CSG_TEST(a_symbol_is_one_function_wherever_it_is_entered),
	  CSG_TEST(code_without_symbols_is_called_by_its_object),
	  CSG_TEST(what_switches_and_begins_threads_is_known_by_name));
