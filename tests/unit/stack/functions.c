/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "csguest/error.h"
#include "fake_source.h"
#include "stack/functions.h"

static const void *const process = &fake_spaces[1];

static void a_symbol_is_one_function_wherever_it_is_entered(void)
{
	struct csg_functions functions;
	struct csg_function a, b;
	uint64_t until;
	char buf[64];

	CU_ASSERT_EQUAL(csg_functions_init(&functions, &fake_source), 0);
	csg_functions_find(&functions, process, 0x1010, 5, &a, &until);
	CU_ASSERT_EQUAL(until, FAKE_CHANGE);
	csg_functions_find(&functions, process, 0x10f0, 5, &b, &until);
	CU_ASSERT_EQUAL(a.label, b.label);
	CU_ASSERT(a.known);
	CU_ASSERT_FALSE(a.switches);
	CU_ASSERT_FALSE(a.begins);
	CU_ASSERT_EQUAL(a.start, 0x1000);
	CU_ASSERT_EQUAL(a.end, 0x1100);
	CU_ASSERT_STRING_EQUAL(
		csg_functions_text(csg_functions_name(&functions, a.label), buf, sizeof(buf)),
		"main");
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

	CU_ASSERT_EQUAL(csg_functions_init(&functions, &fake_source), 0);
	csg_functions_find(&functions, process, 0x1300, 5, &a, &until);
	csg_functions_find(&functions, process, 0x1400, 5, &b, &until);
	CU_ASSERT_FALSE(a.known);
	CU_ASSERT_EQUAL(a.label, b.label);
	CU_ASSERT_STRING_EQUAL(
		csg_functions_text(csg_functions_name(&functions, a.label), buf, sizeof(buf)),
		"[app]");
	csg_functions_find(&functions, process, 0x100000, 5, &a, &until);
	CU_ASSERT_EQUAL(a.label, 0);
	CU_ASSERT_STRING_EQUAL(
		csg_functions_text(csg_functions_name(&functions, 0), buf, sizeof(buf)),
		"[unknown]");
	csg_functions_fini(&functions);
}

static const char *only_symbol;

static int symbol_of(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		     struct csg_symbol *symbol, size_t size)
{
	(void)arg, (void)space, (void)addr, (void)time, (void)size;
	if (!only_symbol)
		return -CSG_E_NO_MEMORY;
	*symbol = (struct csg_symbol){
		.name = only_symbol, .start = 0x1000, .end = 0x1100, .symbol_id = 1};
	return 0;
}

/* Whether the function of that name switches threads, and begins them. */
static void is(const char *name, bool switches, bool begins)
{
	struct csg_follower_source source = fake_source;
	struct csg_functions functions;
	struct csg_function f;
	uint64_t until;

	source.symbol = symbol_of;
	only_symbol = name;
	CU_ASSERT_EQUAL(csg_functions_init(&functions, &source), 0);
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

static void a_label_that_was_not_given_out_names_nothing(void)
{
	struct csg_functions functions;

	CU_ASSERT_EQUAL(csg_functions_init(&functions, &fake_source), 0);
	CU_ASSERT_PTR_NOT_NULL(csg_functions_name(&functions, 0));
	CU_ASSERT_EQUAL(csg_functions_name(&functions, 0)->size, sizeof(struct csg_function_name));
	CU_ASSERT_PTR_NULL(csg_functions_name(&functions, 1));
	csg_functions_fini(&functions);
}

static void memory_that_symbols_lack_is_noted(void)
{
	struct csg_follower_source source = fake_source;
	struct csg_functions functions;
	struct csg_function f;
	uint64_t until;

	source.symbol = symbol_of;
	only_symbol = NULL;
	CU_ASSERT_EQUAL(csg_functions_init(&functions, &source), 0);
	csg_functions_find(&functions, process, 0x1010, 5, &f, &until);
	CU_ASSERT_FALSE(f.known);
	CU_ASSERT(functions.no_memory);
	csg_functions_fini(&functions);
}

CSG_SUITE(stack, functions, CSG_TEST(a_symbol_is_one_function_wherever_it_is_entered),
	  CSG_TEST(code_without_symbols_is_called_by_its_object),
	  CSG_TEST(what_switches_and_begins_threads_is_known_by_name),
	  CSG_TEST(a_label_that_was_not_given_out_names_nothing),
	  CSG_TEST(memory_that_symbols_lack_is_noted));
