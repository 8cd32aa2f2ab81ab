/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/new_failures.h"

#include "suite.h"

typedef void (*new_handler)(void);

/* std::set_new_handler() */
extern new_handler set_new_handler(new_handler handler) __asm__("_ZSt15set_new_handlerPFvvE")
	__attribute__((weak));

static void mine(void)
{
}

static void other(void)
{
}

static new_handler current(void)
{
	new_handler handler = set_new_handler(NULL);

	set_new_handler(handler);
	return handler;
}

static void a_failure_while_somebody_watches_counts(void)
{
	unsigned int before = csg_new_failures_watch();

	CU_ASSERT_PTR_NOT_NULL_FATAL(current());
	current()(); /* as operator new does */
	CU_ASSERT_EQUAL(csg_new_failures(), before + 1);
	CU_ASSERT_PTR_NULL(current()); /* operator new now throws */
	CU_ASSERT_EQUAL(csg_new_failures_watch(), before + 1);
	current()();
	CU_ASSERT_EQUAL(csg_new_failures(), before + 2);
	csg_new_failures_unwatch();
	csg_new_failures_unwatch();
	CU_ASSERT_PTR_NULL(current());
}

static void the_handler_of_the_program_is_called_next(void)
{
	set_new_handler(mine);
	csg_new_failures_watch();
	CU_ASSERT(current() != mine);
	current()();
	CU_ASSERT(current() == mine);
	csg_new_failures_unwatch();
	CU_ASSERT(current() == mine);
	set_new_handler(NULL);
}

static void the_handler_of_the_program_comes_back_after_the_last(void)
{
	set_new_handler(mine);
	csg_new_failures_watch();
	csg_new_failures_watch();
	csg_new_failures_unwatch();
	CU_ASSERT(current() != mine);
	csg_new_failures_unwatch();
	CU_ASSERT(current() == mine);
	set_new_handler(NULL);
}

static void a_handler_that_was_set_meanwhile_stays(void)
{
	csg_new_failures_watch();
	set_new_handler(other);
	csg_new_failures_unwatch();
	CU_ASSERT(current() == other);
	set_new_handler(NULL);
}

CSG_SUITE(scan, new_failures, CSG_TEST(a_failure_while_somebody_watches_counts),
	  CSG_TEST(the_handler_of_the_program_is_called_next),
	  CSG_TEST(the_handler_of_the_program_comes_back_after_the_last),
	  CSG_TEST(a_handler_that_was_set_meanwhile_stays));
